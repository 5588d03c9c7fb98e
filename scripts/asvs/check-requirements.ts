import { type TitlePath, titlesOf } from "../specification/test-titles.ts";
import { readCounts, readGapNumbers, readRequirements, type Reference, type Requirement } from "./read-requirements.ts";

/** Number of requirements of levels 1 and 2 in version 5.0.0 of the standard. */
const LEVELS_1_AND_2 = 253;
const LEVEL_3 = 92;

/** Reads a file by its path from the project's root; null if it doesn't exist. */
export type ReadText = (path: string) => string | null;

/** Lists the table's problems, one sentence each. An empty list means that every reference and count is right. */
export function problemsOf(table: string, readText: ReadText): string[] {
  const rows = readRequirements(table);
  return [
    ...orderProblems(rows),
    ...rows.flatMap((row) => rowProblems(row, readText)),
    ...countProblems(table, rows),
    ...gapProblems(table, rows),
  ];
}

function orderProblems(rows: readonly Requirement[]): string[] {
  const problems = rows.flatMap(({ number }, index) => {
    const before = rows[index - 1]?.number;
    return before === undefined || placeOf(before) < placeOf(number) ? [] : [`${number} stands behind ${before}`];
  });
  const listed = rows.filter(({ isLevel3 }) => !isLevel3).length;
  if (listed !== LEVELS_1_AND_2) problems.push(`${listed} rows are of levels 1 and 2, not ${LEVELS_1_AND_2}`);
  if (rows.length - listed !== LEVEL_3) problems.push(`${rows.length - listed} rows are of level 3, not ${LEVEL_3}`);
  return problems;
}

function placeOf(number: string): number {
  return number.split(".").reduce((sum, part) => sum * 100 + Number(part), 0);
}

function rowProblems({ number, text, metBy, standing, gap }: Requirement, readText: ReadText): string[] {
  const problems = metBy.flatMap((one) => referenceProblem(one, readText)).map((problem) => `${number}: ${problem}`);
  if (text === "") problems.push(`${number} says nothing`);
  if (metBy.length === 0 && (standing === "met" || standing === "partly met"))
    problems.push(`${number} is ${standing} and names no file`);
  if (standing === "met" && /^(?:part|not|does)/i.test(gap)) problems.push(`${number}: "${gap}" names no gap`);
  return problems;
}

/** Titles by the file's text, because one file is evidence for many requirements. */
const read = new Map<string, readonly TitlePath[]>();

function titlesIn(path: string, text: string): readonly TitlePath[] {
  const titles = read.get(text) ?? titlesOf(path, text);
  read.set(text, titles);
  return titles;
}

function referenceProblem({ path, titles }: Reference, readText: ReadText): string[] {
  const text = readText(path);
  if (text === null) return [`there is no file ${path}`];
  if (titles.length === 0) return [];
  const title = titles.join(" › ");
  if (!/\.(?:test|spec)\.tsx?$/.test(path)) return [`${path} holds no tests`];
  const matches = titlesIn(path, text).filter((one) => one.slice(-titles.length).join(" › ") === title);
  if (matches.length === 0) return [`no test in ${path} is called "${title}"`];
  return matches.length > 1 ? [`${matches.length} tests in ${path} are called "${title}"`] : [];
}

function countProblems(table: string, rows: readonly Requirement[]): string[] {
  const counts = readCounts(table);
  return (["met", "partly met", "not met", "does not apply"] as const).flatMap((standing) => {
    const actual = rows.filter((row) => row.standing === standing).length;
    return counts.get(standing) === actual ? [] : [`${actual} rows are ${standing}, not ${counts.get(standing)}`];
  });
}

/** Checks that the list at the top names exactly the gaps of the table. */
function gapProblems(table: string, rows: readonly Requirement[]): string[] {
  const named = readGapNumbers(table);
  const gaps = rows.filter(({ standing }) => standing === "partly met" || standing === "not met");
  const numbers = new Set(gaps.map(({ number }) => number));
  return [
    ...[...numbers].filter((number) => !named.includes(number)).map((number) => `the gaps do not name ${number}`),
    ...named.filter((number) => !numbers.has(number)).map((number) => `the gaps name ${number}, which has none`),
  ];
}
