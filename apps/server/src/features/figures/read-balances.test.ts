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

it("begins with the wallet's first movement, and has no day where there was none", async () => {
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

it("has each day's end as the ledger moved it, and what the daily limits count", async () => {
  const memberId = (await world.build.createMember({ real: usd(1000) })) as MemberId;
  await world.tick();
  const wish = { duration: 30, stake: usd(10) } as const;
  await world.accepted(memberId, { ...wish, direction: "up" });
  await world.accepted(memberId, { ...wish, direction: "down", stake: usd(30) });
  await world.accepted(memberId, { ...wish, direction: "down", wallet: "real" });
  const before = await readBalances(world.context, memberId, "practice", instant(await world.build.now()));
  // What runs is held, and not gone.
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
  // 10 won at 0.82 less a fee of 1 %, 30 lost with its fee.
  expect(practice.days.at(-1)?.total).toBe("9977.80");
  expect(practice).toMatchObject({ stakedToday: "40.00", countedLost: "30.30" });
  expect((await readBalances(world.context, memberId, "real", now)).days.at(-1)?.total).toBe("989.90");

  // Seen from later days: the total stays, the sums of that day are over.
  const later = await readBalances(world.context, memberId, "practice", (now + 3n * DAY_MS) as Instant);
  expect(later.days.map(({ total }) => total).slice(-4)).toEqual(["9977.80", "9977.80", "9977.80", "9977.80"]);
  expect(later).toMatchObject({ stakedToday: "0.00", countedLost: "0.00" });
  const muchLater = await readBalances(world.context, memberId, "practice", (now + 90n * DAY_MS) as Instant);
  expect(muchLater.days).toHaveLength(30);
});

it("counts each day's movements back from what is there now", async () => {
  const memberId = (await world.build.createMember({ real: usd(1000) })) as MemberId;
  const now = instant(await world.build.now());
  const { url, adminUrl } = world.context.database;
  const address = new URL(adminUrl);
  address.pathname = new URL(url).pathname;
  const superuser = new pg.Client({ connectionString: address.href });
  await superuser.connect();
  // Nobody else can move what the ledger has to another day.
  await superuser.query("ALTER TABLE transfers DISABLE TRIGGER USER");
  await superuser.query("UPDATE transfers SET made_at = made_at - $2::bigint WHERE member_id = $1", [
    memberId,
    3n * DAY_MS,
  ]);
  await superuser.end();
  // A product of its own: the others' ticks are of a later moment already.
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
