import { createTestDatabase, type TestDatabase } from "@fairtick/testkit";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/**
 * These tests ask PostgreSQL who may do what. The matrix of role, table and verb is kept in `apps/server/privileges.txt` and
 * compared with the database, so that an unneeded grant shows up in a review.
 */
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const ROLES = "SELECT oid, rolname FROM pg_roles WHERE rolname LIKE 'fairtick\\_%'";
/** Reads tables and views. Partitions are left out, since their parent has the rights. */
const TABLES = `SELECT c.oid, c.relname FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition`;

/** Makes lines `role  table  verbs`. A verb names its columns if it doesn't apply to all of them. */
async function tableLines(): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    SELECT concat_ws('  ', r.rolname, t.relname, string_agg(v.verb || coalesce('(' || v.columns || ')', ''), ' ' ORDER BY v.place)) AS line
    FROM (${ROLES}) r CROSS JOIN (${TABLES}) t CROSS JOIN LATERAL (
      SELECT verb, place, CASE WHEN NOT has_table_privilege(r.oid, t.oid, verb) THEN (
        SELECT string_agg(a.attname, ', ' ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(r.oid, t.oid, a.attnum, verb)) END AS columns,
        has_table_privilege(r.oid, t.oid, verb) AS whole
      FROM (VALUES ('SELECT', 1), ('INSERT', 2), ('UPDATE', 3)) AS u(verb, place)
      UNION ALL
      SELECT verb, place, NULL, has_table_privilege(r.oid, t.oid, verb) FROM (VALUES ('DELETE', 4), ('TRUNCATE', 5)) AS u(verb, place)
    ) v
    WHERE v.whole OR v.columns IS NOT NULL
    GROUP BY r.rolname, t.relname ORDER BY r.rolname, t.relname`);
  return rows.map(({ line }) => line);
}

/** Makes lines `role  function  EXECUTE` for functions that run with their owner's rights. */
async function functionLines(): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    SELECT concat_ws('  ', r.rolname, p.proname || '()', 'EXECUTE') AS line
    FROM (${ROLES}) r CROSS JOIN pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef AND p.prorettype <> 'trigger'::regtype
      AND has_function_privilege(r.oid, p.oid, 'EXECUTE')
    ORDER BY r.rolname, p.proname`);
  return rows.map(({ line }) => line);
}

it("is what privileges.txt says, role by role", async () => {
  const matrix = [...(await tableLines()), ...(await functionLines())].sort().join("\n");
  await expect(`${matrix}\n`).toMatchFileSnapshot("../../privileges.txt");
});

describe("the role that writes prices", () => {
  it("reads nothing of members, their orders and their money", async () => {
    const lines = (await tableLines()).filter((line) => line.startsWith("fairtick_market  "));
    const tables = lines.map((line) => line.split("  ")[1]);
    expect(tables).toContain("ticks");
    for (const table of [
      "members",
      "members_money",
      "orders",
      "open_orders",
      "open_groups",
      "settlements",
      "transfers",
      "postings",
      "sessions",
    ]) {
      expect(tables).not.toContain(table);
    }
  });
});

describe("the market's part of the public log", () => {
  const asMarket = async <T>(work: () => Promise<T>): Promise<T> => {
    await client.query("BEGIN; SET LOCAL ROLE fairtick_market");
    try {
      return await work();
    } finally {
      await client.query("ROLLBACK");
    }
  };

  it.each(["params", "params.pyth", "epoch.commit", "epoch.open", "epoch.reveal", "ticks", "heads"])(
    "takes %s",
    async (kind) => {
      const { rowCount } = await asMarket(() =>
        client.query("INSERT INTO outbox (kind, entry) VALUES ($1, '{}')", [kind]),
      );
      expect(rowCount).toBe(1);
    },
  );

  it.each(["orders.accept", "orders.settle", "config", "policy", "card", "key.rotate", "liabilities"])(
    "refuses %s",
    async (kind) => {
      const wrong = asMarket(() => client.query("INSERT INTO outbox (kind, entry) VALUES ($1, '{}')", [kind]));
      await expect(wrong).rejects.toMatchObject({ code: "42501" });
    },
  );

  it("takes incidents about prices and sources, but none about other parts", async () => {
    const tell = (part: string) =>
      asMarket(() =>
        client.query("INSERT INTO outbox (kind, entry) VALUES ('incident', $1)", [JSON.stringify({ part })]),
      );
    for (const part of ["prices", "source"]) expect((await tell(part)).rowCount).toBe(1);
    for (const part of ["house", "log", "settlement"])
      await expect(tell(part)).rejects.toMatchObject({ code: "42501" });
  });

  it("takes a key that signs slots, but none that signs the log", async () => {
    const rotate = (role: string) =>
      asMarket(() =>
        client.query("INSERT INTO outbox (kind, entry) VALUES ('key.rotate', $1)", [JSON.stringify({ role })]),
      );
    expect((await rotate("acceptance")).rowCount).toBe(1);
    await expect(rotate("log")).rejects.toMatchObject({ code: "42501" });
  });

  it("shows the market no entries of other parts", async () => {
    await client.query("INSERT INTO outbox (kind, entry) VALUES ('orders.settle', '{}'), ('params.pyth', '{}')");
    const { rows } = await asMarket(() => client.query("SELECT DISTINCT kind FROM outbox"));
    expect(rows).toEqual([{ kind: "params.pyth" }]);
  });
});

describe("tables that are written once", () => {
  it("are closed to change for every role, by grants and by triggers that no replica's mode switches off", async () => {
    const { rows } = await client.query<{ relname: string; always: boolean }>(`
      SELECT t.relname, bool_and(g.tgenabled = 'A') AS always FROM (${TABLES}) t JOIN pg_trigger g ON g.tgrelid = t.oid
      WHERE g.tgname IN ('refuse_row_change', 'refuse_truncate') GROUP BY t.relname HAVING count(*) = 2 ORDER BY t.relname`);
    const names = rows.map(({ relname }) => relname);
    expect(names).toEqual(
      expect.arrayContaining(["orders", "settlements", "transfers", "postings", "ticks", "outbox", "audit_trail"]),
    );
    expect(rows.filter(({ always }) => !always)).toEqual([]);
    const open = (await tableLines()).filter((line) => {
      const [, table, verbs] = line.split("  ");
      return names.includes(table ?? "") && /UPDATE|DELETE|TRUNCATE/.test(verbs ?? "");
    });
    expect(open).toEqual([]);
  });
});
