import { join, resolve } from "node:path";
import {
  checkDatabase,
  findPrimary,
  hostAddresses,
  migrate,
  type PostgresOptions,
  type RunningPostgres,
  startPostgres,
} from "@fairtick/postgres";
import type { Config } from "@fairtick/server";
import { type Keeping, keepRunning, type KeptPart, NOT_OURS, type Run } from "./keep-running.ts";

const MIGRATIONS = resolve(import.meta.dirname, "../apps/server/migrations");
const POSTGRES_FOLDER = "postgres";
/** What is left of the ten seconds for shutting down once everyone who uses the database is gone. */
const STOP_MS_MAX = 2_500;

export interface StartedDatabase {
  readonly url: string;
  readonly where: string;
  readonly part: KeptPart;
}

/** Opens the database that DATABASE_URL names, or else the embedded one, and applies all migrations. */
export async function openDatabase(config: Config, { ending, say }: Keeping): Promise<StartedDatabase> {
  if (process.env["DATABASE_URL"]) {
    const primary = await findPrimary(config.databaseUrl);
    const version = await checkDatabase(primary);
    await migrate(primary, MIGRATIONS);
    const { host, pathname } = new URL(primary);
    const others = hostAddresses(config.databaseUrl).length - 1;
    const among = others > 0 ? `, the primary of ${others + 1} hosts` : "";
    return { url: config.databaseUrl, where: `PostgreSQL ${version} at ${host}${pathname}${among}`, part: NOT_OURS };
  }
  const port = config.databasePort;
  const options: PostgresOptions = { folder: join(config.dataDir, POSTGRES_FOLDER), say };
  const server = await startPostgres({ ...options, ...(port > 0 && { port }) });
  try {
    const version = await checkDatabase(server.url);
    await migrate(server.url, MIGRATIONS);
    return {
      url: server.url,
      where: `PostgreSQL ${version} at 127.0.0.1:${server.port}, data in ${server.folder}`,
      part: keepRunning({
        name: "PostgreSQL",
        first: runOfServer(server),
        // Restart at the port that its clients know.
        begin: async () => runOfServer(await startPostgres({ ...options, port: server.port })),
        ending,
        say,
      }),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Wraps an embedded server as a run. */
export function runOfServer(server: RunningPostgres): Run {
  return {
    pid: server.pid,
    ready: Promise.resolve(),
    ended: server.ended.then(({ code, signal }) => signal ?? `code ${code}`),
    stop: () => server.stop(STOP_MS_MAX),
  };
}
