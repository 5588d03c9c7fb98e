import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type Instant, type Points, type Tick, toHex } from "@fairtick/domain";
import type { LogReader } from "@fairtick/transparency";

const compress = promisify(gzip);
const expand = promisify(gunzip);

/**
 * One instrument's day. Each minute is a separate gzip member, so that one can be read alone and `zcat` shows the whole
 * day.
 */
export interface PriceFile {
  readonly hash: Buffer;
  readonly bytes: Buffer;
  readonly ticks: number;
  readonly minutes: readonly number[];
  readonly ends: readonly number[];
}

export interface FileMinute {
  /** The minute's number in the day. */
  readonly minute: number;
  /** Lines `seq,time,price`, joined by newlines. */
  readonly lines: string;
}

/** Makes a file of a day's minutes. The same minutes give the same bytes, and so the same name. */
export async function makePriceFile(minutes: readonly FileMinute[]): Promise<PriceFile> {
  const parts = await Promise.all(minutes.map(({ lines }) => compress(`${lines}\n`, { level: 9 })));
  const ends: number[] = [];
  let length = 0;
  for (const part of parts) {
    length += part.length;
    ends.push(length);
  }
  const bytes = Buffer.concat(parts);
  return {
    hash: sha256(bytes),
    bytes,
    ticks: minutes.reduce((sum, { lines }) => sum + lines.split("\n").length, 0),
    minutes: minutes.map(({ minute }) => minute),
    ends,
  };
}

/** Reads the lines of the minute at this index in the file. */
export async function readLines({ bytes, ends }: Pick<PriceFile, "bytes" | "ends">, place: number): Promise<string> {
  const part = bytes.subarray(place === 0 ? 0 : ends[place - 1], ends[place]);
  return (await expand(part)).toString("utf8").slice(0, -1);
}

/** Returns the path of the file with this hash, below the folder of the log's files. */
export function priceFilePath(hash: Uint8Array): string {
  const name = toHex(hash);
  return `archive/${name.slice(0, 2)}/${name}.gz`;
}

export function parseLines(lines: string): Tick[] {
  return lines.split("\n").map((line) => {
    const [seq = "", time = "", price = ""] = line.split(",");
    return { seq: BigInt(seq), time: BigInt(time) as Instant, price: BigInt(price) as Points };
  });
}

export function sha256(bytes: Uint8Array | string): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** Opens a folder of the log's files for reading. */
export function readFolder(folder: string): LogReader {
  return {
    async read(path) {
      try {
        return await readFile(join(folder, path));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
        throw error;
      }
    },
  };
}
