import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrderWorld, type OrderWorld, usd } from "./test-world.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(() => world.close());

it("lets only as many orders of a wallet run as the configuration allows, until one of them is settled", async () => {
  await world.configure(() => ({ memberRunningOrdersMax: 5 }));
  await Promise.all([world.tick(), world.tick("GBPUSD", 1_300_000n)]);
  const memberId = await world.build.createMember({ real: usd(100) });
  const stake = usd(1);
  const verdicts = await Promise.all(Array.from({ length: 16 }, () => world.place(memberId, { stake })));
  const placed = verdicts.flatMap((verdict) => (verdict.ok ? [verdict.value] : []));
  const refused = verdicts.flatMap((verdict) => (verdict.ok ? [] : [verdict.refusal]));
  const limit = { error: "MEMBER_LIMIT", params: { limit: 5, left: 0, name: "runningOrders" } };
  expect(placed).toHaveLength(5);
  expect(refused).toEqual(Array.from({ length: 11 }, () => limit));
  expect(await world.place(memberId, { wallet: "real", stake })).toMatchObject({ ok: true });

  const at = BigInt(Math.max(...placed.map(({ acceptedAt }) => acceptedAt)));
  await world.build.feedTicks("EURUSD", [
    { time: at + 2_000n, price: 1_085_000n },
    { time: at + 40_000n, price: 1_085_001n },
  ]);
  await world.settlement.settleNow();
  const again = await Promise.all(
    Array.from({ length: 7 }, () => world.place(memberId, { symbol: "GBPUSD", stake, duration: 3_600 })),
  );
  expect(again.filter(({ ok }) => ok)).toHaveLength(5);
});
