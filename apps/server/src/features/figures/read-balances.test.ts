import type { Instant, MemberId } from "@fairtick/domain";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrderWorld, instant, type OrderWorld, usd } from "../orders/test-world.ts";
import { readBalances } from "./read-balances.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(() => world.close());

const DAY_MS = 86_400_000n;
const startOfDay = (at: bigint) => Number((at / DAY_MS) * DAY_MS);

it("begins with the wallet's first movement, and has no days if there was none", async () => {
  const memberId = (await world.build.createMember()) as MemberId;
  const now = instant(await world.build.now());
  const practice = await readBalances(world.context, memberId, "practice", now);
  expect(practice.days).toHaveLength(1);
  expect(practice).toMatchObject({
    days: [{ start: startOfDay(now), total: "10000.00" }],
    stakedToday: "0.00",
    countedLost: "0.00",
  });
  expect((await readBalances(world.context, memberId, "real", now)).days).toEqual([]);
});

it("gives the total at each day's end by the ledger, and what the daily limits count", async () => {
  const memberId = (await world.build.createMember({ real: usd(1000) })) as MemberId;
  await world.tick();
  const wish = { duration: 30, stake: usd(10) } as const;
  await world.accepted(memberId, { ...wish, direction: "up" });
  await world.accepted(memberId, { ...wish, direction: "down", stake: usd(30) });
  await world.accepted(memberId, { ...wish, direction: "down", wallet: "real" });
  const before = await readBalances(world.context, memberId, "practice", instant(await world.build.now()));
  // Stakes of running orders are locked but still part of the total.
  expect(before).toMatchObject({ stakedToday: "40.00", countedLost: "40.00" });
  expect(before.days.at(-1)?.total).toBe("10000.00");
  const at = (await world.build.now()) + 1n;
  await world.build.feedTicks("EURUSD", [
    { time: at, price: 1_085_000n },
    { time: at + 30_000n, price: 1_085_010n },
    { time: at + 30_500n, price: 1_085_010n },
  ]);
  await world.settlement.settleNow();
  const now = instant(await world.build.now());
  const practice = await readBalances(world.context, memberId, "practice", now);
  // A stake of 10 won at a rate of 0.82 less a fee of 1 %, and a stake of 30 was lost with its fee.
  expect(practice.days.at(-1)?.total).toBe("9977.80");
  expect(practice).toMatchObject({ stakedToday: "40.00", countedLost: "30.30" });
  expect((await readBalances(world.context, memberId, "real", now)).days.at(-1)?.total).toBe("989.90");

  // Three days later the total is the same, but the day's sums start from zero.
  const later = await readBalances(world.context, memberId, "practice", (now + 3n * DAY_MS) as Instant);
  expect(later.days.map(({ total }) => total).slice(-4)).toEqual(["9977.80", "9977.80", "9977.80", "9977.80"]);
  expect(later).toMatchObject({ stakedToday: "0.00", countedLost: "0.00" });
  const muchLater = await readBalances(world.context, memberId, "practice", (now + 90n * DAY_MS) as Instant);
  expect(muchLater.days).toHaveLength(30);
});

it("calculates each day's total backwards from the current one", async () => {
  const memberId = (await world.build.createMember({ real: usd(1000) })) as MemberId;
  const now = instant(await world.build.now());
  const { url, adminUrl } = world.context.database;
  const address = new URL(adminUrl);
  address.pathname = new URL(url).pathname;
  const superuser = new pg.Client({ connectionString: address.href });
  await superuser.connect();
  // Only the superuser can move the ledger's facts to another day.
  await superuser.query("ALTER TABLE transfers DISABLE TRIGGER USER");
  await superuser.query("UPDATE transfers SET made_at = made_at - $2::bigint WHERE member_id = $1", [
    memberId,
    3n * DAY_MS,
  ]);
  await superuser.end();
  // Uses another instrument, because the first one's ticks are already later than now.
  await world.tick("GBPUSD", 1_270_000n);
  await world.accepted(memberId, {
    symbol: "GBPUSD",
    duration: 30,
    stake: usd(10),
    direction: "down",
    wallet: "real",
  });
  const at = (await world.build.now()) + 1n;
  await world.build.feedTicks("GBPUSD", [
    { time: at, price: 1_270_000n },
    { time: at + 30_000n, price: 1_270_010n },
    { time: at + 30_500n, price: 1_270_010n },
  ]);
  await world.settlement.settleNow();
  const { days } = await readBalances(world.context, memberId, "real", now);
  expect(days.map(({ start, total }) => [start - startOfDay(now), total])).toEqual([
    [-3 * Number(DAY_MS), "1000.00"],
    [-2 * Number(DAY_MS), "1000.00"],
    [-1 * Number(DAY_MS), "1000.00"],
    [0, "989.90"],
  ]);
});
