import { readFile } from "node:fs/promises";
import { BOARD_LINES_MAX, type BoardReveal, readBoardLine } from "../board.ts";
import type { VerifierKey } from "../keys.ts";
import { isServed } from "./log-source.ts";

const TIMEOUT_MS = 60_000;
const LINES_BYTES_MAX = 4_000_000;

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
  for (;;) {
    const url = `${address}/board/${lines.length}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "error" });
    if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status}`);
    const text = await answer.text();
    if (text.length > LINES_BYTES_MAX) throw new Error(`${url} is too long`);
    const page = text.split("\n").slice(0, -1);
    lines.push(...page);
    if (page.length < BOARD_LINES_MAX) return lines;
  }
}
