import { checkDatabase } from "@fairtick/postgres";
import { type Pooler, startPgBouncer } from "@fairtick/testkit/pgbouncer";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeDatabases, openDatabases } from "./context.ts";
import { DATABASE_ROLES, openDatabase, sqlState } from "./database.ts";
import { openLane } from "./lane.ts";
import { createTestContext, type TestContext } from "./test-context.ts";

let context: TestContext;
let pooler: Pooler | undefined;

beforeAll(async () => {
  context = await createTestContext();
});
afterEach(async () => {
  await pooler?.stop();
  pooler = undefined;
});
afterAll(() => context.close());

async function through(mode: "session" | "transaction" | "statement", ignored = ["options"], poolSize = 40) {
  pooler = await startPgBouncer({ url: context.database.url, mode, ignored, poolSize });
  return pooler.url;
}

describe("behind PgBouncer in session mode", () => {
  it("every pool has its own role and settings, also in a transaction and in a lane", async () => {
    const databases = openDatabases(await through("session"), context.log);
    for (const role of DATABASE_ROLES) {
      const [row] = await databases[role].query("SELECT current_user AS user");
      expect(row).toEqual({ user: `fairtick_${role}` });
    }
    const refused = await databases.market.query("SELECT * FROM orders").catch((error: unknown) => error);
    expect(sqlState(refused)).toBe("42501");
    const [inside] = await databases.orders.transaction((db) =>
      db.query("SELECT current_user AS user, current_setting('lock_timeout') AS lock"),
    );
    expect(inside).toEqual({ user: "fairtick_orders", lock: "1s" });
    const lane = await openLane(databases.settlement);
    const text = "SELECT current_user::text, current_setting('enable_seqscan')";
    expect(await lane.flush([[{ name: "who", text }]])).toEqual([[["fairtick_settlement", "off"]]]);
    await lane.close();
    await closeDatabases(databases);
  });

  it("a connection that has meanwhile served another role isn't used", async () => {
    const database = openDatabase({ url: await through("session"), role: "reader", max: 1 });
    await database.query("SELECT 1");
    const connection = await database.connection();
    await connection.query("RESET ROLE");
    await connection.query("SET ROLE fairtick_money");
    connection.release();
    await expect(database.query("SELECT 1")).rejects.toThrow(
      "A connection to the database is fairtick_money where it has to be fairtick_reader: it is not used.",
    );
    // That connection is closed. The next one works.
    expect(await database.query("SELECT current_user AS user")).toEqual([{ user: "fairtick_reader" }]);
    await database.end();
  });

  it("the start treats it like any other database", async () => {
    expect(await checkDatabase(await through("session"))).toMatch(/^\d+\.\d+/);
  });

  it("the start refuses it and says what to do if it takes no startup options", async () => {
    await expect(checkDatabase(await through("session", []))).rejects.toThrow(
      /refuses the startup parameter "options"\. Add it to ignore_startup_parameters/,
    );
  });
});

describe.each(["transaction", "statement"] as const)("behind PgBouncer in %s mode", (mode) => {
  it.each([1, 40])("the start refuses, with %i connections behind it, and so does each pool", async (poolSize) => {
    const url = await through(mode, ["options"], poolSize);
    await expect(checkDatabase(url)).rejects.toThrow(/Set pool_mode = session for this database/);
    const database = openDatabase({ url, role: "reader", max: 2 });
    await expect(database.query("SELECT 1")).rejects.toThrow(/pool_mode = session/);
    await expect(openLane(database)).rejects.toThrow(/pool_mode = session/);
    await database.end();
  });
});
