import type { CaseQueueName } from "@fairtick/protocol/operator";
import type { CaseQueue } from "../features/case-takes/index.ts";
import { isWaitingDeposit, readWaitingDeposits } from "../features/deposit-desk/index.ts";
import { isWaitingCase, readWaitingCases } from "../features/identity/index.ts";
import type { QueueReader } from "../features/overview-desk/index.ts";
import { readWaitingChats } from "../features/support-desk/index.ts";
import { isWaitingWithdrawal, readWaitingWithdrawals } from "../features/withdrawal-desk/index.ts";

/** The queues that the console's overview counts, in the order in which it shows them. */
export const OVERVIEW_QUEUES: readonly QueueReader[] = [
  { queue: "withdrawals", needs: "withdrawal/list", read: readWaitingWithdrawals },
  { queue: "deposits", needs: "deposit/list", read: readWaitingDeposits },
  { queue: "identities", needs: "identity/list", read: readWaitingCases },
  { queue: "inbox", needs: "support/inbox", read: readWaitingChats },
];

/** The queues whose cases operators can take. */
export const CASE_QUEUES: Readonly<Record<CaseQueueName, CaseQueue>> = {
  deposits: { lists: "deposit/list", decides: "deposit/rejectCard", isOpen: isWaitingDeposit },
  withdrawals: { lists: "withdrawal/list", decides: "withdrawal/approve", isOpen: isWaitingWithdrawal },
  identities: { lists: "identity/list", decides: "identity/approve", isOpen: isWaitingCase },
};
