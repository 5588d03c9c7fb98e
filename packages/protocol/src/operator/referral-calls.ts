import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { decideInput, listInput, proposal, reason } from "./operator-fields.ts";

export const referral = v.object({
  ...proposal,
  /** The proposed share of invited members' fees. */
  rate: s.rateText,
  /** The share in force today. */
  rateNow: s.rateText,
  /** First UTC day on which an approved rate applies; null until it is approved. */
  fromDay: v.nullable(s.text),
});
export type Referral = v.InferOutput<typeof referral>;

export const referralList = defineOperatorCall({
  path: "referral/list",
  summary: "Lists proposals of the reward for invitations.",
  input: v.object(listInput),
  output: s.page(referral),
  limit: "read",
});

export const referralPropose = defineOperatorCall({
  path: "referral/propose",
  summary: "Proposes which share of an invited member's fees their inviter gets, at most a half. 0 ends it.",
  input: v.object({ rate: f.rate, reason }),
  output: referral,
  limit: "write",
  rules: ({ rate }) => (rate > 500_000n ? { rate: "FIELD_INVALID" } : undefined),
});

export const referralApprove = defineOperatorCall({
  path: "referral/approve",
  summary: "Approves a share, which applies from the next UTC day on.",
  input: decideInput,
  output: referral,
  limit: "write",
  subject: "proposalId",
});

export const referralReject = defineOperatorCall({
  path: "referral/reject",
  summary: "Rejects a share, or cancels the operator's own proposal.",
  input: decideInput,
  output: referral,
  limit: "write",
  subject: "proposalId",
});
