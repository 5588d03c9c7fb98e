import type { Clock, Instant } from "@fairtick/domain";
import { waitUntil } from "@fairtick/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { openTestTape, type TestTape } from "./testing.ts";
import { startMarketWatch } from "./watch-market.ts";

let skew = 0n;
/** A clock that runs with the database's, at a set distance from it. */
const clock: Clock = {
  now: () => (BigInt(Date.now()) + skew) as Instant,
  elapsedMs: () => performance.now(),
};
const reasons = new Map<string, string>();
const acceptance = {
  stop: (reason: string, detail = "") => void reasons.set(reason, detail),
  clear: (reason: string) => void reasons.delete(reason),
};
let context: TestContext;
let tape: TestTape;
let watch: { stop(): Promise<void> };

beforeAll(async () => {
  context = await createTestContext();
  tape = await openTestTape(context.databases.market, ["EURUSD"], BigInt(Date.now()) - 10_000n);
  watch = startMarketWatch({ ...context, clock }, acceptance);
});
afterAll(async () => {
  await watch.stop();
  await context.close();
});

it("stops acceptance while no seal moves, and resumes afterwards", async () => {
  await waitUntil("the market to be missed", () => reasons.has("market"));
  const timer = setInterval(() => void tape.seal("EURUSD", BigInt(Date.now())), 200);
  try {
    await waitUntil("acceptance again", () => !reasons.has("market"));
    expect([...reasons.keys()]).not.toContain("market");
  } finally {
    clearInterval(timer);
  }
});

it("stops acceptance while the clocks are more than 250 ms apart, either way", async () => {
  for (const apart of [400n, -400n]) {
    skew = 0n;
    await waitUntil("the clocks together", () => !reasons.has("clock"));
    skew = apart;
    await waitUntil("the skew to be seen", () => reasons.has("clock"));
    expect(reasons.get("clock")).toMatch(apart > 0n ? /^[0-9]+ ms off/ : /^-[0-9]+ ms off/);
  }
  skew = 0n;
});

it("stops acceptance while the market is ahead of the database's time, as after its clock was set back", async () => {
  await waitUntil("the clocks together", () => !reasons.has("clock"));
  await tape.seal("EURUSD", BigInt(Date.now()) + 4_000n);
  await waitUntil("the lead to be seen", () => /ahead/.test(reasons.get("clock") ?? ""));
  expect(reasons.has("market")).toBe(true);
  await waitUntil("acceptance again", () => !reasons.has("clock") && !reasons.has("market"));
  expect([...reasons.keys()]).toEqual([]);
});
