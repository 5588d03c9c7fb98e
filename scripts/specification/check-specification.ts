import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readNamedTests, readTable, type Row, type TestReference } from "./read-table.ts";
import { type TitlePath, titlesOf } from "./test-titles.ts";

const PROJECT = join(import.meta.dirname, "../..");
const TABLE = "docs/specification.md";
/** A page whose text names tests. */
const PAGE = "docs/verification.md";
/** Number of sections of the specification, each of which has rows. */
const SECTIONS = 9;

/** Reads a file that the table refers to, by its path from the project's root; null if it doesn't exist. */
export type ReadText = (path: string) => string | null;

/** Lists the table's problems, one sentence each. An empty list means that every reference is right. */
export function problemsOf(table: string, readText: ReadText): string[] {
  const rows = readTable(table);
  const titlesIn = titleReader(readText);
  return [
    ...numberProblems(rows),
    ...rows.filter(({ line }) => line === "").map(({ number }) => `${number} says nothing`),
    ...rows.filter(({ shownBy }) => shownBy.length === 0).map(({ number }) => `${number} names no test`),
    ...rows.flatMap((row) => row.shownBy.flatMap((one) => referenceProblems(row.number, one, titlesIn))),
    ...rows.flatMap((row) => linkProblems(row, readText)),
  ];
}

/**
 * Lists the problems of a page that names tests anywhere in its text, as `path: title`, or as `path` for all tests of a
 * file. A test file's name without its path counts as missing.
 */
export function pageProblems(page: string, readText: ReadText): string[] {
  const titlesIn = titleReader(readText);
  return page.split("\n").flatMap((line, index) => {
    const place = `line ${index + 1}`;
    return readNamedTests(line).flatMap((one) => {
      if (one.titles.length > 0) return referenceProblems(place, one, titlesIn);
      return titlesIn(one.path) === null ? [`${place}: there is no test file ${one.path}`] : [];
    });
  });
}

/** Returns a function that reads the titles of a test file, each file once. */
function titleReader(readText: ReadText): (path: string) => readonly TitlePath[] | null {
  const titles = new Map<string, readonly TitlePath[] | null>();
  return (path) => {
    if (!titles.has(path)) titles.set(path, readTitles(path, readText));
    return titles.get(path) ?? null;
  };
}

function readTitles(path: string, readText: ReadText): TitlePath[] | null {
  const text = /\.(test|spec)\.tsx?$/.test(path) ? readText(path) : null;
  return text === null ? null : titlesOf(path, text);
}

/** Checks that numbers count up from 1 in each section and that the sections are in order. */
function numberProblems(rows: readonly Row[]): string[] {
  const problems: string[] = [];
  let [section, place] = [1, 0];
  for (const { number } of rows) {
    const next = number === `${section + 1}.1` && place > 0 ? [section + 1, 1] : [section, place + 1];
    const [nextSection = 0, nextPlace = 0] = next;
    if (number !== next.join(".")) problems.push(`${number} stands where ${next.join(".")} is due`);
    const [, ownSection, ownPlace] = /^(\d+)\.(\d+)$/.exec(number) ?? [];
    section = Number(ownSection ?? nextSection);
    place = Number(ownPlace ?? nextPlace);
  }
  if (section !== SECTIONS) problems.push(`the table ends in section ${section}, not in ${SECTIONS}`);
  return problems;
}

function referenceProblems(
  place: string,
  { path, titles }: TestReference,
  titlesIn: (path: string) => readonly TitlePath[] | null,
): string[] {
  if (titles.length === 0) return [`${place}: "${path}" is not written as \`path: title\``];
  const known = titlesIn(path);
  if (known === null) return [`${place}: there is no test file ${path}`];
  const title = titles.join(" › ");
  const matches = known.filter((one) => one.slice(-titles.length).join(" › ") === title);
  if (matches.length === 0) return [`${place}: no test in ${path} is called "${title}"`];
  return matches.length > 1 ? [`${place}: ${matches.length} tests in ${path} are called "${title}"`] : [];
}

/** Checks that links in the notes lead to existing decisions. */
function linkProblems({ number, notes }: Row, readText: ReadText): string[] {
  const links = [...notes.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links
    .filter((link) => readText(join("docs", link)) === null)
    .map((link) => `${number}: the link to ${link} leads nowhere`);
}

/** Reads a file of this project. */
export function readProject(path: string): string | null {
  const file = join(PROJECT, path);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

if (import.meta.main) {
  const problems = [
    ...problemsOf(readProject(TABLE) ?? "", readProject).map((problem) => `${TABLE}: ${problem}`),
    ...pageProblems(readProject(PAGE) ?? "", readProject).map((problem) => `${PAGE}: ${problem}`),
  ];
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
