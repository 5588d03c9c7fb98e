import { createTestDatabase, type TestDatabase } from "@fairtick/testkit";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalOfFault } from "./faults.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const refusal = (fault: unknown) => refusalOfFault(fault, "order/place", pino({ level: "silent" }));

/** Returns the error of a new connection that executes a statement. */
async function errorOf(statement: string): Promise<unknown> {
  const other = new pg.Client({ connectionString: database.url });
  try {
    await other.connect();
    await other.query(statement);
  } catch (error) {
    return error;
  } finally {
    await other.end().catch(() => undefined);
  }
  throw new Error("there was no error");
}

it("says NOT_NOW of a database that takes no connections, and SERVER_ERROR of a statement that is wrong", async () => {
  // Both are 55000 to PostgreSQL: a sequence that was never used has no current value.
  const wrong = await errorOf("CREATE TEMP SEQUENCE unused; SELECT currval('unused')");
  expect(wrong).toMatchObject({ code: "55000" });
  expect(refusal(wrong)).toMatchObject({ error: "SERVER_ERROR" });
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} ALLOW_CONNECTIONS false`);
  await admin.end();
  const closed = await errorOf("SELECT 1");
  expect(closed).toMatchObject({ code: "55000" });
  expect(refusal(closed)).toEqual({ error: "NOT_NOW" });
});
