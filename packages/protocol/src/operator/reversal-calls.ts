import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { decideInput, proposal, reason } from "./operator-fields.ts";

/** A proposal to reverse a credited bank transfer that the bank took back. */
export const reversalProposal = v.object({
  ...proposal,
  depositNo: s.text,
  memberId: s.text,
  amount: s.money,
  /** How much of it the member has available; the rest becomes their debt. */
  availableNow: s.money,
  /** The part that became a debt; null until the reversal is done. */
  owed: v.nullable(s.money),
});
export type ReversalProposal = v.InferOutput<typeof reversalProposal>;

export const depositProposeReversal = defineOperatorCall({
  path: "deposit/proposeReversal",
  summary: "Proposes to reverse a credited bank transfer that the bank took back. Its member sees the reason.",
  input: v.object({ depositNo: f.opaqueId, reason }),
  output: reversalProposal,
  limit: "write",
  subject: "depositNo",
});

export const depositApproveReversal = defineOperatorCall({
  path: "deposit/approveReversal",
  summary: "Approves a reversal that another person proposed, and books it. The amount is typed again.",
  input: v.object({ ...decideInput.entries, amount: f.usd }),
  output: reversalProposal,
  limit: "write",
  subject: "proposalId",
});

export const depositRejectReversal = defineOperatorCall({
  path: "deposit/rejectReversal",
  summary: "Rejects a reversal, or cancels the operator's own proposal.",
  input: decideInput,
  output: reversalProposal,
  limit: "write",
  subject: "proposalId",
});
