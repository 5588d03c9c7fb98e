import { canonicalJson, concatBytes, utf8 } from "@fairtick/domain";
import { fromBase64 } from "./base64.ts";
import { verifyBytes } from "./keys.ts";
import { findAcceptanceKey, type VerifierPolicy } from "./verifier-policy.ts";

/** Where a member's deposits go, as the member sees it. */
export interface DepositPlace {
  /** The member's id; an address that was signed for somebody else does not pass for theirs. */
  readonly member: string;
  readonly chain: string;
  readonly currency: string;
  readonly address: string;
  /** The text of the QR code that wallets read. */
  readonly uri: string;
}

/** A signed deposit address, with the key's id in hexadecimal and the signature in base 64, as answers have them. */
export interface SignedDepositPlace extends DepositPlace {
  readonly key: string | null;
  readonly signature: string | null;
}

const ADDRESS_SIGNED = utf8("ADDR1/signed\0");

/** Answers the bytes that are signed for a deposit address: a prefix of its own, then canonical JSON. */
export function depositPlaceMessage({ member, chain, currency, address, uri }: DepositPlace): Uint8Array {
  return concatBytes(ADDRESS_SIGNED, utf8(canonicalJson({ address, chain, currency, member, uri, v: 1 })));
}

/** Says whether one of the pinned acceptance keys signed exactly this address for this member. */
export function verifyDepositPlace(policy: VerifierPolicy, { key, signature, ...place }: SignedDepositPlace): boolean {
  if (key === null || signature === null) return false;
  const known = findAcceptanceKey(policy, key);
  const bytes = fromBase64(signature);
  return known !== null && bytes !== null && verifyBytes(known, depositPlaceMessage(place), bytes);
}
