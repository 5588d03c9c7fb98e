import { IDENTITY_FLAGS } from "@fairtick/domain";
import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { listInput, person, proposal, reason } from "./operator-fields.ts";

const documentType = v.picklist(["idCard", "passport", "driversLicense"]);
export const identityFlag = v.object({
  flag: v.picklist(IDENTITY_FLAGS),
  raisedAt: s.time,
  /** The other case with the same document number. */
  otherCaseId: v.nullable(s.text),
  otherMemberId: v.nullable(s.text),
});

export const identityEntry = v.object({
  caseId: s.text,
  memberId: s.text,
  account: s.text,
  region: s.text,
  familyName: s.text,
  givenName: s.text,
  documentType,
  submittedAt: s.time,
  state: v.picklist(["pending", "verified", "rejected", "revoked", "expired", "replaced"]),
  flags: v.array(v.picklist(IDENTITY_FLAGS)),
  /** Whether someone has proposed a decision that a second person must now approve. */
  proposed: v.boolean(),
});
export type IdentityEntry = v.InferOutput<typeof identityEntry>;

const identityProposal = v.object({ ...proposal, verdict: v.picklist(["verified", "rejected", "revoked"]) });

export const identityCaseOutput = v.object({
  ...identityEntry.entries,
  gender: v.picklist(["male", "female"]),
  birthDate: s.text,
  legalAge: s.count,
  documentNumber: s.text,
  frontFileId: s.text,
  backFileId: s.text,
  decidedBy: v.nullable(person),
  decidedAt: v.nullable(s.time),
  reason: v.nullable(s.text),
  documentBirthDate: v.nullable(s.text),
  /** The document's last day; null if it has none or nobody has read it yet. */
  documentExpires: v.nullable(s.text),
  /** When a verified case ended, and the reason if it was revoked. */
  endedAt: v.nullable(s.time),
  endReason: v.nullable(s.text),
  flagged: v.array(identityFlag),
  /** The waiting proposal; null if there is none. */
  waiting: v.nullable(identityProposal),
  /** Outcomes of the member's earlier cases, newest first. */
  earlier: v.array(
    v.object({
      caseId: s.text,
      state: v.picklist(["verified", "rejected", "revoked", "expired", "replaced"]),
      decidedAt: s.time,
      reason: s.text,
    }),
  ),
});
export type IdentityCase = v.InferOutput<typeof identityCaseOutput>;

export const identityList = defineOperatorCall({
  path: "identity/list",
  summary: "Lists identities to check or revoke, longest waiting first, or decided ones, newest first.",
  input: v.object(listInput),
  output: s.page(identityEntry),
  limit: "read",
});

export const identityDetail = defineOperatorCall({
  path: "identity/detail",
  summary: "Returns one case: what was submitted, what a rule flagged, and what was proposed.",
  input: v.object({ caseId: f.opaqueId }),
  output: identityCaseOutput,
  limit: "read",
  subject: "caseId",
});

export const identityViewFile = defineOperatorCall({
  path: "identity/viewFile",
  summary: "Returns a photo of a case, as bytes. Every view is recorded in the audit trail.",
  input: v.object({ caseId: f.opaqueId, fileId: f.opaqueId }),
  output: s.bytes,
  file: "download",
  limit: "read",
  subject: "caseId",
});

const done = v.object({ done: v.picklist(["verified", "rejected", "revoked", "proposed", "declined"]) });

export const identityApprove = defineOperatorCall({
  path: "identity/approve",
  summary:
    "Verifies an identity with the birth date and last day read from the document; if a rule flags the case, only proposes it. As the second person, agrees to a proposed verification or declines a proposed rejection.",
  input: v.object({ caseId: f.opaqueId, birthDate: v.optional(f.day), expiresOn: v.optional(f.day), reason }),
  output: done,
  limit: "write",
  subject: "caseId",
  secrets: ["birthDate"],
});

export const identityReject = defineOperatorCall({
  path: "identity/reject",
  summary:
    "Rejects an identity with a reason that the member sees; if a rule flags the case, only proposes it. As the second person, agrees to a proposed rejection or declines a proposed verification.",
  input: v.object({ caseId: f.opaqueId, reason }),
  output: done,
  limit: "write",
  subject: "caseId",
});

export const identityRevoke = defineOperatorCall({
  path: "identity/revoke",
  summary:
    "Proposes to revoke a verified identity, with a reason that the member will see. As the second person, agrees to the proposal.",
  input: v.object({ caseId: f.opaqueId, reason }),
  output: done,
  limit: "write",
  subject: "caseId",
});

export const identityKeep = defineOperatorCall({
  path: "identity/keep",
  summary: "Declines a proposed revocation, or cancels the operator's own.",
  input: v.object({ caseId: f.opaqueId, reason }),
  output: done,
  limit: "write",
  subject: "caseId",
});
