import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";

interface Table {
  readonly name: string;
  readonly comment: string;
  /** Names of the tables to which its foreign keys refer, each once. */
  readonly refers: readonly string[];
}

/**
 * Returns every table, view and column of the schema `public` without a comment, as `table` or `table.column`. The
 * migration tool's own table is left out.
 */
export async function findUncommented(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT c.relname || coalesce('.' || attname, '') AS name
    FROM pg_class c JOIN (
      SELECT oid AS relation, 0 AS place, NULL::name AS attname FROM pg_class
      UNION ALL SELECT attrelid, attnum, attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped) p ON p.relation = c.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition AND relname <> 'migrations'
      AND coalesce(btrim(CASE place WHEN 0 THEN obj_description(c.oid, 'pg_class') ELSE col_description(c.oid, place) END), '') = ''
    ORDER BY c.relname, place`);
  return rows.map(({ name }) => name);
}

/**
 * Draws the tables of a database as Markdown, with a section for each file of `directory` that creates tables: what
 * each table holds, and a Mermaid diagram of the foreign keys. Tables of other sections are included if a key refers to
 * them.
 */
export async function drawSchema(client: pg.Client, directory: string): Promise<string> {
  // A table that a later file recreates is listed where it was first created.
  const left = new Map((await readTables(client)).map((table) => [table.name, table]));
  const sections = readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const names = Array.from(
        readFileSync(join(directory, file), "utf8").matchAll(/^CREATE TABLE (\w+)/gm),
        ([, name]) => name,
      );
      const made = names.map((name) => left.get(name ?? "")).filter((table) => table !== undefined);
      for (const { name } of made) left.delete(name);
      return drawSection(file, made);
    });
  return sections.filter((section) => section !== "").join("\n");
}

async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname AS name, coalesce(obj_description(c.oid, 'pg_class'), '') AS comment,
      ARRAY(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f' ORDER BY 1) AS refers
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`);
  return rows;
}

function drawSection(file: string, tables: readonly Table[]): string {
  if (tables.length === 0) return "";
  const title = file.slice(5, -".sql".length).replaceAll("_", " ");
  const lines = [
    `## ${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    "",
    `[${file}](../apps/server/migrations/${file})`,
    "",
  ];
  for (const { name, comment } of tables) lines.push(`- \`${name}\`: ${comment}`);
  lines.push("", "```mermaid", "erDiagram");
  for (const { name, refers } of tables) {
    if (refers.length === 0) lines.push(`  ${name}`);
    for (const other of refers) lines.push(`  ${name} }o--|| ${other} : ""`);
  }
  return [...lines, "```", ""].join("\n");
}
