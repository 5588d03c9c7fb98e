import { copyBytes } from "@fairtick/domain";

/** PostgreSQL's binary form of a one-dimensional array is a header, then each element preceded by its length (-1 for null). */
const HEADER_BYTES = 20;
const BYTEA_OID = 17;
const INT8_OID = 20;
const INT4_OID = 23;
const TEXT_OID = 25;
const UUID_OID = 2950;
const UUID_BYTES = 16;

/**
 * Encodes a parameter of type bigint[]. The binary form is used because on the order path, writing and parsing decimal digits
 * would cost more than everything else that is done with the numbers.
 */
export function int8Array(values: readonly (bigint | null)[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + values.length * 12);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = HEADER_BYTES;
  for (const value of values) {
    if (value === null) {
      view.setInt32(end, -1);
      end += 4;
      continue;
    }
    view.setInt32(end, 8);
    view.setBigInt64(end + 4, value);
    end += 12;
  }
  writeHeader(view, INT8_OID, values.length);
  return bytes.subarray(0, end);
}

/** Encodes a parameter of type integer[]. */
export function int4Array(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + values.length * 8);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = HEADER_BYTES;
  for (const value of values) {
    view.setInt32(end, 4);
    view.setInt32(end + 4, value);
    end += 8;
  }
  writeHeader(view, INT4_OID, values.length);
  return bytes;
}

/** Encodes a parameter of type uuid[] from UUIDs in their usual form of 36 characters. Throws RangeError for other texts. */
export function uuidArray(values: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + values.length * (4 + UUID_BYTES));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // Decode all of them in one native call: a call for each would cost more than copying its sixteen bytes.
  const all = Buffer.from(values.join("").replaceAll("-", ""), "hex");
  if (all.length !== values.length * UUID_BYTES) throw new RangeError("not all of these are UUIDs");
  let end = HEADER_BYTES;
  for (let start = 0; start < all.length; start += UUID_BYTES) {
    view.setInt32(end, UUID_BYTES);
    copyBytes(all, start, UUID_BYTES, bytes, end + 4);
    end += 4 + UUID_BYTES;
  }
  writeHeader(view, UUID_OID, values.length);
  return bytes;
}

/** Encodes a parameter of type text[]. The texts may contain anything except U+0000. */
export function textArray(values: readonly string[]): Buffer {
  return arrayOfBytes(
    TEXT_OID,
    values.map((value) => Buffer.from(value)),
  );
}

/** Encodes a parameter of type bytea[]. */
export function byteaArray(values: readonly (Buffer | null)[]): Buffer {
  return arrayOfBytes(BYTEA_OID, values);
}

function arrayOfBytes(elementType: number, values: readonly (Buffer | null)[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), 0));
  let end = HEADER_BYTES;
  for (const value of values) {
    bytes.writeInt32BE(value?.length ?? -1, end);
    end += 4 + (value?.copy(bytes, end + 4) ?? 0);
  }
  writeHeader(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), elementType, values.length);
  return bytes;
}

function writeHeader(view: DataView, elementType: number, length: number): void {
  view.setInt32(0, 1);
  // The flag for nulls stays 0: PostgreSQL ignores it and finds nulls by their length of -1.
  view.setInt32(4, 0);
  view.setInt32(8, elementType);
  view.setInt32(12, length);
  view.setInt32(16, 1);
}
