import { describe, expect, it } from "vitest";
import { readProject } from "../specification/check-specification.ts";
import { problemsOf } from "./check-requirements.ts";

const TABLE = "docs/asvs.md";
const table = readProject(TABLE) ?? "";

const FIRST = /^\| 1\.1\.1 \|.*$/m;

/** Returns the problems of the page after one replacement in it. */
function problemsWith(what: RegExp | string, by: string): string[] {
  const changed = table.replace(what, by);
  expect(changed).not.toBe(table);
  return problemsOf(changed, readProject);
}

it("every requirement names files and tests that exist, and the counts are right", () => {
  expect(problemsOf(table, readProject)).toEqual([]);
});

describe("the check of the requirements", () => {
  it.each([
    ["a file that is missing", "| 1.1.1 | A. | `apps/gone.ts` | |", "1.1.1: there is no file apps/gone.ts"],
    [
      "a test file that is missing",
      "| 1.1.1 | A. | `apps/gone.test.ts: a title` | |",
      "1.1.1: there is no file apps/gone.test.ts",
    ],
    [
      "a title that the file does not have",
      "| 1.1.1 | A. | `scripts/asvs/asvs.test.ts: no such title` | |",
      '1.1.1: no test in scripts/asvs/asvs.test.ts is called "no such title"',
    ],
    [
      "a title in another group",
      "| 1.1.1 | A. | `scripts/asvs/asvs.test.ts: another group › refuses %s` | |",
      '1.1.1: no test in scripts/asvs/asvs.test.ts is called "another group › refuses %s"',
    ],
    [
      "a title of a file without tests",
      "| 1.1.1 | A. | `docs/asvs.md: a title` | |",
      "1.1.1: docs/asvs.md holds no tests",
    ],
    ["words in the place of a file", "| 1.1.1 | A. | by hand | |", "1.1.1: there is no file by hand"],
    ["a requirement that is met by nothing", "| 1.1.1 | A. | | |", "1.1.1 is met and names no file"],
    ["a gap in words of its own", "| 1.1.1 | A. | `docs/asvs.md` | partly |", '1.1.1: "partly" names no gap'],
    ["a gap that the list does not name", "| 1.1.1 | A. | `docs/asvs.md` | Partly: B. |", "the gaps do not name 1.1.1"],
    ["a row that was left out", "", "252 rows are of levels 1 and 2, not 253"],
    ["a row that stands twice", "| 1.1.2 | A. | `docs/asvs.md` | |", "1.1.2 stands behind 1.1.2"],
  ])("refuses %s", (_, row, problem) => {
    expect(problemsWith(FIRST, row)).toContain(problem);
  });

  it("refuses a missing row of level 3", () => {
    expect(problemsWith(/^\| 1\.2\.10 L3 .*\n/m, "")).toContain("91 rows are of level 3, not 92");
  });

  it("refuses a wrong count", () => {
    expect(problemsWith(/^\| met \| \d+ \|$/m, "| met | 1 |")).toContainEqual(
      expect.stringMatching(/^\d+ rows are met, not 1$/),
    );
  });

  it("refuses a gap in the list that the table does not have", () => {
    expect(problemsWith("(6.3.3,", "(1.1.1, 6.3.3,")).toEqual(["the gaps name 1.1.1, which has none"]);
  });

  it("refuses a row without its four cells", () => {
    expect(() => problemsWith(FIRST, "| 1.1.1 | A. | `docs/asvs.md` |")).toThrow("a row has number");
  });
});
