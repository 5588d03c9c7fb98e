/** Standard Base 64 of RFC 4648 section 4, padded: the only encoding that notes, keys and proofs use. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += 8_192) {
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192));
  }
  return btoa(text);
}

/** Null for everything that `toBase64` does not write: other alphabets, blanks, missing padding, stray last bits. */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return text === toBase64(bytes) ? bytes : null;
}

/** Of exactly 32 bytes: what proofs and checkpoints hold. */
export function hashFromBase64(text: string): Uint8Array | null {
  if (text.length !== 44) return null;
  const bytes = fromBase64(text);
  return bytes?.length === 32 ? bytes : null;
}
