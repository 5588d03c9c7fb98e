import { type Builder, createBuilder, waitUntil } from "@fairtick/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepLane, type KeptLane } from "./kept-lane.ts";
import { BEGIN, COMMIT, type Statement } from "./lane.ts";
import { createTestContext, type TestContext } from "./test-context.ts";

const PID: Statement = { name: "pid", text: "SELECT pg_backend_pid()" };
const BROKEN: Statement = { name: "broken", text: "SELECT 1 / 0" };
const SLEEP: Statement = { name: "sleep", text: "SELECT pg_sleep(30)" };

let context: TestContext;
let build: Builder;
let lane: KeptLane;
beforeAll(async () => {
  context = await createTestContext();
  build = await createBuilder(context.database.url);
  lane = keepLane(context.databases.orders);
});
afterAll(async () => {
  await lane.close();
  await build.end();
  await context.close();
});

async function pid(): Promise<unknown> {
  const [rows = []] = await lane.flush([[PID]]);
  return rows[0]?.[0];
}

it("keeps its connection even after a failed statement, whose transaction is rolled back", async () => {
  const before = await pid();
  await expect(lane.flush([[BEGIN], [BROKEN], [COMMIT]])).rejects.toThrow("division by zero");
  expect(await pid()).toBe(before);
});

it("opens another one after it was lost", async () => {
  const before = await pid();
  const lost = lane.flush([[SLEEP]]).catch((error: unknown) => error);
  // End it while the statement runs. If it ended before, the lane would already fail to write to it.
  await waitUntil("it sleeps", async () => {
    const asleep = "SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'";
    return (await build.client.query(asleep, [before])).rowCount === 1;
  });
  await build.client.query("SELECT pg_terminate_backend($1)", [before]);
  expect(String(await lost)).toMatch(/terminat/);
  expect(await pid()).not.toBe(before);
});
