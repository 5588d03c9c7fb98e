import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readPlaywrightReport, readVitestReport, slowestFiles } from "./test-reports.ts";

const folder = mkdtempSync(join(tmpdir(), "fairtick-reports-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROJECT = resolve(import.meta.dirname, "..");
const unit = (more: object = {}) => ({
  numPassedTests: 5,
  numFailedTests: 0,
  testResults: [
    { name: join(PROJECT, "packages/a.test.ts"), startTime: 1_000, endTime: 3_500 },
    { name: join(PROJECT, "scripts/b.test.ts"), startTime: 1_000, endTime: 91_000 },
  ],
  ...more,
});
const took = (...durations: number[]) => ({ tests: [{ results: durations.map((duration) => ({ duration })) }] });
const JOURNEYS = {
  stats: { expected: 3, unexpected: 1, flaky: 1 },
  suites: [{ file: "console/c.spec.ts", specs: [took(4_000)], suites: [{ specs: [took(30_000, 10_000)] }] }],
};

/** Returns a fake run that writes a report and ends with a code. */
const run =
  (path: string, report: object | null, code = 0) =>
  () => {
    if (report !== null) writeFileSync(path, JSON.stringify(report));
    return Promise.resolve({ code, complaints: "" });
  };

it("adds up passed and failed tests, and lists the slowest files first", async () => {
  const path = join(folder, "unit.json");
  const one = await readVitestReport(path, run(path, unit()));
  expect(one).toMatchObject({ passed: 5, failed: 0 });
  const other = await readPlaywrightReport(path, run(path, JOURNEYS, 1));
  expect(other).toMatchObject({ passed: 3, failed: 2 });
  expect(slowestFiles([one, other], 2)).toEqual([
    "   90 s  scripts/b.test.ts",
    "   44 s  e2e/src/journeys/console/c.spec.ts",
  ]);
});

it("names each failed test with the beginning of its error", async () => {
  const path = join(folder, "failed.json");
  const assertionResults = [
    { status: "passed", fullName: "adds", failureMessages: [] },
    { status: "failed", fullName: "subtracts", failureMessages: ["Error: 1 is not 2\n    at sums"] },
  ];
  const units = unit({ numFailedTests: 1, testResults: [{ name: join(PROJECT, "a.test.ts"), assertionResults }] });
  expect((await readVitestReport(path, run(path, units, 1))).failures).toEqual([
    "FAILED a.test.ts: subtracts\n    Error: 1 is not 2\n        at sums",
  ]);
  const tests = [
    { status: "expected", projectName: "phone", results: [{ errors: [] }] },
    { status: "unexpected", projectName: "desktop", results: [{ errors: [{ message: "Error: no button" }] }] },
  ];
  const specs = [{ title: "buys", tests }];
  const journeys = { stats: { expected: 1, unexpected: 1 }, suites: [{ file: "c.spec.ts", suites: [{ specs }] }] };
  expect((await readPlaywrightReport(path, run(path, journeys, 1))).failures).toEqual([
    "FAILED e2e/src/journeys/c.spec.ts: buys (desktop)\n    Error: no button",
  ]);
});

it("repeats what the page showed when a journey failed", async () => {
  const path = join(folder, "page.json");
  const note = join(folder, "error-context.md");
  writeFileSync(
    note,
    `# Details\n\n\`\`\`\nno button\n\`\`\`\n\n\`\`\`yaml\n- main:\n${"  - text: row\n".repeat(99)}\`\`\`\n`,
  );
  const failed = (attachments: object[]) => ({
    status: "unexpected",
    projectName: "phone",
    results: [{ errors: [{ message: "no button" }], attachments }],
  });
  const attachments = [{ name: "screenshot", path: "shot.png" }];
  const specs = [
    { title: "buys", tests: [failed([...attachments, { name: "error-context", path: note }])] },
    { title: "sells", tests: [failed([...attachments, { name: "error-context", path: join(folder, "none.md") }])] },
  ];
  const journeys = { stats: { expected: 1, unexpected: 2 }, suites: [{ file: "c.spec.ts", specs }] };
  const { failures = [] } = await readPlaywrightReport(path, run(path, journeys, 1));
  expect(failures[0]?.split("\n").slice(2, 5)).toEqual([
    "    The page showed:",
    "      - main:",
    "        - text: row",
  ]);
  expect(failures[0]?.split("\n")).toHaveLength(28);
  expect(failures[1]).toMatch(/no button$/);
});

it("counts a run that fails or writes no report as a failure", async () => {
  const path = join(folder, "bad.json");
  expect(await readVitestReport(path, run(path, unit(), 1))).toMatchObject({ passed: 5, failed: 1 });
  expect(await readVitestReport(path, run(path, null))).toMatchObject({ passed: 0, failed: 1 });
  expect(await readVitestReport(path, run(path, unit({ numPassedTests: 0 })))).toMatchObject({ failed: 1 });
});
