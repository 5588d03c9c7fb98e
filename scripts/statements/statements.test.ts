import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Describer, openDescriber } from "@fairtick/postgres";
import { openDatabase } from "@fairtick/server/platform/database";
import { createTestDatabase, type TestDatabase } from "@fairtick/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkStatements, readStatementSources } from "./check-statements.ts";
import { COMPOSED } from "./composed.ts";

const ROOT = join(import.meta.dirname, "../..");
const PATH = "apps/server/src/planted.ts";

let database: TestDatabase;
let describer: Describer;
beforeAll(async () => {
  database = await createTestDatabase();
  describer = await openDescriber(database.url);
});
afterAll(async () => {
  await describer.close();
  await database.drop();
});

async function problemsOf(text: string): Promise<readonly string[]> {
  const { problems } = await checkStatements(ROOT, [{ path: PATH, text }], describer, []);
  return problems;
}

/** Pairs of what the check must say and the faulty statement. */
const PLANTED: readonly (readonly [said: string, text: string])[] = [
  // Faults in the statement itself.
  [`column "acount" does not exist`, `db.query("SELECT acount FROM members WHERE member_id = $1", [1n])`],
  [`relation "memberz" does not exist`, `db.query("DELETE FROM memberz")`],
  [`function nau_ms() does not exist`, `db.query<{ now: bigint }>("SELECT nau_ms() AS now")`],
  [`function now_ms(integer) does not exist`, `db.query("SELECT now_ms(1)")`],
  [`operator does not exist`, `db.query("SELECT 1 FROM members WHERE member_id = email")`],
  [`syntax error at or near "members"`, `db.query("SELECT 1 FORM members")`],
  // Wrong number of parameters.
  ["it takes 1 parameter, and 0 are passed", `db.query("SELECT 1 FROM members WHERE member_id = $1")`],
  ["it takes 1 parameter, and 2 are passed", `db.query("SELECT 1 FROM members WHERE member_id = $1", [1n, 2n])`],
  ["it takes 2 parameters, and 1 are passed", `db.query("SELECT $1::text, $2::text", ["a"])`],
  // Missing columns.
  ["Row.id: the statement has no such column", `db.query<{ id: bigint }>("SELECT member_id FROM members")`],
  ["Row.email: the statement has no such column", `db.query<{ email: string }>("DELETE FROM push_claims")`],
  // Wrong column types.
  ["Row.member_id is number: the column is bigint", `db.query<{ member_id: number }>("SELECT member_id FROM members")`],
  ["which the driver reads as bigint", `db.query<{ n: number }>("SELECT count(*) AS n FROM members")`],
  [
    "which the driver reads as string",
    `db.query<{ n: bigint }>("SELECT sum(amount) AS n FROM deposits GROUP BY stage")`,
  ],
  [
    "which the driver reads as string",
    `const { rows } = await client.query<{ n: bigint }>("SELECT count(*) AS n FROM members")`,
  ],
  ["which the driver reads as Date", `db.query<{ created_at: bigint }>("SELECT created_at FROM members")`],
  [
    "which the driver reads as bigint[]",
    `db.query<{ ids: string[] }>("SELECT ARRAY(SELECT member_id FROM members) AS ids")`,
  ],
  ["which the driver reads as json", `db.query<{ settings: bigint }>("SELECT settings FROM members")`],
  ["Row.wallet leaves out real of wallet", `db.query<{ wallet: "practice" }>("SELECT wallet FROM members")`],
  // Wrong about null.
  ["Row.email is string: the column may be null", `db.query<{ email: string }>("SELECT email FROM members")`],
  [
    "Row.stage is string: the column may be null",
    `db.query<{ stage: string }>("SELECT d.stage FROM members m LEFT JOIN deposits d USING (member_id)")`,
  ],
  [
    "Row.most is bigint: the column may be null",
    `db.query<{ most: bigint }>("SELECT max(amount) AS most FROM deposits")`,
  ],
  [
    "Row.stage is string | null: the column is never null",
    `db.query<{ stage: string | null }>("SELECT stage FROM deposits")`,
  ],
  // Unreadable statements.
  ["it cannot be read from the source", `db.query(makeText())`],
  ["a part that this check cannot read", `function f<Row>() { return db.query<Row>("SELECT 1 AS one"); }`],
];

/** Correct statements, in all forms in which statements and Row types are written. */
const ALLOWED: readonly string[] = [
  `db.query<{ member_id: bigint; email: string | null; wallet: "practice" | "real" }>("SELECT * FROM members")`,
  `db.query<{ settings: { a: 1 } }>("SELECT settings FROM members")`,
  `const { rows } = await client.query<{ n: string }>("SELECT count(*) AS n FROM members")`,
  `db.query<{ email: Present<string> }>("SELECT email FROM members")`,
  `interface A { readonly stage: string }
   type B = A & Readonly<Pick<{ amount: bigint; other: Date }, "amount">>;
   db.query<B>("SELECT stage, amount FROM deposits")`,
  `type Units = bigint & { readonly unit: "x" };
   db.query<{ amount: Units }>("SELECT amount FROM deposits")`,
  `type Row = { stage: string; amount: bigint } | { stage: null; amount: null };
   db.query<Row>("SELECT d.stage, d.amount FROM members m LEFT JOIN deposits d USING (member_id)")`,
  // One Row type for two statements; the column may be null in only one of them.
  `interface Row { readonly reason: string | null }
   db.query<Row>("SELECT reason FROM deposits");
   db.query<Row>("SELECT reason FROM deposits WHERE reason IS NOT NULL")`,
  "const COLUMNS = `stage, amount`; db.query<{ stage: string }>(`SELECT ${COLUMNS} FROM deposits LIMIT ${10 * 2}`)",
  "db.query(`SELECT 1 FROM deposits ORDER BY deposit_id ${rises ? '' : 'DESC'}`)",
  "const WHERE = { a: 'true', b: 'false' }; db.query(`SELECT 1 FROM deposits WHERE ${WHERE[key]}`)",
  "const ms = (name: string) => `extract(epoch FROM ${name})`; db.query(`SELECT ${ms('created_at')} FROM members`)",
  `function read(sql: string) { return db.query(sql); } read("SELECT 1"); read("SELECT 2");`,
  `for (const table of ["members", "deposits"]) db.query(\`SELECT 1 FROM \${table}\`)`,
  `const A: Statement = { name: "a", text: "SELECT 1" }; db.query(A.text)`,
  `const a = namedStatement({ name: "a", text: "SELECT 1 FROM deposits WHERE amount > $least AND amount < $most + $least" });`,
  `db.query("BEGIN"); db.query("SET search_path = public")`,
];

describe("a planted statement", () => {
  it.each(PLANTED)("is refused (%s): %s", async (said, text) => {
    const [problem, ...others] = await problemsOf(`\n${text}`);
    expect(problem).toContain(said);
    expect(problem).toContain(`${PATH}:2 `);
    expect(others).toEqual([]);
  });

  it.each(ALLOWED)("is accepted if correct: %s", async (text) => {
    expect(await problemsOf(text)).toEqual([]);
  });

  it("is refused if only one of its texts is wrong, and in a prepared statement", async () => {
    expect(await problemsOf("db.query(`SELECT ${wide ? 'amount' : 'amont'} FROM deposits`)")).toEqual([
      expect.stringContaining('column "amont" does not exist'),
    ]);
    expect(await problemsOf(`const A: Statement = { name: "a", text: "SELECT amont FROM deposits" };`)).toEqual([
      expect.stringContaining('column "amont" does not exist'),
    ]);
    expect(
      await problemsOf(
        `const a = namedStatement({ name: "a", text: "SELECT amont FROM deposits WHERE amount > $least" });`,
      ),
    ).toEqual([expect.stringContaining('column "amont" does not exist')]);
    expect(
      await problemsOf(`function read(sql: string) { return db.query(sql); }
        read("SELECT 1"); read("SELECT amont FROM deposits");`),
    ).toEqual([expect.stringContaining('column "amont" does not exist')]);
  });
});

describe("the product's own statements", () => {
  it("fail if a migration renames a column, both where it is read and in functions", async () => {
    const renamed = await createTestDatabase();
    const own = openDatabase({ url: renamed.url, role: "reader", max: 1 });
    await own.query("SET ROLE NONE");
    await own.query("ALTER TABLE price_alerts RENAME COLUMN fired_at TO went_off_at");
    await own.query("ALTER TABLE withdrawal_rests RENAME COLUMN ends_at TO over_at");
    await own.query("ALTER TABLE deposits ALTER COLUMN member_id DROP NOT NULL");
    await own.end();
    const describer = await openDescriber(renamed.url);
    const { problems, described } = await checkStatements(ROOT, readStatementSources(ROOT), describer);
    await describer.close();
    await renamed.drop();
    expect(described).toBeGreaterThan(700);
    const shown = problems.join("\n");
    expect(shown).toMatch(
      /^apps\/server\/src\/features\/alerts\/alert-rows\.ts:\d+ PostgreSQL refuses it: column "fired_at" does not exist/m,
    );
    expect(shown).toMatch(
      /^apps\/server\/migrations\/\w+\.sql:\d+ PostgreSQL refuses what begin_withdrawal_rest runs: column "ends_at"/m,
    );
    expect(shown).toContain("Row.member_id is bigint: the column may be null");
    expect(problems.filter((problem) => !/fired_at|ends_at|member_id|withdrawal/.test(problem))).toEqual([]);
  });

  it("that are listed instead exist, and so does the test that runs each", async () => {
    const [entry] = COMPOSED;
    if (entry === undefined) throw new Error("no statement is listed");
    const stale = { ...entry, marked: "a call that is gone", ranBy: "apps/server/src/gone.test.ts" };
    const { problems } = await checkStatements(ROOT, [], describer, [stale]);
    expect(problems).toEqual([
      expect.stringContaining("lists `a call that is gone`"),
      expect.stringContaining("names apps/server/src/gone.test.ts"),
    ]);
    expect(COMPOSED.filter(({ ranBy }) => !existsSync(join(ROOT, ranBy)))).toEqual([]);
  });
});
