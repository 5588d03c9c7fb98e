import { copyBytes } from "@fairtick/domain";

const HALF_BYTES = 32;
/** Two numbers, each with a leading zero, and six bytes of tags and lengths. */
const DER_BYTES_MAX = 2 * HALF_BYTES + 8;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * Converts an ECDSA P-256 signature from r and s side by side (64 bytes) to DER (RFC 3279, 2.2.3), which OpenSSL takes
 * directly. Node would spend a third of the verification time on this conversion. Null for another length.
 */
export function derSignature(signature: Uint8Array): Uint8Array | null {
  if (signature.length !== 2 * HALF_BYTES) return null;
  const der = new Uint8Array(DER_BYTES_MAX);
  const middle = writeInteger(signature, 0, der, 2);
  const end = writeInteger(signature, HALF_BYTES, der, middle);
  der[0] = SEQUENCE;
  der[1] = end - 2;
  return der.subarray(0, end);
}

/** Writes one half at `at` in as few bytes as possible, with a leading zero if it would otherwise be negative. Returns its end. */
function writeInteger(signature: Uint8Array, start: number, der: Uint8Array, at: number): number {
  const last = start + HALF_BYTES - 1;
  let first = start;
  while (first < last && signature[first] === 0) first += 1;
  const zeros = (signature[first] ?? 0) >= 0x80 ? 1 : 0;
  const length = zeros + last - first + 1;
  der[at] = INTEGER;
  der[at + 1] = length;
  der[at + 2] = 0;
  copyBytes(signature, first, last - first + 1, der, at + 2 + zeros);
  return at + 2 + length;
}
