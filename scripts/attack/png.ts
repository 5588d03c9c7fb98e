import { crc32, deflateSync } from "node:zlib";

export interface Png {
  /** As the head says. */
  readonly width: number;
  readonly height: number;
  /** Grey, one byte a pixel, each row behind a byte of zero. */
  readonly rows: Buffer;
}

/** Writes a grey PNG, whether its rows keep what its head promises or not. */
export function pngOf({ width, height, rows }: Png): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a pixel; compressed, filtered and ordered in the one usual way.
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
