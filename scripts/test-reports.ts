import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isObject, listAt, numberAt, textAt } from "./json.ts";
import type { Shown } from "./run-tool.ts";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Error output about failed tests. */
  readonly complaints?: string;
  /** Duration of each test file in ms. Files run in parallel, so the sum exceeds the run's duration. */
  readonly files?: ReadonlyMap<string, number>;
}

const PROJECT = join(import.meta.dirname, "..");

/** Runs vitest and counts its tests. */
export function readVitestReport(path: string, run: () => Promise<Shown>): Promise<Tally> {
  return tally(path, run, (report) => ({
    passed: numberAt(report, "numPassedTests"),
    failed: numberAt(report, "numFailedTests"),
    files: new Map(
      listAt(report, "testResults").map((file) => [
        relative(PROJECT, textAt(file, "name")),
        numberAt(file, "endTime") - numberAt(file, "startTime"),
      ]),
    ),
  }));
}

/** Runs Playwright and counts its tests; a test that only passed on a retry counts as failed. */
export function readPlaywrightReport(path: string, run: () => Promise<Shown>): Promise<Tally> {
  return tally(path, run, (report) => {
    const stats = isObject(report) ? report["stats"] : undefined;
    return {
      passed: numberAt(stats, "expected"),
      failed: numberAt(stats, "unexpected") + numberAt(stats, "flaky"),
      files: journeyTimes(report),
    };
  });
}

function journeyTimes(report: unknown): Map<string, number> {
  const files = new Map<string, number>();
  const add = (suite: unknown, file: string) => {
    for (const inner of listAt(suite, "suites")) add(inner, file);
    for (const spec of listAt(suite, "specs"))
      for (const test of listAt(spec, "tests"))
        for (const result of listAt(test, "results"))
          files.set(file, (files.get(file) ?? 0) + numberAt(result, "duration"));
  };
  for (const suite of listAt(report, "suites")) add(suite, join("e2e/src/journeys", textAt(suite, "file")));
  return files;
}

/** Lists the slowest files of all tallies, slowest first. */
export function slowestFiles(tallies: readonly Tally[], count: number): string[] {
  return tallies
    .flatMap(({ files }) => [...(files ?? [])])
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([file, ms]) => `${(ms / 1_000).toFixed(0).padStart(5)} s  ${file}`);
}

/**
 * Counts a suite that fails without a failed test (a file that doesn't load, an error between tests, no report) as one
 * failure, so that no failure is lost in the total.
 */
async function tally(path: string, run: () => Promise<Shown>, count: (report: unknown) => Tally): Promise<Tally> {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  const { code, complaints } = await run();
  const counted = existsSync(path) ? count(JSON.parse(readFileSync(path, "utf8"))) : { passed: 0, failed: 0 };
  const { passed, failed } = counted;
  return { ...counted, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed, complaints };
}
