import { copyBytes } from "@fairtick/domain";

const HALF_BYTES = 32;
/** Two numbers, each with a zero in front, and six bytes that say what they are. */
const DER_BYTES_MAX = 2 * HALF_BYTES + 8;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * Writes an ECDSA P-256 signature, r and s side by side in 64 bytes, as DER (RFC 3279, 2.2.3), which OpenSSL takes as it is: Node
 * spends a third of a check's time on turning one into the other. Null for another length.
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

/** Writes one half from `at` on, as short as it goes, with a zero before what would be negative; answers where it ends. */
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
