import { readFile } from "node:fs/promises";
import { BOARD_LINES_MAX, type BoardReveal, readBoardLine } from "../board.ts";
import { fetchBoardPage } from "../board-page.ts";
import type { VerifierKey } from "../keys.ts";
import { isServed } from "./log-source.ts";

const TIMEOUT_MS = 60_000;
/** A board gets a line only for a reveal that the house did not acknowledge. One with more lines than this never ends. */
const PAGES_MAX = 500;

export interface ReadBoard {
  readonly reveals: readonly BoardReveal[];
  /** Summary of what was read, printed in the report. */
  readonly line: string;
}

/**
 * Reads a whole board from a witness's address or from a file with its lines. Ignores lines that no pinned witness key
 * signed. Throws if the board can't be read.
 */
export async function readBoard(location: string, witnessKeys: readonly VerifierKey[]): Promise<ReadBoard> {
  const lines = isServed(location)
    ? await readLines(location.replace(/\/+$/, ""))
    : (await readFile(location, "utf8")).split("\n").filter((line) => line !== "");
  const reveals = lines.flatMap((line) => readBoardLine(line, witnessKeys) ?? []);
  const strange = lines.length - reveals.length;
  const more = strange > 0 ? `; ${strange} lines that no pinned witness signed count for nothing` : "";
  return { reveals, line: `board ${location}: ${reveals.length} reveals${more}` };
}

async function readLines(address: string): Promise<string[]> {
  const lines: string[] = [];
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await fetchBoardPage(address, lines.length, TIMEOUT_MS);
    if (page === null) throw new Error(`the witness at ${address} keeps no board`);
    lines.push(...page);
    if (page.length < BOARD_LINES_MAX) return lines;
  }
  throw new Error(`the board at ${address} does not end after ${lines.length} lines`);
}
