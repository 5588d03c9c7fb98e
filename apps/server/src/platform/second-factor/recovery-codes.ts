import { randomBytes } from "node:crypto";

const RECOVERY_CODES = 8;
/** Without those that look alike: l and 1, o and 0, i. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const HALF = 5;

function newRecoveryCode(): string {
  let letters = "";
  while (letters.length < 2 * HALF) {
    for (const byte of randomBytes(2 * HALF)) {
      // Bytes past the last whole round of the alphabet would make its first letters likelier.
      if (byte < 256 - (256 % ALPHABET.length)) letters += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return `${letters.slice(0, HALF)}-${letters.slice(HALF, 2 * HALF)}`;
}

/** Makes a set of recovery codes; they are shown once and kept as hashes. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}
