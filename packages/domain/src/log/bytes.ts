// Browsers and Node both provide TextEncoder, but this package includes neither's types, so it is declared here.
declare const TextEncoder: new () => {
  encode(text: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, target: Uint8Array): { readonly read: number; readonly written: number };
};

const encoder = new TextEncoder();

/** Returns the UTF-8 bytes of a text; `\0` in it becomes one zero byte. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes a text's UTF-8 bytes into `target`. Returns how many were written, or null if they don't fit. */
export function utf8Into(text: string, target: Uint8Array): number | null {
  const { read, written } = encoder.encodeInto(text, target);
  return read === text.length ? written : null;
}

/** Copies `count` bytes. For a few dozen bytes a loop is faster than `set` with a view of them. */
export function copyBytes(from: Uint8Array, start: number, count: number, to: Uint8Array, at: number): void {
  for (let index = 0; index < count; index += 1) to[at + index] = from[start + index] ?? 0;
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Writes a number as four bytes, big-endian. Throws if it doesn't fit. */
export function u32(value: number): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) throw new RangeError(`not a u32: ${value}`);
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** Writes a number as eight bytes, big-endian. Throws if it doesn't fit. */
export function u64(value: bigint): Uint8Array {
  if (value < 0n || value >= 1n << 64n) throw new RangeError(`not a u64: ${value}`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

/** Both hexadecimal digits of each byte. Computing them each time took a sixth of a sealed order's commitment. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte] ?? "";
  return text;
}

/** The value of each hexadecimal digit by its character code; -1 for other characters. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) =>
  "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase()),
);

/** Reads pairs of hexadecimal digits, in lower or upper case; null for anything else. */
export function fromHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    const high = DIGITS[text.charCodeAt(index * 2)] ?? -1;
    const low = DIGITS[text.charCodeAt(index * 2 + 1)] ?? -1;
    if (high < 0 || low < 0) return null;
    bytes[index] = high * 16 + low;
  }
  return bytes;
}

export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) {
    if (left[index] !== right[index]) return false;
  }
  return true;
}
