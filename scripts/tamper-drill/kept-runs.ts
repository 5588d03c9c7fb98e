import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import type { Result } from "./attack.ts";
import type { SealedResult } from "./sealed/sealed-drill.ts";

/** The latest run of one step. */
export interface KeptStep<Of> {
  /** When it began, ISO 8601. */
  readonly at: string;
  /** The machine's load average over one minute at that time. */
  readonly load: number;
  readonly results: readonly Of[];
}

/** The latest run of every step. docs/tamper-drill.md is made from it, so that a single step can be run again. */
export interface KeptRuns {
  readonly open: Readonly<Record<string, KeptStep<Result>>>;
  readonly sealed: Readonly<Record<string, KeptStep<SealedResult>>>;
}

const NONE: KeptRuns = { open: {}, sealed: {} };

/** Reads the kept runs; returns none if there is no such file. */
export function readKeptRuns(file: string): KeptRuns {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as KeptRuns) : NONE;
}

export function writeKeptRuns(file: string, runs: KeptRuns): void {
  writeFileSync(file, `${JSON.stringify(runs, null, 2)}\n`);
}

/** Runs a step now and records its time and the machine's load. */
export async function keepStep<Of>(run: () => Promise<readonly Of[]>): Promise<KeptStep<Of>> {
  const [at, load] = [new Date().toISOString(), Math.round((loadavg()[0] ?? 0) * 10) / 10];
  return { at, load, results: await run() };
}
