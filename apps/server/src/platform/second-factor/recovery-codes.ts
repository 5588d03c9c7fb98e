import { randomBytes } from "node:crypto";

const RECOVERY_CODES = 8;
/** Characters of codes, without those that look alike: l and 1, o and 0, i. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const HALF = 5;

function newRecoveryCode(): string {
  let letters = "";
  while (letters.length < 2 * HALF) {
    for (const byte of randomBytes(2 * HALF)) {
      // Skip bytes beyond the last complete multiple of the alphabet, which would make its first letters more likely.
      if (byte < 256 - (256 % ALPHABET.length)) letters += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return `${letters.slice(0, HALF)}-${letters.slice(HALF, 2 * HALF)}`;
}

/** Makes a set of recovery codes, which are shown once and stored as hashes. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}
