import pg from "pg";
import { PostgresProblem } from "./problem.ts";

const ROUNDS = 3;
const ANSWER_MS_MAX = 5_000;

/** Returns the id of the server process that currently serves this connection. */
export async function backendOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid ?? 0;
}

/**
 * Returns whether a pooler is in between. PostgreSQL tells each connection the id of its process when it connects,
 * while a pooler sends a number of its own.
 */
export function isPooled(client: pg.ClientBase, backend: number): boolean {
  return "processID" in client && client.processID !== backend;
}

/**
 * Throws a `PostgresProblem` if this connection's pooler lends PostgreSQL's connections for one transaction at a time.
 * A connection's settings, including its role, would then be those of whoever used it before. To find out, a second
 * connection opens a transaction: with such a pooler, it gets the process that the first one just had.
 */
export async function refuseTransactionPooling(
  client: pg.ClientBase,
  options: pg.ClientConfig,
  where: string,
): Promise<void> {
  const other = new pg.Client({ ...options, connectionTimeoutMillis: ANSWER_MS_MAX, query_timeout: ANSWER_MS_MAX });
  other.on("error", () => undefined);
  try {
    await other.connect();
    for (let round = 0; round < ROUNDS; round += 1) {
      const mine = await backendOf(client);
      await other.query("BEGIN");
      const isShared = (await backendOf(other)) === mine || (await backendOf(client)) !== mine;
      await other.query("ROLLBACK");
      if (isShared) throw new PostgresProblem(changingConnections(where));
    }
  } catch (error) {
    if (error instanceof PostgresProblem) throw error;
    // PgBouncer's message when it lends connections for one statement at a time.
    if (error instanceof Error && /statement pooling/.test(error.message))
      throw new PostgresProblem(changingConnections(where));
    // Any other failure proves nothing: a pooler with no connections left doesn't share them either.
  } finally {
    await other.end().catch(() => undefined);
  }
}

function changingConnections(where: string): string {
  return (
    `The pooler at ${where} hands each transaction another connection of PostgreSQL, so that no connection could keep its role. ` +
    `Set pool_mode = session for this database (PgBouncer), or name PostgreSQL itself.`
  );
}
