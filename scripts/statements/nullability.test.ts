import { type Describer, openDescriber, StatementRefusal } from "@fairtick/postgres";
import { type Database, openDatabase } from "@fairtick/server/platform/database";
import { createTestDatabase, type TestDatabase } from "@fairtick/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let database: TestDatabase;
let owner: Database;
let describer: Describer;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = openDatabase({ url: database.url, role: "reader", max: 1 });
  await owner.query("SET ROLE NONE");
  for (const statement of SCHEMA.split(";\n")) await owner.query(statement);
  describer = await openDescriber(database.url);
});
afterAll(async () => {
  await describer.close();
  await owner.end();
  await database.drop();
});

const SCHEMA = `
    CREATE TABLE houses (id bigint PRIMARY KEY, name text NOT NULL, sold_at bigint, kind text CHECK (kind IN ('a', 'b')));
    CREATE TABLE rooms (id bigint PRIMARY KEY, house bigint NOT NULL REFERENCES houses, name text NOT NULL, note text);
    CREATE VIEW furnished AS SELECT r.id, h.name, r.note FROM rooms r LEFT JOIN houses h ON h.id = r.house;
    CREATE FUNCTION room_name(room bigint) RETURNS text LANGUAGE sql STABLE AS $$ SELECT name FROM rooms WHERE id = room $$;
    CREATE FUNCTION room_count() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM rooms $$;
    CREATE FUNCTION all_rooms() RETURNS TABLE (id bigint, note text) LANGUAGE sql STABLE AS $$ SELECT id, note FROM rooms $$;
    CREATE FUNCTION opaque() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$`;

/** Statements, each with whether its only column may be null. */
const STATEMENTS: readonly (readonly [nullness: string, statement: string])[] = [
  ["never", "SELECT name FROM houses"],
  ["maybe", "SELECT sold_at FROM houses"],
  ["never", "SELECT sold_at FROM houses WHERE sold_at IS NOT NULL"],
  ["never", "SELECT sold_at FROM houses WHERE sold_at > $1"],
  ["never", "SELECT sold_at FROM houses WHERE sold_at = ANY ($1::bigint[])"],
  ["maybe", "SELECT sold_at FROM houses WHERE sold_at > $1 OR name = $2"],
  ["maybe", "SELECT sold_at FROM houses WHERE sold_at IS NULL"],
  ["never", "SELECT h.name FROM rooms r JOIN houses h ON h.id = r.house"],
  ["maybe", "SELECT r.name FROM houses h LEFT JOIN rooms r ON r.house = h.id"],
  ["never", "SELECT h.name FROM houses h LEFT JOIN rooms r ON r.house = h.id"],
  ["never", "SELECT r.name FROM houses h LEFT JOIN rooms r ON r.house = h.id WHERE r.name LIKE 'k%'"],
  ["maybe", "SELECT r.name FROM houses h LEFT JOIN rooms r ON r.house = h.id AND r.name LIKE 'k%'"],
  ["maybe", "SELECT h.name FROM houses h RIGHT JOIN rooms r ON r.house = h.id"],
  ["maybe", "SELECT r.name FROM houses h FULL JOIN rooms r ON r.house = h.id"],
  [
    "maybe",
    "SELECT n FROM houses h LEFT JOIN LATERAL (SELECT name FROM rooms r WHERE r.house = h.id LIMIT 1) AS r(n) ON true",
  ],
  ["never", "SELECT coalesce(sold_at, 0) FROM houses"],
  ["maybe", "SELECT nullif(name, 'x') FROM houses"],
  ["maybe", "SELECT sold_at + 1 FROM houses"],
  ["never", "SELECT id + 1 FROM houses"],
  ["never", "SELECT count(sold_at) FROM houses"],
  ["maybe", "SELECT max(id) FROM houses"],
  ["never", "SELECT max(id) FROM houses GROUP BY kind"],
  ["maybe", "SELECT max(sold_at) FROM houses GROUP BY kind"],
  ["maybe", "SELECT max(id) FILTER (WHERE name = 'x') FROM houses GROUP BY kind"],
  ["maybe", "SELECT kind FROM houses GROUP BY kind"],
  ["never", "SELECT name FROM houses GROUP BY name"],
  ["never", "SELECT row_number() OVER (ORDER BY id) FROM houses"],
  ["maybe", "SELECT lag(id) OVER (ORDER BY id) FROM houses"],
  ["never", "SELECT CASE WHEN sold_at IS NULL THEN 'free' ELSE 'sold' END FROM houses"],
  ["maybe", "SELECT CASE WHEN sold_at IS NULL THEN 'free' END FROM houses"],
  ["never", "SELECT EXISTS (SELECT FROM rooms)"],
  ["never", "SELECT ARRAY(SELECT note FROM rooms)"],
  ["maybe", "SELECT (SELECT name FROM rooms WHERE id = $1)"],
  ["never", "SELECT (SELECT count(*) FROM rooms)"],
  ["maybe", "SELECT (SELECT sum(id) FROM rooms)"],
  ["never", "SELECT name FROM houses UNION ALL SELECT name FROM rooms"],
  ["maybe", "SELECT name FROM houses UNION ALL SELECT note FROM rooms"],
  ["never", "WITH named AS (SELECT name FROM houses) SELECT name FROM named"],
  ["maybe", "WITH named AS (SELECT note FROM rooms) SELECT note FROM named"],
  ["never", "WITH RECURSIVE up AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM up WHERE n < 9) SELECT n FROM up"],
  ["maybe", "WITH RECURSIVE up AS (SELECT 1 AS n UNION ALL SELECT NULL::int FROM up) SELECT n FROM up"],
  ["maybe", "SELECT name FROM furnished"],
  ["never", "SELECT id FROM furnished"],
  ["never", "SELECT n FROM (VALUES (1), (2)) AS v(n)"],
  ["maybe", "SELECT n FROM (VALUES (1), (NULL)) AS v(n)"],
  ["never", "SELECT place FROM unnest($1::bigint[]) WITH ORDINALITY AS u(id, place)"],
  ["unknown", "SELECT id FROM unnest($1::bigint[]) AS u(id)"],
  ["unknown", "SELECT $1::bigint"],
  ["maybe", "SELECT '{}'::jsonb ->> 'a'"],
  ["maybe", "SELECT room_name(1)"],
  ["never", "SELECT room_count()"],
  ["never", "SELECT id FROM all_rooms()"],
  ["maybe", "SELECT note FROM all_rooms()"],
  ["unknown", "SELECT opaque()"],
  ["never", "INSERT INTO houses (id, name) VALUES ($1, $2) RETURNING id"],
  ["maybe", "INSERT INTO houses (id, name) VALUES ($1, $2) RETURNING sold_at"],
  ["never", "UPDATE houses SET sold_at = 5 RETURNING sold_at"],
  ["maybe", "UPDATE houses SET sold_at = NULL WHERE sold_at IS NOT NULL RETURNING sold_at"],
  ["never", "UPDATE houses SET name = 'x' WHERE sold_at IS NOT NULL RETURNING sold_at"],
  ["maybe", "DELETE FROM houses RETURNING sold_at"],
  ["maybe", "SELECT name FROM houses GROUP BY ROLLUP (name)"],
];

describe("a column", () => {
  it.each(STATEMENTS)("is %s null: %s", async (nullness, statement) => {
    const { columns } = await describer.describe(statement);
    expect(columns.map((column) => column.nullness)).toEqual([nullness]);
  });

  it("has its name and type, and a statement the types of its parameters", async () => {
    const { columns, parameters } = await describer.describe(
      "SELECT id, name AS called FROM houses WHERE id = $1 AND name = $2 ORDER BY sold_at",
    );
    expect(columns.map(({ name, type }) => [name, describer.catalog.types.get(type)?.name])).toEqual([
      ["id", "bigint"],
      ["called", "text"],
    ]);
    expect(parameters.map((type) => describer.catalog.types.get(type)?.name)).toEqual(["bigint", "text"]);
  });
});

it("a refusal says what is wrong and where", async () => {
  const statement = "SELECT id, nome FROM houses";
  const refusal = await describer.describe(statement).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StatementRefusal);
  expect(refusal).toMatchObject({ message: expect.stringContaining('column "nome" does not exist') as string });
  expect((refusal as StatementRefusal).place).toBe(statement.indexOf("nome"));
  expect((await describer.describe("SELECT 1 AS one")).columns).toHaveLength(1);
});

it("a described statement isn't run", async () => {
  await describer.describe("INSERT INTO houses (id, name) VALUES (1, 'x') RETURNING id");
  const rows = await owner.query("SELECT FROM houses");
  expect(rows).toEqual([]);
});
