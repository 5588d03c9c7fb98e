/** One statement of the specification, and the tests that show it. */
export interface Row {
  /** `4.2`: section and place in it. */
  readonly number: string;
  readonly line: string;
  readonly shownBy: readonly TestReference[];
  readonly notes: string;
}

export interface TestReference {
  /** From the project's root. */
  readonly path: string;
  /** The test's title as it is written, the groups around it before it; a step after it. */
  readonly titles: readonly string[];
}

/** Between a group's title and a test's, a test's and a step's. */
const INSIDE = " › ";

/** Reads all rows of the acceptance table. Throws for a row that has not its four cells. */
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

/** Each test stands in code marks of its own; one that does not is kept whole as its path. */
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
