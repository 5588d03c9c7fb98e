import { getHeapSpaceStatistics } from "node:v8";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Flush } from "./flush.ts";
import { BEGIN, COMMIT, type Lane, openLane, ROLLBACK, type Statement, type Step } from "./lane.ts";
import { createTestContext, type TestContext } from "./test-context.ts";

let context: TestContext;
let lane: Lane;

beforeAll(async () => {
  context = await createTestContext();
  lane = await openLane(context.databases.orders);
});

afterAll(async () => {
  await lane.close();
  await context.close();
});

const ROWS: Statement = {
  name: "lane_test_rows",
  text: "SELECT 1000000000000 + n, 2000000000000 + n, 3000000000000 + n, 4000000000000 + n FROM generate_series(1, 500) AS n",
};

it("keeps no rows in memory after they were returned", async () => {
  for (let round = 0; round < 50; round += 1) await lane.flush([[ROWS]]);
  const before = oldGenerationBytes();
  let grown = 0;
  for (let round = 0; round < 600; round += 1) {
    await lane.flush([[ROWS]]);
    grown = Math.max(grown, oldGenerationBytes() - before);
  }
  // Garbage that survives a young collection is referenced by something.
  expect(grown).toBeLessThan(4_000_000);
});

it("throws PostgreSQL's error and still runs the next flush", async () => {
  const broken: Statement = { name: "lane_test_broken", text: "SELECT 1 / $1::integer" };
  await expect(lane.flush([[broken, [0]]])).rejects.toMatchObject({ code: "22012" });
  expect(lane.isUsable()).toBe(true);
  expect(await lane.flush([[broken, [1]]])).toEqual([[[1]]]);
});

it("prepares a statement that followed an error when it is sent again", async () => {
  const steps = (divisor: number): Step[] => [
    [{ name: "lane_test_before", text: "SELECT 1" }],
    [{ name: "lane_test_halts", text: "SELECT 1 / $1::integer" }, [divisor]],
    [
      { name: "lane_test_behind", text: "SELECT 'x'::text, NULL::integer, $1::boolean, $2::bytea" },
      [true, Uint8Array.of(1, 2)],
    ],
  ];
  await expect(lane.flush(steps(0))).rejects.toMatchObject({ code: "22012" });
  for (let round = 0; round < 2; round += 1)
    expect(await lane.flush(steps(1))).toEqual([[[1]], [[1]], [["x", null, true, Buffer.of(1, 2)]]]);
});

it("runs nothing after an error, and continues after ROLLBACK", async () => {
  const create: Statement = { name: "lane_test_create", text: "CREATE TEMPORARY TABLE lane_test (n integer)" };
  const count: Statement = { name: "lane_test_count", text: "SELECT to_regclass('lane_test')" };
  const broken: Statement = { name: "lane_test_divides", text: "SELECT 1 / 0" };
  await expect(lane.flush([[BEGIN], [create], [broken], [COMMIT]])).rejects.toMatchObject({ code: "22012" });
  await expect(lane.flush([[count]])).rejects.toMatchObject({ code: "25P02" });
  expect(await lane.flush([[ROLLBACK], [count]])).toEqual([[], [[null]]]);
});

it("sends nothing if a name belongs to another statement", async () => {
  const known: Statement = { name: "lane_test_known", text: "SELECT 1" };
  await lane.flush([[known]]);
  await expect(lane.flush([[BEGIN], [{ ...known, text: "SELECT 2" }]])).rejects.toThrow(
    "lane_test_known is the name of another statement",
  );
  expect(await lane.flush([[known]])).toEqual([[[1]]]);
  expect(await lane.flush([])).toEqual([]);
});

it("reports a row that can't be read, and reads the next flush", async () => {
  const client = new pg.Client({ connectionString: context.database.url });
  await client.connect();
  const read = (parse: (text: string) => string) =>
    new Promise((resolve, reject) => {
      const steps: Step[] = [[{ name: "lane_test_unread", text: "SELECT 'a' UNION ALL SELECT 'b'" }]];
      const done = (error: Error | null, rows: unknown) => (error === null ? resolve(rows) : reject(error));
      client.query(new Flush({ steps, prepared: new Map(), client: { getTypeParser: () => parse }, done }));
    });
  const fail = () => {
    throw new RangeError("no such thing");
  };
  try {
    await expect(read(fail)).rejects.toThrow("no such thing");
    expect(await read((text) => text.toUpperCase())).toEqual([[["A"], ["B"]]]);
  } finally {
    await client.end();
  }
});

function oldGenerationBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space")?.space_used_size ?? Number.NaN;
}
