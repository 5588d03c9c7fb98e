import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { discardServer, migrate, startPostgres } from "@fairtick/postgres";
import pg from "pg";

const MIGRATIONS = resolve(import.meta.dirname, "../../../apps/server/migrations");
const TEMPLATE = "fairtick_template";
const PREFIX = "fairtick-test-";

/** Addresses of the run's server, as plain data that can be passed to test workers. */
export interface TestServerAddress {
  /** Address for the databases' owner. The database that it names must not be used. */
  readonly url: string;
  /** Address for tasks that need a superuser (ending others' connections, statistics). */
  readonly adminUrl: string;
}

export interface TestServer extends TestServerAddress {
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL in the system's temporary folder, with all migrations applied once to a template. It runs without
 * fsync, because a test database doesn't have to survive a power cut; nothing is lost if a test kills one of our
 * processes. Servers left behind by killed test runs are removed first.
 */
export async function startTestServer(): Promise<TestServer> {
  await clearAbandoned();
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "128MB" };
  const server = await startPostgres({ folder, settings }).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await asOwner(server, `CREATE DATABASE ${TEMPLATE}`);
    await migrate(databaseUrl(server.url, TEMPLATE), MIGRATIONS);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: server.url, adminUrl: server.adminUrl, stop };
}

const SETTLED_MS = 60_000;

async function clearAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(tmpdir(), name);
    try {
      // A folder that has just been created has no owner's mark yet.
      if (Date.now() - statSync(path).mtimeMs > SETTLED_MS) await discardServer(path);
    } catch {
      // It belongs to another user, or another run is removing it.
    }
  }
}

let made = 0;

/** Creates a copy of the template under a unique name. */
export async function cloneDatabase(server: TestServerAddress): Promise<{ url: string; drop: () => Promise<void> }> {
  made += 1;
  const name = `test_${process.pid}_${made}_${Date.now().toString(36)}`;
  await asOwner(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  return {
    url: databaseUrl(server.url, name),
    drop: () => dropDatabase(server, name),
  };
}

const TERMINATION_REFUSED = "42501";
const DROP_TRIES = 50;

/** Drops a database. FORCE ends tests' connections but not the superuser's, so a running vacuum must be waited for. */
async function dropDatabase(server: TestServerAddress, name: string): Promise<void> {
  for (let left = DROP_TRIES; ; left -= 1) {
    try {
      await asOwner(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      const refused = error instanceof pg.DatabaseError && error.code === TERMINATION_REFUSED;
      if (!refused || left === 0) throw error;
      await sleep(100);
    }
  }
}

function databaseUrl(url: string, database: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${database}`;
  return parsed.toString();
}

async function asOwner(server: TestServerAddress, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
