import { keyStatement } from "@fairtick/domain";
import { isP256PublicKey, p256KeyId, verifyP256 } from "@fairtick/domain/node-signatures";
import { refuse } from "./limits.ts";
import type { EnrolMessage, RevokeMessage, SignerAnswer } from "./messages.ts";
import type { SignerContext } from "./signer-context.ts";

/** Enrols an operator's key, with a colleague's signature or as the first key. Refuses KEY. */
export function enrol(context: SignerContext, { operator, publicKey, approval }: EnrolMessage): SignerAnswer<string> {
  const { alarm, journal, rules, all, isRevoked } = context;
  if (!isP256PublicKey(publicKey)) return refuse("KEY", "not a P-256 public key");
  const keyId = p256KeyId(publicKey);
  const keys = all("key");
  const known = keys.find((one) => one.keyId === keyId);
  if (isRevoked(keyId)) return alarm("KEY", `enrolment of the revoked key ${keyId} was requested`);
  if (known !== undefined) {
    return known.operator === operator
      ? { ok: true, value: keyId }
      : alarm("KEY", `enrolment of ${known.operator}'s key for ${operator} was requested`);
  }
  const vouched = isVouched(context, { operator, publicKey, approval });
  const first = rules.trustFirstKey && keys.every((one) => one.operator === operator);
  if (!vouched && !first) return refuse("KEY", `a key of ${operator} without a colleague's signature`);
  const by = vouched ? approval : null;
  const signed = { by: by?.keyId ?? null, signature: by?.signature ?? null };
  journal.append({ t: "key", at: context.at(), keyId, publicKey, operator, ...signed });
  return { ok: true, value: keyId };
}

/** Returns whether a colleague whose key is trusted has signed for this key. */
function isVouched({ believedKeys }: SignerContext, { operator, publicKey, approval }: EnrolMessage): boolean {
  if (approval === null) return false;
  const colleague = believedKeys().find((one) => one.keyId === approval.keyId);
  if (colleague === undefined || colleague.operator === operator) return false;
  return verifyP256(colleague.publicKey, keyStatement({ operator, publicKey }), approval.signature);
}

/** Revokes trust in a key. Refuses KEY for an unknown key and for the last one. */
export function revoke(
  { journal, at, isRevoked, believedKeys }: SignerContext,
  { keyId, by }: RevokeMessage,
): SignerAnswer<"revoked"> {
  if (isRevoked(keyId)) return { ok: true, value: "revoked" };
  const believed = believedKeys();
  if (!believed.some((one) => one.keyId === keyId)) return refuse("KEY", `no key ${keyId}`);
  if (believed.length === 1) return refuse("KEY", "the last key: enrol another one first");
  journal.append({ t: "revoked", at: at(), keyId, by });
  return { ok: true, value: "revoked" };
}
