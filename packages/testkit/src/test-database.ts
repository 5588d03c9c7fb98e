import { inject } from "vitest";
import { cloneDatabase } from "./test-server.ts";

export interface TestDatabase {
  /** As the owner of the database; pools take on their roles over it. */
  readonly url: string;
  /** The server's superuser, in its `postgres` database. */
  readonly adminUrl: string;
  /** Drops the database, whoever is still connected. For `afterAll`, after the pools have ended. */
  drop(): Promise<void>;
}

/**
 * A real database with all migrations applied, for one test file: takes about 30 ms, and may be called for
 * a single test too. The server is started once a run (`global-setup.ts`).
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject("testServer");
  if ("failure" in server) throw new Error(`The run's PostgreSQL is not there: ${server.failure}`);
  const { url, drop } = await cloneDatabase(server);
  return { url, adminUrl: server.adminUrl, drop };
}
