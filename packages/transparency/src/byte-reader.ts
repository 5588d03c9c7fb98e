/** Thrown if bytes end too early or don't have the expected format. */
export class FormatError extends Error {}

/** Reads big-endian fields one after another; throws FormatError if too few bytes are left. */
export interface ByteReader {
  u8(): number;
  u16(): number;
  u32(): number;
  i32(): number;
  u64(): bigint;
  i64(): bigint;
  take(length: number): Uint8Array;
  /** Returns all remaining bytes without consuming them. */
  rest(): Uint8Array;
  /** Returns the number of remaining bytes. */
  left(): number;
  /** Throws FormatError unless the condition holds. */
  expect(holds: boolean): void;
}

export function createByteReader(bytes: Uint8Array): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;

  function move(length: number): number {
    if (at + length > bytes.length) throw new FormatError("the bytes end too early");
    at += length;
    return at - length;
  }

  return {
    u8: () => view.getUint8(move(1)),
    u16: () => view.getUint16(move(2)),
    u32: () => view.getUint32(move(4)),
    i32: () => view.getInt32(move(4)),
    u64: () => view.getBigUint64(move(8)),
    i64: () => view.getBigInt64(move(8)),
    take(length) {
      const from = move(length);
      return bytes.subarray(from, from + length);
    },
    rest: () => bytes.subarray(at),
    left: () => bytes.length - at,
    expect(holds) {
      if (!holds) throw new FormatError("the bytes are of another format");
    },
  };
}
