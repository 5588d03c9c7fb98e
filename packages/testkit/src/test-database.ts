import { inject } from "vitest";
import { cloneDatabase } from "./test-server.ts";

export interface TestDatabase {
  /** The address as the database's owner; pools use it and take on their roles. */
  readonly url: string;
  /** The server's superuser, in its `postgres` database. */
  readonly adminUrl: string;
  /** Drops the database, whoever is still connected. For `afterAll`, after the pools have ended. */
  drop(): Promise<void>;
}

/**
 * Makes a real database with all migrations applied, for one test file. It takes about 30 ms, so a single test may have
 * one too. The server is started once for each run (`global-setup.ts`).
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject("testServer");
  if ("failure" in server) throw new Error(`The run's PostgreSQL is not there: ${server.failure}`);
  const { url, drop } = await cloneDatabase(server);
  return { url, adminUrl: server.adminUrl, drop };
}
