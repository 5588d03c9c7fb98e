import {
  depositAddress,
  depositBank,
  depositCards,
  depositCrypto,
  depositDetail,
  depositList,
  depositMethods,
  depositReceipt,
} from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import { announceBankDeposit, type NewDepositContext, putReceipt } from "./bank-deposit.ts";
import { claimTransfer } from "./claim-transfer.ts";
import { listDeposits, readDeposit } from "./list-deposits.ts";
import { listCards } from "./receiving-cards.ts";
import { type DepositContext, listMethods, showAddress } from "./show-address.ts";

/** Members' routes for deposits. */
export function depositRoutes(context: DepositContext & NewDepositContext): Route[] {
  return [
    route(depositMethods, ({ input, session, now }) => listMethods(context, session.memberId, now, input)),
    route(depositCards, ({ input, session, now }) => listCards(context, session.memberId, input, now)),
    route(depositBank, ({ input, session, now }) => announceBankDeposit(context, session.memberId, input, now)),
    route(depositReceipt, ({ input, session, now }) => putReceipt(context, session.memberId, input, now)),
    route(depositAddress, ({ input, session, now }) => showAddress(context, session.memberId, input.chain, now)),
    route(depositCrypto, ({ input, session, now }) => claimTransfer(context, session.memberId, input, now)),
    route(depositDetail, ({ input, session, now }) => readDeposit(context, session.memberId, input.depositNo, now)),
    route(depositList, ({ input, session, now }) => listDeposits(context, session.memberId, input, now)),
  ];
}
