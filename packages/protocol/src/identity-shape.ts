import * as v from "valibot";
import { count, text, time } from "./plain-shapes.ts";

export const identityState = v.picklist(["unverified", "pending", "verified", "rejected"]);

/** Where a member's identity check stands. */
export const identity = v.object({
  state: identityState,
  basic: identityState,
  real: identityState,
  /** Face recognition is not yet open. */
  face: v.picklist(["closed"]),
  /** Why it was rejected, or revoked. */
  reason: v.optional(text),
  /** It was verified before: revoked since by compliance, or ended with the document's last day. */
  ended: v.optional(v.picklist(["revoked", "expired"])),
  /** The last day of the document that is, or was, verified: `2027-03-01`. */
  expiresOn: v.optional(text),
  /** The last day is near: a newer document may be handed in, and the identity stays verified meanwhile. */
  renewal: v.optional(v.object({ state: v.picklist(["due", "pending", "rejected"]), reason: v.optional(text) })),
  /** What the member handed in last. */
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
  /** Years that the law of their region asks for. */
  legalAge: count,
});
export type Identity = v.InferOutput<typeof identity>;
