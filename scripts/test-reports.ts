import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { isObject, numberAt } from "./json.ts";
import type { Shown } from "./run-tool.ts";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** What was said of those that failed. */
  readonly complaints?: string;
}

/** Runs vitest and counts its tests. */
export function readVitestReport(path: string, run: () => Promise<Shown>): Promise<Tally> {
  return tally(path, run, (report) => ({
    passed: numberAt(report, "numPassedTests"),
    failed: numberAt(report, "numFailedTests"),
  }));
}

/** Runs Playwright and counts its tests; one that only passed when repeated counts as failed. */
export function readPlaywrightReport(path: string, run: () => Promise<Shown>): Promise<Tally> {
  return tally(path, run, (report) => {
    const stats = isObject(report) ? report["stats"] : undefined;
    return {
      passed: numberAt(stats, "expected"),
      failed: numberAt(stats, "unexpected") + numberAt(stats, "flaky"),
    };
  });
}

/**
 * A suite that fails without naming a test (a file that does not load, a fault between tests, no report at
 * all) counts as one failure, so that no fault is lost in the sum.
 */
async function tally(path: string, run: () => Promise<Shown>, count: (report: unknown) => Tally): Promise<Tally> {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  const { code, complaints } = await run();
  const { passed, failed } = existsSync(path)
    ? count(JSON.parse(readFileSync(path, "utf8")))
    : { passed: 0, failed: 0 };
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed, complaints };
}
