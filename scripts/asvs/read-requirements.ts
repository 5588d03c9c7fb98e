/** A requirement is `met` unless its last cell begins with one of the other three. */
export type Standing = "met" | "partly met" | "not met" | "does not apply";

/** One requirement of the Application Security Verification Standard, and how this project meets it. */
export interface Requirement {
  /** Chapter, section and position in it: `6.2.1`. */
  readonly number: string;
  /** Rows of level 3 are marked; the others are level 1 or 2. */
  readonly isLevel3: boolean;
  readonly text: string;
  readonly metBy: readonly Reference[];
  readonly standing: Standing;
  /** What is missing, or why the requirement doesn't apply. */
  readonly gap: string;
}

/** A file, or one test in it. */
export interface Reference {
  /** Path from the project's root. */
  readonly path: string;
  /** A test's title, preceded by its groups; empty for the file as a whole. */
  readonly titles: readonly string[];
}

/** Separates a group's title from a test's. */
const INSIDE = " › ";

const STANDINGS: readonly (readonly [RegExp, Standing])[] = [
  [/^Partly: ./, "partly met"],
  [/^Not met: ./, "not met"],
  [/^Does not apply: ./, "does not apply"],
];

/** Reads all rows of the table. Throws for a row without four cells or without a number of its own. */
export function readRequirements(text: string): Requirement[] {
  return text
    .split("\n")
    .filter((line) => /^\|\s*[0-9]+\.[0-9]/.test(line))
    .map((line) => {
      const cells = line.slice(1, line.lastIndexOf("|")).split(/(?<!\\)\|/);
      const [place = "", requirement = "", metBy = "", gap = ""] = cells.map((cell) => cell.trim());
      const [, number, level] = /^(\d+\.\d+\.\d+)( L3)?$/.exec(place) ?? [];
      if (cells.length !== 4 || number === undefined)
        throw new Error(`a row has number, requirement, how it is met and gap: ${line}`);
      return {
        number,
        isLevel3: level !== undefined,
        text: requirement,
        metBy: readReferences(metBy),
        standing: STANDINGS.find(([mark]) => mark.test(gap))?.[1] ?? "met",
        gap,
      };
    });
}

/** Reads the references of a cell, each of which has its own code marks. */
function readReferences(cell: string): Reference[] {
  return cell
    .split("<br>")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => {
      const [, path = one, title] = /^`([^`:]+)(?:: (.+))?`$/.exec(one) ?? [];
      return { path, titles: title?.split(INSIDE) ?? [] };
    });
}

/** Reads the counts at the top: `| partly met | 12 |`. */
export function readCounts(text: string): ReadonlyMap<string, number> {
  return new Map(
    [...text.matchAll(/^\| (met|partly met|not met|does not apply) \| (\d+) \|$/gm)].map(([, name = "", count]) => [
      name,
      Number(count),
    ]),
  );
}

/** Reads the numbers that the list of gaps names, in its own section. */
export function readGapNumbers(text: string): readonly string[] {
  const [, list = ""] = /^## Gaps[^\n]*\n([\s\S]*?)^## /m.exec(text) ?? [];
  return [...list.matchAll(/\b\d+\.\d+\.\d+\b/g)].map(([number]) => number);
}
