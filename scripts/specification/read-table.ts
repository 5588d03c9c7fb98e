/** One statement of the specification, and the tests that verify it. */
export interface Row {
  /** Section and position in it: `4.2`. */
  readonly number: string;
  readonly line: string;
  readonly shownBy: readonly TestReference[];
  readonly notes: string;
}

export interface TestReference {
  /** Path from the project's root. */
  readonly path: string;
  /** The test's title as written, preceded by its groups and followed by a step's. */
  readonly titles: readonly string[];
}

/** Separates the titles of a group, a test and a step. */
const INSIDE = " › ";

/** Reads all rows of the acceptance table. Throws for a row without four cells. */
export function readTable(text: string): Row[] {
  return text
    .split("\n")
    .filter((line) => /^\|\s*[0-9]/.test(line))
    .map((line) => {
      const cells = line.slice(1, line.lastIndexOf("|")).split(/(?<!\\)\|/);
      const [number, statement, shownBy, notes] = cells.map((cell) => cell.replaceAll("\\|", "|").trim());
      if (cells.length !== 4 || number === undefined || statement === undefined || shownBy === undefined)
        throw new Error(`a row has number, line, shown by and notes: ${line}`);
      return { number, line: statement, shownBy: readReferences(shownBy), notes: notes ?? "" };
    });
}

/** Reads the tests of a cell, each in its own code marks. Text without code marks is kept whole as a path. */
function readReferences(cell: string): TestReference[] {
  return cell
    .split("<br>")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => {
      const [, path = "", title = ""] = /^`([^:`]*): (.+)`$/.exec(one) ?? [];
      return path === "" ? { path: one, titles: [] } : { path, titles: title.split(INSIDE) };
    });
}

/** Reads the tests that a line of any text names in code marks. Without a title, a file stands for all its tests. */
export function readNamedTests(line: string): TestReference[] {
  return [...line.matchAll(/`([^`:\s]+\.(?:test|spec)\.tsx?)(?:: ([^`]+))?`/g)].map(([, path = "", title = ""]) => ({
    path,
    titles: title === "" ? [] : title.split(INSIDE),
  }));
}
