import { afterAll, beforeAll, describe, expect, it } from "vitest";
import pg from "pg";
import { isConnectionLost, isContention } from "./database-errors.ts";
import { DATABASE_ROLES, openDatabase, sqlState } from "./database.ts";
import { createTestContext, type TestContext } from "./test-context.ts";

let context: TestContext;

beforeAll(async () => {
  context = await createTestContext();
});

afterAll(async () => {
  await context.close();
});

describe("pools", () => {
  it.each(DATABASE_ROLES)("take their own role: %s", async (role) => {
    const rows = await context.databases[role].query("SELECT current_user AS user, session_user AS login");
    expect(rows).toEqual([{ user: `fairtick_${role}`, login: "fairtick" }]);
  });

  it("keep each role to its own work", async () => {
    const refused = await context.databases.market.query("SELECT * FROM orders").catch((error: unknown) => error);
    expect(sqlState(refused)).toBe("42501");
  });

  it("hold no superuser's rights", async () => {
    const rows = await context.databases.reader.query("SELECT rolsuper FROM pg_roles WHERE rolname = session_user");
    expect(rows).toEqual([{ rolsuper: false }]);
  });

  it("limit every wait on the order path", async () => {
    const [row] = await context.databases.orders.query(
      `SELECT current_setting('lock_timeout') AS lock, current_setting('plan_cache_mode') AS plan,
              current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('synchronous_commit') AS commit`,
    );
    expect(row).toMatchObject({ lock: "1s", plan: "force_generic_plan", idle: "2s" });
  });

  it("add their options to those of the address", async () => {
    const url = new URL(context.database.url);
    url.searchParams.set("options", "-c work_mem=7MB");
    const database = openDatabase({ url: url.toString(), role: "reader", max: 1 });
    const rows = await database.query("SELECT current_user AS user, current_setting('work_mem') AS memory");
    await database.end();
    expect(rows).toEqual([{ user: "fairtick_reader", memory: "7MB" }]);
  });

  it("read int8 as bigint, alone and in arrays, and numeric as text", async () => {
    const rows = await context.databases.reader.query(
      "SELECT 9007199254740993::int8 AS one, '{1,NULL,9007199254740993}'::int8[] AS many, '{}'::int8[] AS none, 1.10::numeric AS exact, $1::int8 AS sent, $2::int8[] AS array_sent",
      [9_223_372_036_854_775_807n, [5n, -6n]],
    );
    expect(rows).toEqual([
      {
        one: 9_007_199_254_740_993n,
        many: [1n, null, 9_007_199_254_740_993n],
        none: [],
        exact: "1.10",
        sent: 9_223_372_036_854_775_807n,
        array_sent: [5n, -6n],
      },
    ]);
  });

  it("send statements that aren't awaited in one flush on the order path", async () => {
    const connection = await context.databases.orders.connection();
    const answers = await Promise.all([
      connection.query("BEGIN"),
      connection.query("SELECT 1 AS first"),
      connection.query("SELECT 2 AS second"),
      connection.query("COMMIT"),
    ]);
    connection.release();
    expect(answers).toEqual([[], [{ first: 1 }], [{ second: 2 }], []]);
  });
});

describe("a transaction", () => {
  const outboxKinds = async () => {
    const rows = await context.databases.jobs.query<{ kind: string }>("SELECT kind FROM outbox ORDER BY outbox_id");
    return rows.map((row) => row.kind);
  };

  it("keeps everything when the work is done, nothing when it throws", async () => {
    const insert = (kind: string) => `INSERT INTO outbox (kind, entry) VALUES ('${kind}', '{}')`;
    await context.databases.jobs.transaction((transaction) => transaction.query(insert("kept")));
    const failure = new Error("changed my mind");
    const work = context.databases.jobs.transaction(async (transaction) => {
      await transaction.query(insert("lost"));
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect(await outboxKinds()).toEqual(["kept"]);
  });

  it("throws when its commit turns out to be a rollback", async () => {
    const work = context.databases.jobs.transaction(async (transaction) => {
      await transaction.query("SELECT 1/0").catch(() => undefined);
      return "done";
    });
    await expect(work).rejects.toThrow("rolled back");
  });

  it("gives up a lock after a second on the order path, as contention", async () => {
    const holder = new pg.Client({ connectionString: context.database.url });
    await holder.connect();
    await holder.query("SELECT pg_advisory_lock(42)");
    const refused = await context.databases.orders
      .transaction((transaction) => transaction.query("SELECT pg_advisory_xact_lock(42)"))
      .catch((error: unknown) => error);
    await holder.end();
    expect(sqlState(refused)).toBe("55P03");
    expect(isContention(refused)).toBe(true);
  });
});

it("recovers automatically after its connections were cut, whether idle or in use", async () => {
  const admin = new pg.Client({ connectionString: context.database.adminUrl });
  await admin.connect();
  const name = new URL(context.database.url).pathname.slice(1);
  const cut = () => admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  await context.databases.reader.query("SELECT 1");
  const underWay = context.databases.reader.query("SELECT pg_sleep(20)").catch((error: unknown) => error);
  const interrupted = context.databases.jobs.transaction(async (transaction) => {
    await transaction.query("SELECT 1");
    await cut();
    await transaction.query("SELECT 1");
  });
  expect(isConnectionLost(await interrupted.catch((error: unknown) => error))).toBe(true);
  expect(isConnectionLost(await underWay)).toBe(true);
  expect(await context.databases.reader.query("SELECT 2 AS two")).toEqual([{ two: 2 }]);
  expect(await context.databases.jobs.query("SELECT 3 AS three")).toEqual([{ three: 3 }]);
  await admin.end();
});
