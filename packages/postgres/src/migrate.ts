import { runner } from "node-pg-migrate";
import { adoptBaseline } from "./baseline.ts";
import { codeOf, messageOf, PostgresProblem } from "./problem.ts";

const SILENT = { debug: noop, info: noop, warn: noop, error: noop };

function noop(): void {
  // Prints nothing, because the caller reports the names that are returned.
}

/**
 * Applies the numbered SQL files of `directory` that the database hasn't seen, all in one transaction, forward only.
 * Simultaneous starts wait for each other. A database made by the migrations that the baseline replaced is taken over
 * first. Returns the names of the applied files.
 *
 * @throws PostgresProblem if the user may not make the changes, or if the database is too old to be taken over.
 */
export async function migrate(url: string, directory: string): Promise<string[]> {
  try {
    await adoptBaseline(url, directory);
    const applied = await runner({
      databaseUrl: { connectionString: url, application_name: "fairtick migrations" },
      dir: directory,
      direction: "up",
      migrationsTable: "migrations",
      advisoryLockMode: "wait",
      ignorePattern: "(?!.*\\.sql$).*",
      logger: SILENT,
    });
    return applied.map((migration) => migration.name);
  } catch (error) {
    if (codeOf(error) === "42501") {
      throw new PostgresProblem(
        `The database refuses a migration: ${messageOf(error)}. Run them as the owner of the database, with CREATEROLE.`,
      );
    }
    throw error;
  }
}
