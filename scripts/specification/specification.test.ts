import { describe, expect, it } from "vitest";
import { pageProblems, problemsOf, readProject } from "./check-specification.ts";
import { readTable } from "./read-table.ts";
import { titlesOf } from "./test-titles.ts";

const ROWS = [
  "| 1.1 | Members log in. | `a.test.ts: a login › works by mail` | |",
  "| 1.2 | They log out. | `a.test.ts: a login`<br>`b.spec.ts: logs out ${code}` | See [why](decisions/0001-why.md) |",
  ...Array.from({ length: 8 }, (_, index) => `| ${index + 2}.1 | More. | \`b.spec.ts: each %s › by hand\` | |`),
];
const HEAD = ["| number | line | shown by | notes |", "|---|---|---|---|"];

const FILES: Readonly<Record<string, string>> = {
  "a.test.ts": `describe("a login", () => { it("works by mail", () => {}); it.skip("works by post", () => {}); });
    it("is said twice", () => {}); it("is said twice", () => {});`,
  "b.spec.ts": `for (const code of CODES) test(\`logs out \${code}\`, async () => {});
    test.describe.each<string>([])("each %s", () => { test.step("by hand", async () => {}); });`,
  "c.ts": `it("is no test file", () => {});`,
  "docs/decisions/0001-why.md": "Why.",
};

/** Returns the problems of the table after one row, given by its number, was replaced or, if null, removed. */
function problemsWith(number: string, row: string | null): string[] {
  const rows = ROWS.flatMap((one) => (one.startsWith(`| ${number} `) ? (row ?? []) : one));
  return problemsOf([...HEAD, ...rows].join("\n"), (path) => FILES[path] ?? null);
}

describe("the check of the acceptance table", () => {
  it("finds nothing wrong if every reference is right", () => {
    expect(problemsWith("0.0", null)).toEqual([]);
  });

  it.each([
    ["a file that is missing", "| 1.1 | A. | `gone.test.ts: works by mail` | |", "there is no test file gone.test.ts"],
    ["a file that holds no tests", "| 1.1 | A. | `c.ts: is no test file` | |", "there is no test file c.ts"],
    ["a title that the file has not", "| 1.1 | A. | `a.test.ts: works by fax` | |", 'is called "works by fax"'],
    ["a title in another group", "| 1.1 | A. | `a.test.ts: a logout › works by mail` | |", "a logout › works by mail"],
    ["a skipped test", "| 1.1 | A. | `a.test.ts: works by post` | |", 'is called "works by post"'],
    ["a title that two tests bear", "| 1.1 | A. | `a.test.ts: is said twice` | |", "2 tests in a.test.ts"],
    ["the second of two tests", "| 1.1 | A. | `a.test.ts: a login`<br>`a.test.ts: none` | |", 'is called "none"'],
    ["no test at all", "| 1.1 | A. | | |", "names no test"],
    ["words in the place of a test", "| 1.1 | A. | by hand | |", "is not written as `path: title`"],
    ["no statement", "| 1.1 | | `a.test.ts: a login` | |", "1.1 says nothing"],
    [
      "a decision that is not there",
      "| 1.1 | A. | `a.test.ts: a login` | [x](decisions/0009-no.md) |",
      "leads nowhere",
    ],
  ])("refuses %s", (_, row, problem) => {
    expect(problemsWith("1.1", row)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ["a number that comes twice", "1.2", "| 1.1 | A. | `a.test.ts: a login` | |", "1.1 stands where 1.2 is due"],
    ["a number that is missing", "1.1", null, "1.2 stands where 1.1 is due"],
    ["a gap between numbers", "1.2", "| 1.4 | A. | `a.test.ts: a login` | |", "1.4 stands where 1.2 is due"],
    ["a section that is missing", "4.1", null, "5.1 stands where 3.2 is due"],
    ["a last section that is missing", "9.1", null, "the table ends in section 8, not in 9"],
  ])("refuses %s", (_, number, row, problem) => {
    expect(problemsWith(number, row)).toContain(problem);
  });

  it("refuses a row without four cells", () => {
    expect(() => problemsWith("1.1", "| 1.1 | A. | `a.test.ts: a login` |")).toThrow("a row has number");
  });

  it("reads the titles of tests, groups and steps as they are written", () => {
    expect(titlesOf("b.spec.ts", FILES["b.spec.ts"] ?? "")).toEqual([
      ["logs out ${code}"],
      ["each %s"],
      ["each %s", "by hand"],
    ]);
  });

  it("reads a line that contains the cell separator", () => {
    expect(readTable("| 1.1 | One \\| two | `a.test.ts: a \\| b` | |")).toEqual([
      { number: "1.1", line: "One | two", shownBy: [{ path: "a.test.ts", titles: ["a | b"] }], notes: "" },
    ]);
  });
});

it("every line of the specification names tests that exist", () => {
  expect(problemsOf(readProject("docs/specification.md") ?? "", readProject)).toEqual([]);
});

describe("the check of tests that a page names in its text", () => {
  const problemsOfPage = (page: string) => pageProblems(page, (path) => FILES[path] ?? null);

  it("accepts tests by their titles, and files as a whole", () => {
    expect(problemsOfPage("See `a.test.ts: a login › works by mail`.\n\n| x | `b.spec.ts`<br>`c.ts` |")).toEqual([]);
  });

  it.each([
    [
      "a title that the file doesn't have",
      "a\n`a.test.ts: works by fax`",
      'line 2: no test in a.test.ts is called "works by fax"',
    ],
    ["a skipped test", "`a.test.ts: works by post`", 'line 1: no test in a.test.ts is called "works by post"'],
    ["a file that is missing", "`gone.test.ts`", "line 1: there is no test file gone.test.ts"],
    ["the second of two", "`b.spec.ts` and `b.spec.ts: no`", 'line 1: no test in b.spec.ts is called "no"'],
  ])("refuses %s", (_, page, problem) => {
    expect(problemsOfPage(page)).toEqual([problem]);
  });

  it("finds every test that the page on verification names", () => {
    expect(pageProblems(readProject("docs/verification.md") ?? "", readProject)).toEqual([]);
  });
});
