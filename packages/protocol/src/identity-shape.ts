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
  /** Why it was rejected, or revoked. */
  reason: v.optional(text),
  /** How an earlier verification ended: revoked by compliance, or with the document's last day. */
  ended: v.optional(v.picklist(["revoked", "expired"])),
  /** The last day of the document that is, or was, verified: `2027-03-01`. */
  expiresOn: v.optional(text),
  /** Present when the last day is near: a newer document can be submitted, and the identity stays verified meanwhile. */
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
  /** Age in years that the law of their region requires. */
  legalAge: count,
});
export type Identity = v.InferOutput<typeof identity>;
