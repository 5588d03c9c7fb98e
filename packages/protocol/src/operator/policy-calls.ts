/** Regions and the terms of withdrawals: versions with a date, proposed by one admin and approved by another. */
import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { configDifference } from "./config-calls.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { decideInput, person, proposal, reason } from "./operator-fields.ts";

/** One version of regions or withdrawal terms. */
export const policyVersion = v.object({
  version: s.count,
  effectiveAt: s.time,
  state: v.picklist(["past", "current", "coming"]),
  differences: v.array(configDifference),
  approvedBy: v.nullable(person),
});
export type PolicyVersion = v.InferOutput<typeof policyVersion>;

export const policyProposal = v.object({
  ...proposal,
  version: s.count,
  /** Null means as soon as it is approved and allowed to apply. */
  effectiveAt: v.nullable(s.time),
  differences: v.array(configDifference),
  /** Values it changes that others have changed since it was made. If there are any, it can no longer be approved. */
  overtaken: v.array(configDifference),
  /** Whether its date has passed or isn't later than the newest version's, so that it can no longer be approved. */
  late: v.boolean(),
});
export type PolicyProposal = v.InferOutput<typeof policyProposal>;

const versions = { versions: v.array(policyVersion), proposals: v.array(policyProposal) };

const policy = v.picklist(["full", "practice", "blocked"]);
const product = v.picklist(["fx", "crypto"]);
export const regionTerms = v.object({
  iso2: s.text,
  policy,
  deposits: v.boolean(),
  products: v.array(product),
  legalAge: s.count,
  rule: v.nullable(v.object({ name: s.text, year: s.count })),
});
export type RegionEntry = v.InferOutput<typeof regionTerms>;

export const regionTermsList = defineOperatorCall({
  path: "region/list",
  summary: "Lists what each region allows now, the versions, newest first, and proposals.",
  input: v.object({}),
  output: v.object({ regions: v.array(regionTerms), ...versions }),
  limit: "read",
});

const YEAR = v.pipe(v.number(), v.integer(), v.minValue(1900), v.maxValue(2200));
export const regionTermsPropose = defineOperatorCall({
  path: "region/propose",
  summary: "Proposes the next version of the regions. It applies from its date on, to existing members too.",
  input: v.object({
    regions: v.pipe(
      v.array(
        v.object({
          iso2: f.region,
          policy: v.optional(policy),
          deposits: v.optional(v.boolean()),
          products: v.optional(v.pipe(v.array(product), v.maxLength(2))),
          legalAge: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(200))),
          rule: v.optional(v.nullable(v.object({ name: f.line(200), year: YEAR }))),
        }),
      ),
      v.minLength(1),
      v.maxLength(250),
    ),
    effectiveAt: v.optional(f.instant),
    reason,
  }),
  output: policyProposal,
  limit: "write",
});

export const regionTermsApprove = defineOperatorCall({
  path: "region/approve",
  summary: "Approves a version of the regions. It goes into the public log and then takes effect.",
  input: decideInput,
  output: policyProposal,
  limit: "write",
  subject: "proposalId",
});

export const regionTermsReject = defineOperatorCall({
  path: "region/reject",
  summary: "Rejects a version of the regions, or cancels the operator's own proposal.",
  input: decideInput,
  output: policyProposal,
  limit: "write",
  subject: "proposalId",
});

const terms = {
  minimum: s.money,
  maximum: s.money,
  fee: s.money,
  /** The most that one member may request in a UTC day; null if there is no such limit. */
  dayMax: v.nullable(s.money),
  /**
   * Amounts up to `automaticMax` need no approval, up to `singleMax` one operator's, and above that two different
   * operators'.
   */
  automaticMax: s.money,
  singleMax: s.money,
};
export const withdrawalTerms = v.object(terms);
export type WithdrawalTermsEntry = v.InferOutput<typeof withdrawalTerms>;

export const withdrawalTermsList = defineOperatorCall({
  path: "withdrawalTerms/list",
  summary: "Lists the current fee and limits of withdrawals, the versions, newest first, and proposals.",
  input: v.object({}),
  output: v.object({ terms: withdrawalTerms, ...versions }),
  limit: "read",
});

export const withdrawalTermsPropose = defineOperatorCall({
  path: "withdrawalTerms/propose",
  summary:
    "Proposes the next terms. Changes to members' disadvantage are in the log for a day before they take effect.",
  input: v.object({
    minimum: v.optional(f.usd),
    maximum: v.optional(f.usd),
    fee: v.optional(f.usd),
    dayMax: v.optional(v.nullable(f.usd)),
    automaticMax: v.optional(f.usd),
    singleMax: v.optional(f.usd),
    effectiveAt: v.optional(f.instant),
    reason,
  }),
  output: policyProposal,
  limit: "write",
});

export const withdrawalTermsApprove = defineOperatorCall({
  path: "withdrawalTerms/approve",
  summary: "Approves terms. They go into the public log, are shown to members, and then take effect.",
  input: decideInput,
  output: policyProposal,
  limit: "write",
  subject: "proposalId",
});

export const withdrawalTermsReject = defineOperatorCall({
  path: "withdrawalTerms/reject",
  summary: "Rejects terms, or cancels the operator's own proposal.",
  input: decideInput,
  output: policyProposal,
  limit: "write",
  subject: "proposalId",
});

export const regionTermsProposeAgain = defineOperatorCall({
  path: "region/proposeAgain",
  summary: "Proposes the changes of a waiting proposal over the newest version; the old proposal is rejected.",
  input: decideInput,
  output: policyProposal,
  limit: "write",
  subject: "proposalId",
});

export const withdrawalTermsProposeAgain = defineOperatorCall({
  path: "withdrawalTerms/proposeAgain",
  summary: "Proposes the changes of a waiting proposal over the newest version; the old proposal is rejected.",
  input: decideInput,
  output: policyProposal,
  limit: "write",
  subject: "proposalId",
});
