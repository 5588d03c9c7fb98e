import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Hashes, toHex } from "@fairtick/domain";
import { BOARD_LINES_MAX, checkPosting, formatBoardLine, hashPosting, parsePosting, readBoardLine } from "../board.ts";
import type { SignerKey } from "../keys.ts";
import type { AcceptanceKeys } from "./acceptance-keys.ts";

export interface WitnessBoard {
  /** Adds a posting. Returns 200 with its line once that is on disk (or already was), or 400 or 403 with the reason. */
  post(body: string): Promise<{ readonly status: 200 | 400 | 403; readonly text: string }>;
  /** Learns acceptance keys from a log's rotations. */
  learn: AcceptanceKeys["learn"];
  /** Returns up to BOARD_LINES_MAX lines, starting with number `from`. */
  lines(from: number): readonly string[];
  close(): Promise<void>;
}

export interface BoardParts {
  readonly hashes: Hashes;
  readonly folder: string;
  /** The witness's own key. */
  readonly key: SignerKey;
  readonly acceptanceKeys: AcceptanceKeys;
  /** ms since 1970 UTC. */
  readonly now: () => bigint;
}

/**
 * Opens the board in a witness's folder. The board only grows. An order has one line, since a seal opens to only one
 * choice. If a crash cut the last line short, it is dropped: no one was told that it was posted.
 */
export async function openWitnessBoard({
  hashes,
  folder,
  key,
  acceptanceKeys,
  now,
}: BoardParts): Promise<WitnessBoard> {
  const file = await open(join(folder, "board.txt"), "a", 0o600);
  const text = await readFile(join(folder, "board.txt"), "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
  const lines = whole.split("\n").slice(0, -1);
  /** Number of each order's line, by `nameOf`. */
  const known = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const told = readBoardLine(line, [key.verifier]);
    if (told?.n !== index) throw new Error(`line ${index + 1} of the board in ${folder} is not this witness's`);
    known.set(nameOf(told.posting), index);
  }

  /** Returns a unique name of the posting's order: its commitment, which is in one batch at one place. */
  function nameOf(posting: Parameters<typeof hashPosting>[1]): string {
    return toHex(hashPosting(hashes, posting).commitment);
  }

  let isBroken = false;
  async function add(body: string, name: string): Promise<string> {
    const before = lines[known.get(name) ?? -1];
    if (before !== undefined) return before;
    // An earlier write failed and may have left half a line, which the next start drops. Nothing may follow it.
    if (isBroken) throw new Error("the board could not be written");
    const line = formatBoardLine(key, lines.length, now(), body);
    isBroken = true;
    await file.appendFile(`${line}\n`);
    await file.datasync();
    isBroken = false;
    known.set(name, lines.length);
    lines.push(line);
    return line;
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    async post(body) {
      const posting = parsePosting(body);
      if (posting === null) return { status: 400, text: "this is no posting" };
      const fault = checkPosting(hashes, acceptanceKeys.all(), posting);
      if (fault !== null) return { status: 403, text: WHY[fault] };
      const mine = last.then(() => add(body, nameOf(posting)));
      last = mine.catch(() => undefined);
      return { status: 200, text: await mine };
    },
    learn: (body) => acceptanceKeys.learn(body),
    lines: (from) => lines.slice(from, from + BOARD_LINES_MAX),
    close: () => file.close(),
  };
}

const WHY = {
  "unknown-key": "no acceptance key that is known here signed it",
  refused: "the order was refused",
  signature: "this opens nothing that was accepted",
} as const;
