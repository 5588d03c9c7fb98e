import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { decideInput, login, person, proposal, reason, role } from "./operator-fields.ts";

export const operatorEntry = v.object({
  ...person.entries,
  roles: v.array(role),
  state: v.picklist(["invited", "active", "disabled"]),
  sessions: s.count,
  seenAt: v.nullable(s.time),
});
export type OperatorEntry = v.InferOutput<typeof operatorEntry>;

export const operatorProposal = v.object({
  ...proposal,
  change: v.picklist(["invite", "roles", "disable"]),
  target: v.object({ operatorId: s.text, login: s.text, name: s.text }),
  roles: v.array(role),
});
export type OperatorProposal = v.InferOutput<typeof operatorProposal>;

const roles = v.pipe(v.array(role), v.minLength(1), v.maxLength(5));

export const operatorList = defineOperatorCall({
  path: "operator/list",
  summary: "Lists operators with their roles, and proposals about them.",
  input: v.object({}),
  output: v.object({ operators: v.array(operatorEntry), proposals: v.array(operatorProposal) }),
  limit: "read",
});

export const operatorInvite = defineOperatorCall({
  path: "operator/invite",
  summary: "Proposes a new operator.",
  input: v.object({ login, name: f.line(60), roles, reason }),
  output: operatorProposal,
  limit: "write",
  subject: "login",
});

export const operatorSetRoles = defineOperatorCall({
  path: "operator/setRoles",
  summary: "Proposes other roles for an operator.",
  input: v.object({ operatorId: f.opaqueId, roles, reason }),
  output: operatorProposal,
  limit: "write",
  subject: "operatorId",
});

export const operatorDisable = defineOperatorCall({
  path: "operator/disable",
  summary: "Proposes to disable an operator.",
  input: v.object({ operatorId: f.opaqueId, reason }),
  output: operatorProposal,
  limit: "write",
  subject: "operatorId",
});

export const operatorApprove = defineOperatorCall({
  path: "operator/approve",
  summary: "Approves a change of operators. For a new one, returns the invitation's address, only this once.",
  input: decideInput,
  output: v.object({ proposal: operatorProposal, invitation: v.nullable(s.text) }),
  limit: "write",
  subject: "proposalId",
});

export const operatorReject = defineOperatorCall({
  path: "operator/reject",
  summary: "Rejects a change of operators, or cancels the operator's own proposal.",
  input: decideInput,
  output: operatorProposal,
  limit: "write",
  subject: "proposalId",
});

export const operatorEndSessions = defineOperatorCall({
  path: "operator/endSessions",
  summary: "Ends all sessions of an operator at once. They can log in again.",
  input: v.object({ operatorId: f.opaqueId, reason }),
  output: s.nothing,
  limit: "write",
  subject: "operatorId",
});

export const auditEntry = v.object({
  auditNo: s.text,
  at: s.time,
  operator: v.nullable(person),
  ip: s.text,
  device: s.text,
  action: s.text,
  subject: v.nullable(s.text),
  reason: v.nullable(s.text),
  detail: s.text,
  outcome: s.text,
  hash: s.text,
});
export type AuditEntry = v.InferOutput<typeof auditEntry>;

const auditFilters = {
  operatorId: v.optional(f.opaqueId),
  subject: v.optional(f.line(80)),
  action: v.optional(f.line(60)),
  from: v.optional(f.instant),
  to: v.optional(f.instant),
};

export const auditList = defineOperatorCall({
  path: "audit/list",
  summary: "Lists the audit trail, newest first, and says whether its chain is intact.",
  input: v.object({ ...auditFilters, ...s.pageInput }),
  output: v.object({
    items: v.array(auditEntry),
    nextCursor: v.nullable(s.text),
    /** Number of the first row at which the hash chain breaks; null if it is intact. */
    brokenAt: v.nullable(s.text),
  }),
  limit: "read",
});

export const auditExport = defineOperatorCall({
  path: "audit/export",
  summary: "Exports the audit trail as CSV, with its hashes.",
  input: v.object(auditFilters),
  output: s.bytes,
  file: "download",
  limit: "heavy",
});
