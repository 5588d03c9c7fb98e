import { runner } from "node-pg-migrate";
import { codeOf, messageOf, PostgresProblem } from "./problem.ts";

const SILENT = { debug: noop, info: noop, warn: noop, error: noop };

function noop(): void {
  // The names of what ran are returned; whoever calls says them.
}

/**
 * Applies the numbered SQL files of `directory` that the database has not seen, all in one transaction,
 * forward only. Several starts at once wait for each other. Answers the names of what was applied.
 */
export async function migrate(url: string, directory: string): Promise<string[]> {
  try {
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
