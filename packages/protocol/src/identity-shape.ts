import * as v from "valibot";
import { count, text, time } from "./plain-shapes.ts";

export const identityState = v.picklist(["unverified", "pending", "verified", "rejected"]);

/** The state of a member's identity check. */
export const identity = v.object({
  state: identityState,
  basic: identityState,
  real: identityState,
  /** Face recognition isn't offered yet. */
  face: v.picklist(["closed"]),
  /** Reason for which it was rejected or revoked. */
  reason: v.optional(text),
  /** How an earlier verification ended: revoked by compliance, or expired after the document's last day. */
  ended: v.optional(v.picklist(["revoked", "expired"])),
  /** The last day of the document that is, or was, verified: `2027-03-01`. */
  expiresOn: v.optional(text),
  /** Present when the last day is near. The member can submit a newer document, and stays verified meanwhile. */
  renewal: v.optional(v.object({ state: v.picklist(["due", "pending", "rejected"]), reason: v.optional(text) })),
  /** What the member submitted last. */
  person: v.optional(
    v.object({
      familyName: text,
      givenName: text,
      gender: v.picklist(["male", "female"]),
      birthDate: text,
      submittedAt: time,
    }),
  ),
  document: v.optional(
    v.object({
      documentType: v.picklist(["idCard", "passport", "driversLicense"]),
      submittedAt: time,
      decidedAt: v.nullable(time),
    }),
  ),
  /** Minimum age in years under the law of the member's region. */
  legalAge: count,
});
export type Identity = v.InferOutput<typeof identity>;
