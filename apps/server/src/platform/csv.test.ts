import { describe, expect, it } from "vitest";
import { type CsvCell, csvLines } from "./csv.ts";

async function lineOf(...cells: readonly CsvCell[]): Promise<string> {
  const columns = cells.map((_cell, place) => `c${place}`);
  async function* rows() {
    yield Object.fromEntries(cells.map((cell, place) => [`c${place}`, cell]));
  }
  const lines: string[] = [];
  for await (const line of csvLines(columns, rows())) lines.push(line);
  return lines[1] ?? "";
}

describe("a cell of a CSV file", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"],
    ["-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"],
    ["-A1", "'-A1"],
    ["＝1+1", "'＝1+1"],
    ["＠A1", "'＠A1"],
    [" =1+1", "' =1+1"],
    ["\t=1+1", "'\t'=1+1"],
    [";=1+1", '";\'=1+1"'],
    ["+491711234567", "'+491711234567"],
    ['=HYPERLINK("https://x.example","y")', `"'=HYPERLINK(""https://x.example"",""y"")"`],
    // In German or French settings, a spreadsheet starts a new cell at a semicolon.
    ["paid;=1+1", '"paid;\'=1+1"'],
    ["paid; -1+A1", '"paid; \'-1+A1"'],
    ["paid\t=1+1", "paid\t'=1+1"],
    ["paid\n=1+1", '"paid\n\'=1+1"'],
  ])("is not a formula: %j", async (text, written) => {
    expect(await lineOf(text)).toBe(`${written}\r\n`);
  });

  it.each(["100.00", "-100.00", "-1", "0.000001", "a-b", "1+1", "Größe", "入金", "a@example.com"])(
    "stays as it is: %j",
    async (text) => {
      expect(await lineOf(text)).toBe(`${text}\r\n`);
    },
  );

  it("is quoted if it contains separators, and an instant is written in UTC", async () => {
    expect(await lineOf('a "b", c', null, undefined, true, 7)).toBe('"a ""b"", c",,,true,7\r\n');
    const lines: string[] = [];
    async function* rows() {
      yield { time: 1_763_700_000_000, count: 5 };
    }
    for await (const line of csvLines(["time", "count"], rows())) lines.push(line);
    expect(lines).toEqual(["time,count\r\n", "2025-11-21T04:40:00.000Z,5\r\n"]);
  });
});
