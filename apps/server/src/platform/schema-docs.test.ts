import { resolve } from "node:path";
import { describeSchema, drawSchema, findUncommented } from "@fairtick/postgres";
import { createTestDatabase, type TestDatabase } from "@fairtick/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";

/**
 * These tests keep the database's documentation complete: comments in the catalog, `docs/schema.sql` and `docs/database.md`.
 * After a migration, `vitest run apps/server/src/platform/schema-docs.test.ts -u` writes both files again.
 */
const MIGRATIONS = resolve(import.meta.dirname, "../../migrations");

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

/** Runs `sql`, then `work`, and rolls both back. */
async function after<T>(sql: string, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN");
  try {
    await client.query(sql);
    return await work();
  } finally {
    await client.query("ROLLBACK");
  }
}

it("every table, view and column has a comment", async () => {
  expect(await findUncommented(client)).toEqual([]);
});

it("a table, a view and a column without a comment are named", async () => {
  const planted = `CREATE TABLE planted (id bigint, empty text);
    COMMENT ON COLUMN planted.id IS 'Number'; COMMENT ON COLUMN planted.empty IS ' ';
    CREATE VIEW planted_view AS SELECT id FROM planted; ALTER TABLE orders ADD COLUMN forgotten text`;
  expect(await after(planted, () => findUncommented(client))).toEqual([
    "orders.forgotten",
    "planted",
    "planted.empty",
    "planted_view",
    "planted_view.id",
  ]);
});

const SCHEMA_HEADER = `-- The database's schema after all migrations, read from PostgreSQL's catalog. Written by
-- apps/server/src/platform/schema-docs.test.ts (vitest run … -u); docs/database.md has the tables by theme.

`;

it("docs/schema.sql is the schema after all migrations", async () => {
  const schema = await describeSchema(client);
  await expect(SCHEMA_HEADER + schema).toMatchFileSnapshot("../../../../docs/schema.sql");
});

it.each([
  ["a column", "ALTER TABLE orders ADD COLUMN planted text"],
  ["a default", "ALTER TABLE members ALTER language SET DEFAULT 'fr'"],
  ["a constraint", "ALTER TABLE orders ADD CONSTRAINT planted CHECK (stake > 0)"],
  ["an index", "CREATE INDEX planted ON orders (stake)"],
  ["a disabled trigger", "ALTER TABLE orders DISABLE TRIGGER refuse_row_change"],
  ["a grant", "GRANT DELETE ON orders TO fairtick_reader"],
  ["a grant on a column", "GRANT UPDATE (stake) ON orders TO fairtick_reader"],
  ["a grant on a function", "GRANT EXECUTE ON FUNCTION apply_transfer TO fairtick_reader"],
  ["a policy", "CREATE POLICY planted ON outbox FOR SELECT USING (false)"],
  ["a comment", "COMMENT ON COLUMN orders.stake IS 'Planted'"],
  ["a view", "CREATE OR REPLACE VIEW receiving_cards_now AS SELECT * FROM receiving_cards"],
  ["a sequence", "CREATE SEQUENCE planted"],
  ["a type", "ALTER TYPE outcome ADD VALUE 'planted'"],
])("the description differs after a change of %s", async (_, change) => {
  const before = await describeSchema(client);
  expect(await after(change, () => describeSchema(client))).not.toBe(before);
});

it("the description with bodies differs after a change within a function", async () => {
  const before = await describeSchema(client, { bodies: true });
  const change = "CREATE OR REPLACE FUNCTION epoch_ms() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'";
  expect(await after(change, () => describeSchema(client, { bodies: true }))).not.toBe(before);
});

const DRAWING_HEADER = `# The database

Tables by theme, a section for each file of the baseline that makes tables: what each table holds, and where its foreign
keys lead. [schema.sql](schema.sql) has every column with its comment, constraints, indexes, triggers and privileges.
Functions are in the [migrations](../apps/server/migrations); each file that has a state machine begins with its transitions.
[0022-one-baseline.md](decisions/0022-one-baseline.md) says how the baseline came about.

All amounts are micro-USD, prices are points, instants are milliseconds since 1970 UTC unless a column's comment says
otherwise. This file and schema.sql are written by \`vitest run apps/server/src/platform/schema-docs.test.ts -u\`, which
also checks that every table and column has a comment.

`;

it("docs/database.md draws the tables by theme", async () => {
  const drawing = await drawSchema(client, MIGRATIONS);
  await expect(DRAWING_HEADER + drawing).toMatchFileSnapshot("../../../../docs/database.md");
});

it("the drawing shows each table once, and new foreign keys", async () => {
  const drawing = await drawSchema(client, MIGRATIONS);
  const listed = Array.from(drawing.matchAll(/^- `(\w+)`/gm), ([, name = ""]) => name).toSorted();
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> 'migrations' ORDER BY relname COLLATE "C"`,
  );
  expect(listed).toEqual(rows.map(({ name }) => name));
  const planted = "ALTER TABLE ticks ADD COLUMN planted bigint REFERENCES operators";
  expect(await after(planted, () => drawSchema(client, MIGRATIONS))).toContain('  ticks }o--|| operators : ""');
});
