import {
  withdrawCancel,
  withdrawCheckAddress,
  withdrawCreate,
  withdrawDetail,
  withdrawList,
  withdrawMethods,
  withdrawQuote,
} from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import { cancelWithdrawal } from "./cancel-withdrawal.ts";
import { listMethods, showQuote } from "./list-methods.ts";
import { listWithdrawals, readWithdrawal } from "./list-withdrawals.ts";
import { checkRecipient, requestWithdrawal } from "./request-withdrawal.ts";
import type { WithdrawalContext } from "./withdrawal-context.ts";

/** The members' calls about withdrawals. */
export function withdrawalRoutes(context: WithdrawalContext): Route[] {
  return [
    route(withdrawMethods, ({ session, now }) => listMethods(context, session.memberId, now)),
    route(withdrawQuote, ({ input, session }) => showQuote(context, session.memberId, input)),
    route(withdrawCheckAddress, ({ input }) => checkRecipient(context, input)),
    route(withdrawCreate, ({ input, session, now }) => requestWithdrawal(context, session.memberId, input, now)),
    route(withdrawCancel, ({ input, session }) => cancelWithdrawal(context, session.memberId, input.withdrawNo)),
    route(withdrawDetail, ({ input, session }) => readWithdrawal(context, session.memberId, input.withdrawNo)),
    route(withdrawList, ({ input, session }) => listWithdrawals(context, session.memberId, input)),
  ];
}
