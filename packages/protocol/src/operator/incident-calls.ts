/**
 * Calls for incidents that the chain watchers and the payment process leave to people, and for what is held until they
 * are cleared.
 */
import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { decideInput, person, proposal, reason } from "./operator-fields.ts";

const incidentProposal = v.object(proposal);

export const incident = v.object({
  incidentId: s.text,
  kind: s.text,
  subject: s.text,
  memberId: v.nullable(s.text),
  detail: v.record(v.string(), v.string()),
  openedAt: s.time,
  /** What is held while it is open: a member's withdrawals, or the paying wallet. Closing it then takes two people. */
  holds: v.array(v.picklist(["withdrawals", "wallet"])),
  /** The newest proposal to close it. */
  proposal: v.nullable(incidentProposal),
  closed: v.nullable(v.object({ at: s.time, by: v.nullable(person), reason: v.nullable(s.text) })),
});
export type Incident = v.InferOutput<typeof incident>;

export const incidentList = defineOperatorCall({
  path: "incident/list",
  summary:
    "Lists what doesn't work now, open and closed incidents, how far each chain was read, and coins at members' addresses.",
  input: v.object({ state: v.optional(v.picklist(["open", "closed"])) }),
  output: v.object({
    /** Parts that don't work now, as reported by `/health/ready`. */
    health: v.object({
      ready: v.boolean(),
      accepting: v.boolean(),
      degraded: v.array(v.object({ part: s.text, since: s.time, cause: s.text })),
    }),
    chains: v.array(
      v.object({ chain: s.text, height: s.count, behind: s.count, readAt: s.time, trouble: v.nullable(s.text) }),
    ),
    incidents: v.array(incident),
    coins: v.array(v.object({ chain: s.text, address: s.text, memberId: s.text, balance: s.text, seenAt: s.time })),
  }),
  limit: "read",
});

export const incidentClose = defineOperatorCall({
  path: "incident/close",
  summary: "Closes an incident that holds nothing.",
  input: v.object({ incidentId: f.opaqueId, reason }),
  output: incident,
  limit: "write",
  subject: "incidentId",
});

export const incidentPropose = defineOperatorCall({
  path: "incident/propose",
  summary: "Proposes to close an incident and release what it holds.",
  input: v.object({ incidentId: f.opaqueId, reason }),
  output: incident,
  limit: "write",
  subject: "incidentId",
});

export const incidentApprove = defineOperatorCall({
  path: "incident/approve",
  summary:
    "Approves closing an incident that another person proposed: frozen withdrawals continue, a stopped wallet pays again.",
  input: decideInput,
  output: incident,
  limit: "write",
  subject: "proposalId",
});

export const incidentReject = defineOperatorCall({
  path: "incident/reject",
  summary: "Keeps an incident open, or cancels the operator's own proposal.",
  input: decideInput,
  output: incident,
  limit: "write",
  subject: "proposalId",
});
