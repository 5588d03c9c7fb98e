/** Encodes bytes as the padded Base 64 of RFC 4648 section 4, the only encoding that notes, keys and proofs use. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += 8_192) {
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192));
  }
  return btoa(text);
}

/** Decodes the output of `toBase64`; null for other alphabets, blanks, missing padding and stray last bits. */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return text === toBase64(bytes) ? bytes : null;
}

/** Decodes exactly 32 bytes, the length of the hashes in proofs and checkpoints; null for anything else. */
export function hashFromBase64(text: string): Uint8Array | null {
  if (text.length !== 44) return null;
  const bytes = fromBase64(text);
  return bytes?.length === 32 ? bytes : null;
}
