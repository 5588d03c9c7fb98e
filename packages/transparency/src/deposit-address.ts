import { canonicalJson, concatBytes, utf8 } from "@fairtick/domain";
import { fromBase64 } from "./base64.ts";
import { verifyBytes } from "./keys.ts";
import { findAcceptanceKey, type VerifierPolicy } from "./verifier-policy.ts";

/** A member's deposit address, as the member sees it. */
export interface DepositPlace {
  /** The member's id. It is signed too, so an address that was signed for someone else is not accepted as theirs. */
  readonly member: string;
  readonly chain: string;
  readonly currency: string;
  readonly address: string;
  /** The text of the QR code that wallets read. */
  readonly uri: string;
}

/** A signed deposit address as returned by the server: the key's id is in hexadecimal, the signature in base 64. */
export interface SignedDepositPlace extends DepositPlace {
  readonly key: string | null;
  readonly signature: string | null;
}

const ADDRESS_SIGNED = utf8("ADDR1/signed\0");

/** Returns the bytes that are signed for a deposit address: a prefix used for nothing else, then canonical JSON. */
export function depositPlaceMessage({ member, chain, currency, address, uri }: DepositPlace): Uint8Array {
  return concatBytes(ADDRESS_SIGNED, utf8(canonicalJson({ address, chain, currency, member, uri, v: 1 })));
}

/** Returns whether one of the pinned acceptance keys signed exactly this address for this member. */
export function verifyDepositPlace(policy: VerifierPolicy, { key, signature, ...place }: SignedDepositPlace): boolean {
  if (key === null || signature === null) return false;
  const known = findAcceptanceKey(policy, key);
  const bytes = fromBase64(signature);
  return known !== null && bytes !== null && verifyBytes(known, depositPlaceMessage(place), bytes);
}
