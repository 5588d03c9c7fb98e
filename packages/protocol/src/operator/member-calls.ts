import * as v from "valibot";
import { fundRecord } from "../calls/fund.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { person, proposal, reason } from "./operator-fields.ts";

export const memberEntry = v.object({
  memberId: s.text,
  account: s.text,
  username: v.nullable(s.text),
  region: s.text,
  standing: s.standing,
  createdAt: s.time,
  practice: s.money,
  real: s.money,
  /** When the 24 hours of a first suspension end that a second person has yet to review. */
  reviewDueAt: v.nullable(s.time),
});
export type MemberEntry = v.InferOutput<typeof memberEntry>;

const wallets = v.object({ available: s.money, locked: s.money, runningStakes: s.money, runningOrders: s.count });
export const suspension = v.object({
  suspensionId: s.text,
  reason: s.text,
  suspendedBy: person,
  suspendedAt: s.time,
  reviewedBy: v.nullable(person),
  reviewedAt: v.nullable(s.time),
  liftedBy: v.nullable(person),
  liftedAt: v.nullable(s.time),
  liftReason: v.nullable(s.text),
});
export const liftProposal = v.object({ ...proposal, memberId: s.text });

export const memberDetailOutput = v.object({
  memberId: s.text,
  phone: v.nullable(s.text),
  email: v.nullable(s.text),
  username: v.nullable(s.text),
  region: s.text,
  regionPolicy: v.picklist(["full", "practice", "blocked"]),
  language: s.text,
  standing: s.standing,
  standingReason: v.nullable(s.text),
  excludedUntil: v.nullable(s.time),
  tradePasswordSet: v.boolean(),
  createdAt: s.time,
  invitedBy: v.nullable(s.text),
  identityState: s.identityState,
  manager: v.nullable(person),
  analyst: v.nullable(person),
  practice: wallets,
  real: wallets,
  /** Total deposited in the real wallet without reversed deposits; total reversed; and the debt that is left of it. */
  deposits: v.object({ deposited: s.money, reversed: s.money, owed: s.money }),
  suspensions: v.array(suspension),
  /** The waiting proposal to lift the suspension; null if there is none. */
  lift: v.nullable(liftProposal),
  /** Whether one person may still lift it alone. */
  liftAlone: v.boolean(),
  /** When the member froze withdrawals and the waiting proposal to lift the freeze; null if nothing is frozen. */
  freeze: v.nullable(v.object({ since: s.time, by: v.picklist(["link", "session"]), lift: v.nullable(liftProposal) })),
  /** Whether the member has a second factor. */
  secondFactor: v.boolean(),
  /** The waiting proposal to remove the second factor; null if there is none. */
  factorRemoval: v.nullable(liftProposal),
});
export type MemberDetail = v.InferOutput<typeof memberDetailOutput>;

export const memberList = defineOperatorCall({
  path: "member/list",
  summary: "Lists members by id, account or name, newest first. `review`: suspensions that wait for a second person.",
  input: v.object({
    search: v.optional(f.line(100)),
    standing: v.optional(v.picklist(["all", "suspended", "review"])),
    ...s.pageInput,
  }),
  output: s.page(memberEntry),
  limit: "read",
});

export const memberDetail = defineOperatorCall({
  path: "member/detail",
  summary: "Returns a member with their wallets and standing.",
  input: v.object({ memberId: f.opaqueId }),
  output: memberDetailOutput,
  limit: "read",
  subject: "memberId",
});

const ofMember = { memberId: f.opaqueId, wallet: f.wallet, ...s.pageInput };

export const memberLedger = defineOperatorCall({
  path: "member/ledger",
  summary: "Lists changes of a member's available balance as they see them.",
  input: v.object(ofMember),
  output: s.page(fundRecord),
  limit: "read",
  subject: "memberId",
});

export const memberOrders = defineOperatorCall({
  path: "member/orders",
  summary: "Lists a member's orders, running or settled.",
  input: v.object({ ...ofMember, state: v.picklist(["running", "settled"]) }),
  output: s.page(s.order),
  limit: "read",
  subject: "memberId",
});

const standingInput = v.object({ memberId: f.opaqueId, reason });

export const memberSuspend = defineOperatorCall({
  path: "member/suspend",
  summary: "Suspends a member: nothing new can start, and running orders settle as agreed. The member sees the reason.",
  input: standingInput,
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const memberLift = defineOperatorCall({
  path: "member/lift",
  summary: "Lifts a suspension. One older than 24 hours is proposed, and a second person lifts it.",
  input: standingInput,
  output: v.object({ done: v.picklist(["lifted", "proposed"]) }),
  limit: "write",
  subject: "memberId",
});

export const memberReviewStanding = defineOperatorCall({
  path: "member/reviewStanding",
  summary: "As the second person, keeps a suspension, or decides on the proposal to lift it.",
  input: v.object({ ...standingInput.entries, decision: v.picklist(["keep", "lift"]) }),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const memberProposeLiftFreeze = defineOperatorCall({
  path: "member/proposeLiftFreeze",
  summary: "Proposes to lift a member's own freeze if they have lost what lifting takes. A second person decides.",
  input: standingInput,
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const memberRemoveFactor = defineOperatorCall({
  path: "member/removeFactor",
  summary:
    "Proposes to remove the second factors of a member who lost them all, or agrees as the second person. It takes one of support and one of compliance.",
  input: standingInput,
  output: v.object({ done: v.picklist(["proposed", "removed"]) }),
  limit: "write",
  subject: "memberId",
});

export const memberKeepFactor = defineOperatorCall({
  path: "member/keepFactor",
  summary: "Declines a proposed removal of second factors, or cancels the operator's own.",
  input: standingInput,
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const memberDecideLiftFreeze = defineOperatorCall({
  path: "member/decideLiftFreeze",
  summary: "Decides on the proposal to lift a member's own freeze. Withdrawals then rest for a while.",
  input: v.object({ ...standingInput.entries, decision: v.picklist(["approved", "rejected"]) }),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});
