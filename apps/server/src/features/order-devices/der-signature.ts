const HALF_BYTES = 32;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * Writes an ECDSA P-256 signature, r and s side by side in 64 bytes, as DER (RFC 3279, 2.2.3), which OpenSSL takes as it is: Node
 * spends a third of a check's time on turning one into the other. Null for another length.
 */
export function derSignature(signature: Uint8Array): Uint8Array | null {
  if (signature.length !== 2 * HALF_BYTES) return null;
  const [r, s] = [integer(signature.subarray(0, HALF_BYTES)), integer(signature.subarray(HALF_BYTES))];
  return Uint8Array.of(SEQUENCE, r.length + s.length, ...r, ...s);
}

/** As short as it goes, with a zero before what would be negative. */
function integer(half: Uint8Array): Uint8Array {
  const first = half.findIndex((byte) => byte !== 0);
  const bytes = first < 0 ? half.subarray(HALF_BYTES - 1) : half.subarray(first);
  const isNegative = (bytes[0] ?? 0) >= 0x80;
  return Uint8Array.of(INTEGER, bytes.length + (isNegative ? 1 : 0), ...(isNegative ? [0] : []), ...bytes);
}
