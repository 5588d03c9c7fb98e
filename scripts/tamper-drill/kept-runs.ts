import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import type { Result } from "./attack.ts";
import type { SealedResult } from "./sealed/sealed-drill.ts";

/** One step as it went the last time that it was run. */
export interface KeptStep<Of> {
  /** When it began, ISO 8601. */
  readonly at: string;
  /** How busy the machine was then: its load average of a minute. */
  readonly load: number;
  readonly results: readonly Of[];
}

/** The newest run of every step: what docs/tamper-drill.md is made of, so that a single step can be tried again without all others. */
export interface KeptRuns {
  readonly open: Readonly<Record<string, KeptStep<Result>>>;
  readonly sealed: Readonly<Record<string, KeptStep<SealedResult>>>;
}

const NONE: KeptRuns = { open: {}, sealed: {} };

/** Reads what was kept; nothing where there is no such file. */
export function readKeptRuns(file: string): KeptRuns {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as KeptRuns) : NONE;
}

export function writeKeptRuns(file: string, runs: KeptRuns): void {
  writeFileSync(file, `${JSON.stringify(runs, null, 2)}\n`);
}

/** A step of now: `run` is awaited. */
export async function keepStep<Of>(run: () => Promise<readonly Of[]>): Promise<KeptStep<Of>> {
  const [at, load] = [new Date().toISOString(), Math.round((loadavg()[0] ?? 0) * 10) / 10];
  return { at, load, results: await run() };
}
