import { crc32, deflateSync } from "node:zlib";

export interface Png {
  /** As written in the header. */
  readonly width: number;
  readonly height: number;
  /** One grey byte per pixel; each row begins with a zero byte. */
  readonly rows: Buffer;
}

/** Writes a grey PNG, whether or not its rows match its header. */
export function pngOf({ width, height, rows }: Png): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits per pixel, with the standard compression, filtering and order.
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
