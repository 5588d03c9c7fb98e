import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { discardServer, migrate, startPostgres } from "@fairtick/postgres";
import pg from "pg";

const MIGRATIONS = resolve(import.meta.dirname, "../../../apps/server/migrations");
const TEMPLATE = "fairtick_template";
const PREFIX = "fairtick-test-";

/** Where tests reach the run's server; plain data, so that it can be handed to test workers. */
export interface TestServerAddress {
  /** Its owner's connection; the database in it is not for use. */
  readonly url: string;
  /** For what only a superuser may do (ending others' connections, statistics). */
  readonly adminUrl: string;
}

export interface TestServer extends TestServerAddress {
  stop(): Promise<void>;
}

/**
 * A PostgreSQL of its own in the system's temporary folder, with all migrations applied once to a template.
 * It runs without fsync: a test database need not outlive a power cut. (What a test kills is a process of
 * ours, which loses nothing by that.) Servers of test runs that were killed are cleared away first.
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
      // A folder that is only just being made bears no owner's mark yet.
      if (Date.now() - statSync(path).mtimeMs > SETTLED_MS) await discardServer(path);
    } catch {
      // Another user's, or just cleared by another run.
    }
  }
}

let made = 0;

/** A copy of the template under a name that nobody else has. */
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

/** FORCE ends the connections of tests; a vacuum that runs just then is the superuser's, and is waited for. */
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
