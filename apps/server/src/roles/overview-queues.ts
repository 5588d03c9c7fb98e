import { readWaitingDeposits } from "../features/deposit-desk/index.ts";
import { readWaitingCases } from "../features/identity/index.ts";
import type { QueueReader } from "../features/overview-desk/index.ts";
import { readWaitingChats } from "../features/support-desk/index.ts";
import { readWaitingWithdrawals } from "../features/withdrawal-desk/index.ts";

/** The queues that the console's overview counts, in the order in which it shows them. */
export const OVERVIEW_QUEUES: readonly QueueReader[] = [
  { queue: "withdrawals", needs: "withdrawal/list", read: readWaitingWithdrawals },
  { queue: "deposits", needs: "deposit/list", read: readWaitingDeposits },
  { queue: "identities", needs: "identity/list", read: readWaitingCases },
  { queue: "inbox", needs: "support/inbox", read: readWaitingChats },
];
