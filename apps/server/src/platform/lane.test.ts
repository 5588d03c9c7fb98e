import { getHeapSpaceStatistics } from "node:v8";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Lane, openLane, type Statement } from "./lane.ts";
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

it("keeps no rows that were answered", async () => {
  for (let round = 0; round < 50; round += 1) await lane.flush([[ROWS]]);
  const before = oldGenerationBytes();
  let grown = 0;
  for (let round = 0; round < 600; round += 1) {
    await lane.flush([[ROWS]]);
    grown = Math.max(grown, oldGenerationBytes() - before);
  }
  // What is dropped at once and still outlives a young collection is held by something.
  expect(grown).toBeLessThan(4_000_000);
});

it("throws PostgreSQL's error and answers the next flush", async () => {
  const broken: Statement = { name: "lane_test_broken", text: "SELECT 1 / $1::integer" };
  await expect(lane.flush([[broken, [0]]])).rejects.toMatchObject({ code: "22012" });
  expect(lane.isUsable()).toBe(true);
  expect(await lane.flush([[broken, [1]]])).toEqual([[[1]]]);
});

function oldGenerationBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space")?.space_used_size ?? Number.NaN;
}
