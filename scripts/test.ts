import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findChromium } from "./chromium.ts";
import { runChecks } from "./checks.ts";
import { showTool } from "./run-tool.ts";
import { readPlaywrightReport, readVitestReport, slowestFiles, type Tally } from "./test-reports.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const ARTIFACTS = join(PROJECT, "artifacts");

/** Runs checks, unit tests and browser journeys; the last line totals them. */
const { values } = parseArgs({ options: { only: { type: "string" } } });
const { only } = values;
if (only !== undefined && only !== "unit" && only !== "browser") {
  console.error("--only takes unit or browser");
  process.exit(2);
}

const tallies: Tally[] = [];
if (only === undefined) tallies.push(await check());
if (only !== "browser") tallies.push(await unit());
if (only !== "unit") tallies.push(await browser());

const slowest = slowestFiles(tallies, 10);
if (slowest.length > 0) console.log(["The slowest files:", ...slowest].join("\n"));
// Repeated at the end, where readers of a long log look first.
for (const { failed, failures = [], complaints = "" } of tallies) {
  if (failed > failures.length) console.log(complaints);
  for (const failure of failures) console.log(failure);
}
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
// A run without any tests proves nothing.
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

async function check(): Promise<Tally> {
  const results = await runChecks();
  for (const { name, ok, output } of results) {
    console.log(`${ok ? "ok    " : "FAILED"} ${name}`);
    if (!ok) console.log(output.trim());
  }
  const bad = results.filter(({ ok }) => !ok);
  const complaints = bad.map(({ name, output }) => `FAILED ${name}\n${output.trim()}`).join("\n");
  return { passed: results.length - bad.length, failed: bad.length, complaints };
}

async function unit(): Promise<Tally> {
  const report = join(ARTIFACTS, "unit.json");
  const vitest = join(PROJECT, "node_modules/vitest/vitest.mjs");
  return readVitestReport(report, () =>
    showTool(vitest, ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]),
  );
}

async function browser(): Promise<Tally> {
  const chromium = findChromium();
  if (!chromium.ok) {
    console.error(chromium.sentence);
    return { passed: 0, failed: 1 };
  }
  const report = join(ARTIFACTS, "browser.json");
  const playwright = join(PROJECT, "node_modules/@playwright/test/cli.js");
  return readPlaywrightReport(report, () =>
    showTool(playwright, ["test", "--config", "e2e/playwright.config.ts", "--reporter=list,json"], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    }),
  );
}
