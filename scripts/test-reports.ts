import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { isObject, listAt, numberAt, textAt } from "./json.ts";
import type { Shown } from "./run-tool.ts";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** The failed tests, each with its file, its title and the beginning of its error. */
  readonly failures?: readonly string[];
  /** Error output, for failures that belong to no test. */
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
    failures: listAt(report, "testResults").flatMap((file) =>
      listAt(file, "assertionResults")
        .filter((test) => textAt(test, "status") === "failed")
        .map((test) =>
          describe(relative(PROJECT, textAt(file, "name")), textAt(test, "fullName"), listAt(test, "failureMessages")),
        ),
    ),
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
      failures: failedJourneys(report),
      files: journeyTimes(report),
    };
  });
}

function failedJourneys(report: unknown): string[] {
  return journeysOf(report)
    .filter(({ test }) => ["unexpected", "flaky"].includes(textAt(test, "status")))
    .map(({ file, title, test }) => {
      const results = listAt(test, "results");
      const errors = results.flatMap((result) => listAt(result, "errors"));
      const failure = describe(
        file,
        `${title} (${textAt(test, "projectName")})`,
        errors.map((error) => textAt(error, "message")),
      );
      return [failure, ...results.flatMap(pageShown)].join("\n");
    });
}

/** How many lines of a page are repeated at the end of a run. */
const PAGE_LINES = 25;

/** Returns what the page held when a journey failed, as Playwright noted it: a list of roles and texts. */
function pageShown(result: unknown): string[] {
  const note = listAt(result, "attachments").find((attachment) => textAt(attachment, "name") === "error-context");
  const path = note === undefined ? "" : textAt(note, "path");
  if (!existsSync(path)) return [];
  const [, page] = /^```yaml\n([^]*?)^```/m.exec(readFileSync(path, "utf8")) ?? [];
  const lines = page?.trimEnd().split("\n").slice(0, PAGE_LINES) ?? [];
  return lines.length === 0 ? [] : ["    The page showed:", ...lines.map((line) => `      ${line}`)];
}

function journeyTimes(report: unknown): Map<string, number> {
  const files = new Map<string, number>();
  for (const { file, test } of journeysOf(report))
    for (const result of listAt(test, "results"))
      files.set(file, (files.get(file) ?? 0) + numberAt(result, "duration"));
  return files;
}

interface Journey {
  readonly file: string;
  readonly title: string;
  readonly test: unknown;
}

function journeysOf(report: unknown): Journey[] {
  const within = (suite: unknown, file: string): Journey[] => [
    ...listAt(suite, "suites").flatMap((inner) => within(inner, file)),
    ...listAt(suite, "specs").flatMap((spec) =>
      listAt(spec, "tests").map((test) => ({ file, title: textAt(spec, "title"), test })),
    ),
  ];
  return listAt(report, "suites").flatMap((suite) => within(suite, join("e2e/src/journeys", textAt(suite, "file"))));
}

/** How many lines of an error are repeated at the end of a run. */
const ERROR_LINES = 12;

function describe(file: string, title: string, errors: readonly unknown[]): string {
  const lines = stripVTControlCharacters(errors.join("\n")).split("\n").slice(0, ERROR_LINES);
  return [`FAILED ${file}: ${title}`, ...lines.map((line) => `    ${line}`)].join("\n");
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
