import { concatBytes } from "@fairtick/domain";

/** Length of the longest entry: lengths are written in two bytes (c2sp.org/tlog-tiles). */
export const ENTRY_BYTES_MAX = 65_535;

/** Encodes entries as u16 length || entry, one after another. Throws RangeError if an entry is too long. */
export function encodeEntryBundle(entries: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const entry of entries) {
    if (entry.length > ENTRY_BYTES_MAX) throw new RangeError(`an entry of ${entry.length} bytes`);
    parts.push(Uint8Array.of(entry.length >>> 8, entry.length & 0xff), entry);
  }
  return concatBytes(...parts);
}

/** Decodes entries; null unless the bytes are exactly `count` of them. */
export function decodeEntryBundle(bytes: Uint8Array, count: number): Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const [high, low] = [bytes[offset], bytes[offset + 1]];
    if (high === undefined || low === undefined) return null;
    const end = offset + 2 + high * 256 + low;
    if (end > bytes.length) return null;
    entries.push(bytes.subarray(offset + 2, end));
    offset = end;
  }
  return entries.length === count ? entries : null;
}
