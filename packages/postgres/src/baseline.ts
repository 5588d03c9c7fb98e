import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { PostgresProblem } from "./problem.ts";

/**
 * File in a folder of migrations that says which of them are its baseline, and which older ones the baseline replaces.
 */
const MANIFEST = "baseline.json";
/**
 * Number of an advisory lock, used nowhere else. With it, two simultaneous starts take over an older database one after
 * the other.
 */
const LOCK = 6_270_031;
/** Matches a comment statement as written in the baseline: on lines of its own, with quotes in its text doubled. */
const COMMENT = /^COMMENT ON [A-Z]+ [^']+ IS '(?:[^']|'')*';$/gm;

interface Manifest {
  /** The baseline's last file, without `.sql`. */
  readonly last: string;
  readonly replaces: { readonly last: string; readonly count: number };
}

/**
 * Takes over a database made by the migrations that the baseline of `directory` replaces. If all of them are applied,
 * its schema is already the baseline's. Then the baseline's files are marked as applied and its comments are written,
 * in one transaction. If some are missing, nothing is changed.
 *
 * @throws PostgresProblem if the database stopped at an older migration; it says what to do.
 */
export async function adoptBaseline(url: string, directory: string): Promise<void> {
  const path = join(directory, MANIFEST);
  if (!existsSync(path)) return;
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  const names = readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .sort()
    .filter((name) => name <= manifest.last);
  const client = new pg.Client({ connectionString: url, application_name: "fairtick migrations" });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    if (needsAdoption(await readApplied(client), names, manifest)) {
      await client.query("DELETE FROM migrations");
      await client.query(
        "INSERT INTO migrations (name, run_on) SELECT name, now() FROM unnest($1::text[]) WITH ORDINALITY AS n(name, place) ORDER BY place",
        [names],
      );
      await client.query(names.flatMap((name) => commentsIn(join(directory, `${name}.sql`))).join("\n"));
    }
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

/** Returns the applied migrations in order; none if the database is empty. */
async function readApplied(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('migrations') IS NOT NULL AS found",
  );
  if (found[0]?.found !== true) return [];
  const { rows } = await client.query<{ name: string }>("SELECT name FROM migrations ORDER BY run_on, id");
  return rows.map(({ name }) => name);
}

function needsAdoption(applied: readonly string[], baseline: readonly string[], { replaces }: Manifest): boolean {
  const newest = applied.at(-1);
  // Only the first name distinguishes them, because other files may have the same name before and after.
  if (newest === undefined || applied[0] === baseline[0]) return false;
  if (applied.length === replaces.count && applied.includes(replaces.last)) return true;
  throw new PostgresProblem(
    `The database was made by an earlier version and stopped at its migration ${newest}; this version continues from ${replaces.last}. ` +
      `Start the last version that has ${replaces.last} on this database once, then start this version. ` +
      `If you don't need the data, start with an empty database or another DATA_DIR instead.`,
  );
}

function commentsIn(path: string): readonly string[] {
  return readFileSync(path, "utf8").match(COMMENT) ?? [];
}
