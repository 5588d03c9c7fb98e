import {
  withdrawAddAddress,
  withdrawAddresses,
  withdrawCancel,
  withdrawCheckAddress,
  withdrawCreate,
  withdrawDetail,
  withdrawList,
  withdrawMethods,
  withdrawQuote,
  withdrawRemoveAddress,
} from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import { addAddress, listAddresses, removeAddress } from "./address-book.ts";
import { cancelWithdrawal } from "./cancel-withdrawal.ts";
import { listMethods, showQuote } from "./list-methods.ts";
import { listWithdrawals, readWithdrawal } from "./list-withdrawals.ts";
import { checkRecipient } from "./judge-recipient.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";
import type { WithdrawalContext } from "./withdrawal-context.ts";

/** Members' routes for withdrawals. */
export function withdrawalRoutes(context: WithdrawalContext): Route[] {
  return [
    route(withdrawMethods, ({ session, now }) => listMethods(context, session.memberId, now)),
    route(withdrawQuote, ({ input, session }) => showQuote(context, session.memberId, input)),
    route(withdrawCheckAddress, ({ input, session }) => checkRecipient(context, session.memberId, input)),
    route(withdrawAddresses, ({ session }) => listAddresses(context, session.memberId)),
    route(withdrawAddAddress, ({ input, session, now }) => addAddress(context, { ...session, now }, input)),
    route(withdrawRemoveAddress, ({ input, session }) => removeAddress(context, session.memberId, input.addressId)),
    route(withdrawCreate, ({ input, session, now }) =>
      requestWithdrawal(context, session.memberId, input, now, session.sessionId),
    ),
    route(withdrawCancel, ({ input, session }) => cancelWithdrawal(context, session.memberId, input.withdrawNo)),
    route(withdrawDetail, ({ input, session }) => readWithdrawal(context, session.memberId, input.withdrawNo)),
    route(withdrawList, ({ input, session }) => listWithdrawals(context, session.memberId, input)),
  ];
}
