import { inject } from "vitest";
import { cloneDatabase } from "./test-server.ts";

export interface TestDatabase {
  /** Address for the database's owner. Pools use it and switch to their roles. */
  readonly url: string;
  /** Address for the server's superuser, in the `postgres` database. */
  readonly adminUrl: string;
  /** Drops the database, even if someone is still connected. Call it in `afterAll`, after the pools have ended. */
  drop(): Promise<void>;
}

/**
 * Creates a real database with all migrations applied, for one test file. It takes about 30 ms, so a single test can
 * have its own. The server is started once per run (`global-setup.ts`).
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject("testServer");
  if ("failure" in server) throw new Error(`The test run's PostgreSQL isn't running: ${server.failure}`);
  const { url, drop } = await cloneDatabase(server);
  return { url, adminUrl: server.adminUrl, drop };
}
