import { depositAddress, depositDetail, depositList, depositMethods } from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import { listDeposits, readDeposit } from "./list-deposits.ts";
import { type DepositContext, listMethods, showAddress } from "./show-address.ts";

/** The calls about deposits that are built: crypto ones. */
export function depositRoutes(context: DepositContext): Route[] {
  return [
    route(depositMethods, ({ session, now }) => listMethods(context, session.memberId, now)),
    route(depositAddress, ({ input, session, now }) => showAddress(context, session.memberId, input.chain, now)),
    route(depositDetail, ({ input, session, now }) => readDeposit(context, session.memberId, input.depositNo, now)),
    route(depositList, ({ input, session, now }) => listDeposits(context, session.memberId, input, now)),
  ];
}
