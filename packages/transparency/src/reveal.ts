import { canonicalJson, concatBytes, type Direction, utf8 } from "@fairtick/domain";
import { fromBase64 } from "./base64.ts";
import { verifyBytes } from "./keys.ts";
import { findAcceptanceKey, type VerifierPolicy } from "./verifier-policy.ts";

/** The revealed direction and limit price of a sealed order, and when the house learned them. */
export interface Reveal {
  /** `ord_…` */
  readonly orderNo: string;
  readonly direction: Direction;
  /** In points; null for any. */
  readonly limitPrice: bigint | null;
  /** Nonce that opens the seal, 32 bytes in hexadecimal. */
  readonly nonce: string;
  /** ms since 1970 UTC. */
  readonly at: bigint;
}

const REVEAL_SIGNED = utf8("REVEAL1/signed\0");

/**
 * Returns the bytes that are signed for a reveal: a prefix used for nothing else, then canonical JSON. A house that has
 * signed them can't claim that the order was never revealed.
 */
export function revealMessage({ orderNo, direction, limitPrice, nonce, at }: Reveal): Uint8Array {
  return concatBytes(REVEAL_SIGNED, utf8(canonicalJson({ at, direction, limitPrice, nonce, orderNo, v: 1 })));
}

/** Returns whether a pinned acceptance key signed the reveal. `key`: its id in hexadecimal; `signature`: in base 64. */
export function verifyReveal(
  policy: Pick<VerifierPolicy, "acceptanceKeys">,
  reveal: Reveal,
  { key, signature }: { readonly key: string | null; readonly signature: string | null },
): boolean {
  if (key === null || signature === null) return false;
  const known = findAcceptanceKey(policy, key);
  const bytes = fromBase64(signature);
  return known !== null && bytes !== null && verifyBytes(known, revealMessage(reveal), bytes);
}
