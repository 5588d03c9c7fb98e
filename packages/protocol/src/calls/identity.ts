import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

export const identityStatus = defineCall({
  path: "identity/status",
  access: "member",
  summary: "Returns the state of the identity check.",
  input: v.object({}),
  output: s.identity,
  idempotent: true,
  limit: "read",
});

export const identitySubmitBasic = defineCall({
  path: "identity/submitBasic",
  access: "member",
  summary:
    "Submits name, gender and birth date. Refused with IDENTITY_PENDING while documents are being checked, and with CONFLICT once verified.",
  input: v.object({
    familyName: f.line(64),
    givenName: f.line(64),
    gender: v.picklist(["male", "female"]),
    birthDate: f.day,
    /** The member's IANA time zone, because a birthday begins at midnight there. UTC if left out. */
    timeZone: v.optional(f.timeZone),
  }),
  output: s.identity,
  idempotent: true,
  limit: "write",
});

export const identitySubmitDocuments = defineCall({
  path: "identity/submitDocuments",
  access: "member",
  summary: "Submits a document: its number and both pictures.",
  input: v.object({
    documentType: v.picklist(["idCard", "passport", "driversLicense"]),
    documentNumber: f.line(64),
    frontFileId: f.opaqueId,
    backFileId: f.opaqueId,
  }),
  output: s.identity,
  idempotent: true,
  limit: "write",
});
