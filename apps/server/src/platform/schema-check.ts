import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Queryable } from "./database.ts";

const SERVER = resolve(import.meta.dirname, "../..");
const VERBS: ReadonlySet<string> = new Set(["SELECT", "INSERT", "UPDATE", "DELETE"]);
/** The most differences that one cause names. */
const NAMED = 3;

interface Right {
  readonly role: string;
  readonly table: string;
  readonly verb: string;
}

/** Returns why this process can't work with the database's schema; undefined if it can. */
export type SchemaCheck = (database: Queryable) => Promise<string | undefined>;

/**
 * Creates a check that compares the database with what this program expects: the applied migrations, the tables and rights of
 * privileges.txt, and the columns as they were at the first check.
 */
export function createSchemaCheck(): SchemaCheck {
  const expected = readdirSync(join(SERVER, "migrations"))
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length));
  const rights = readFileSync(join(SERVER, "privileges.txt"), "utf8").split("\n").flatMap(parseRights);
  const tables = [...new Set(rights.map(({ table }) => table))];
  let columns: ReadonlyMap<string, string> | undefined;

  return async (database) => {
    const unlike = differenceOf(expected, await readMigrations(database));
    if (unlike !== undefined) return unlike;
    const refused = await readRefused(database, rights);
    if (refused.length > 0) return refused.join("; ");
    const now = await readColumns(database, tables);
    columns ??= now;
    const changed = tables.filter((table) => columns?.get(table) !== now.get(table));
    if (changed.length > 0) return `the columns of ${nameSome(changed)} changed while this process ran`;
    return undefined;
  };
}

/** Parses a line such as `fairtick_orders  orders  SELECT INSERT UPDATE(state)`. Lines of functions and sequences give nothing. */
function parseRights(line: string): Right[] {
  const [role = "", table = "", ...rest] = line.trim().split(/ {2,}/);
  if (rest.length === 0 || table.includes("(")) return [];
  const verbs = rest.join(" ").replaceAll(/\([^)]*\)/g, "");
  return verbs
    .split(" ")
    .filter((verb) => VERBS.has(verb))
    .map((verb) => ({ role, table, verb }));
}

function differenceOf(expected: readonly string[], applied: readonly string[]): string | undefined {
  const missing = expected.filter((name) => !applied.includes(name));
  if (missing.length > 0)
    return `the database lacks the migration ${nameSome(missing)}: start the product with npm start once`;
  const unknown = applied.filter((name) => !expected.includes(name));
  if (unknown.length === 0) return undefined;
  return `the database is newer than this program (migration ${nameSome(unknown)}): start the newer program`;
}

async function readMigrations(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string }>("SELECT name FROM migrations");
  return rows.map(({ name }) => name);
}

async function readRefused(database: Queryable, rights: readonly Right[]): Promise<string[]> {
  const rows = await database.query<Right & { missing: boolean }>(
    `SELECT w.role, w."table", w.verb, to_regclass(w."table") IS NULL AS missing
     FROM unnest($1::text[], $2::text[], $3::text[]) AS w(role, "table", verb)
     WHERE CASE
       WHEN to_regclass(w."table") IS NULL THEN true
       WHEN w.verb = 'DELETE' THEN NOT has_table_privilege(w.role, to_regclass(w."table"), w.verb)
       ELSE NOT has_any_column_privilege(w.role, to_regclass(w."table"), w.verb)
     END`,
    [rights.map(({ role }) => role), rights.map(({ table }) => table), rights.map(({ verb }) => verb)],
  );
  const gone = new Set(rows.filter(({ missing }) => missing).map(({ table }) => table));
  if (gone.size > 0) return [`the database has no table ${nameSome([...gone])}`];
  return rows.slice(0, NAMED).map(({ role, table, verb }) => `the role ${role} may not ${verb} in ${table}`);
}

async function readColumns(database: Queryable, tables: readonly string[]): Promise<Map<string, string>> {
  const rows = await database.query<{ table: string; columns: string }>(
    `SELECT t.name AS "table", string_agg(a.attname || ' ' || a.atttypid, ', ' ORDER BY a.attname) AS columns
     FROM unnest($1::text[]) AS t(name)
     JOIN pg_attribute a ON a.attrelid = to_regclass(t.name) AND a.attnum > 0 AND NOT a.attisdropped
     GROUP BY t.name`,
    [tables],
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

function nameSome(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
