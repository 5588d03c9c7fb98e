import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Describer } from "@fairtick/postgres";
import { readSources, type SourceFile } from "../walls/import-graph.ts";
import { isTestFile } from "../walls/walls.ts";
import { lineOf, Modules } from "./ast.ts";
import { type Composed, COMPOSED } from "./composed.ts";
import { findStatements, type FoundStatement } from "./find-statements.ts";
import { judgeStatement, type NullClaims } from "./judge-statement.ts";

const SHOWN_LENGTH = 100;

export interface StatementsReport {
  /** Problems with their file, line and statement. */
  readonly problems: readonly string[];
  /** Number of statements that were checked. */
  readonly described: number;
}

/** Reads the sources whose statements are checked. Tests are left out, since they run theirs, but not benchmarks. */
export function readStatementSources(root: string): SourceFile[] {
  return readSources(root).filter(
    ({ path }) => /\.m?ts$/.test(path) && (!isTestFile(path) || path.startsWith("bench/")),
  );
}

/**
 * Compares every statement in the sources with the schema of a migrated database: PostgreSQL must accept it, it must
 * get as many parameters as it has, and its Row type must match what the driver returns.
 */
export async function checkStatements(
  root: string,
  sources: readonly SourceFile[],
  describer: Describer,
  composed: readonly Composed[] = COMPOSED,
): Promise<StatementsReport> {
  const modules = new Modules(root, new Map(sources.map(({ path, text }) => [path, text])));
  const found = findStatements(modules);
  const listed = new Map(composed.map((entry) => [entry, found.filter((statement) => isListed(statement, entry))]));
  const left = new Set([...listed.values()].flat());
  const claims: NullClaims = new Map();
  const problems = describer.catalog.broken.map(
    ({ name, why }) => `${placeOfFunction(root, name)} PostgreSQL refuses what ${name} runs: ${why}`,
  );
  for (const statement of found) {
    if (left.has(statement)) continue;
    const wrong = await judgeStatement(describer, modules, statement, claims);
    if (statement.unreadable !== undefined)
      problems.push(
        tell(
          statement,
          `it cannot be read from the source: ${statement.unreadable}. Write it there, or list it in scripts/statements/composed.ts`,
        ),
      );
    problems.push(...wrong.map((why) => tell(statement, why)));
  }
  for (const { about, statement, mayBeNull } of claims.values())
    if (!mayBeNull) problems.push(tell(statement, `${about}: the column is never null`));
  for (const [{ path, marked, ranBy }, statements] of listed) {
    if (statements.length === 0)
      problems.push(`scripts/statements/composed.ts lists \`${marked}\` of ${path}, which isn't there`);
    if (!existsSync(join(root, ranBy)))
      problems.push(`scripts/statements/composed.ts names ${ranBy}, which isn't there`);
  }
  return { problems, described: found.length - left.size };
}

const MIGRATIONS = "apps/server/migrations";

/** Returns file and line of a function's last definition. */
function placeOfFunction(root: string, name: string): string {
  const definition = new RegExp(`^CREATE (OR REPLACE )?FUNCTION ${name}\\(`, "m");
  for (const file of readdirSync(join(root, MIGRATIONS)).toSorted().reverse()) {
    const text = readFileSync(join(root, MIGRATIONS, file), "utf8");
    const found = definition.exec(text);
    if (found) return `${MIGRATIONS}/${file}:${lineOf(text, found.index)}`;
  }
  return MIGRATIONS;
}

function isListed(statement: FoundStatement, { path, marked }: Composed): boolean {
  return statement.path === path && statement.source.includes(marked);
}

function tell({ path, line, texts, source }: FoundStatement, why: string): string {
  const statement = (texts[0] ?? source).replaceAll(/\s+/g, " ").trim();
  const shown = statement.length > SHOWN_LENGTH ? `${statement.slice(0, SHOWN_LENGTH)}…` : statement;
  return `${path}:${line} ${why}\n    ${shown}`;
}
