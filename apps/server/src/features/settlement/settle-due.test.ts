import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrderWorld, type OrderWorld } from "../orders/test-world.ts";
import { parseId } from "@fairtick/domain";
import { readOrders } from "../orders/index.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(() => world.close());

async function read(memberId: bigint, orderNo: string) {
  const [found] = await readOrders(world.placing, [memberId], [parseId("order", orderNo)!]);
  return found!.order;
}

/** Feeds ticks at offsets from an order's acceptance, in whole prices of EURUSD's points. */
async function feed(acceptedAt: number, ticks: readonly (readonly [offset: number, price: bigint])[], seal?: number) {
  await world.build.feedTicks(
    "EURUSD",
    ticks.map(([offset, price]) => ({ time: BigInt(acceptedAt + offset), price })),
    seal === undefined ? undefined : BigInt(acceptedAt + seal),
  );
}

describe("settlement by the seal", () => {
  it.each([
    { title: "up above its entry wins", direction: "up", exit: 1_085_010n, outcome: "won", profit: "8.10" },
    { title: "up below its entry loses", direction: "up", exit: 1_084_990n, outcome: "lost", profit: "-10.10" },
    { title: "down below its entry wins", direction: "down", exit: 1_084_990n, outcome: "won", profit: "8.10" },
    { title: "down above its entry loses", direction: "down", exit: 1_085_010n, outcome: "lost", profit: "-10.10" },
    { title: "equal prices tie", direction: "up", exit: 1_085_000n, outcome: "tied", profit: "0.00" },
  ] as const)("$title", async ({ direction, exit, outcome, profit }) => {
    const memberId = await world.build.createMember();
    await world.build.feedTicks("EURUSD", [{ time: await freshTime(), price: 1_084_000n }]);
    const placed = await world.accepted(memberId, { direction });
    await feed(placed.acceptedAt, [
      [0 + 400, 1_085_000n],
      [20_000, 1_080_000n],
      [30_400, exit],
    ]);
    await world.settlement.settleNow();
    const order = await read(memberId, placed.orderNo);
    expect(order).toMatchObject({
      state: "settled",
      outcome,
      profit,
      entryAt: placed.acceptedAt + 400,
      exitAt: placed.acceptedAt + 30_400,
      expiresAt: placed.acceptedAt + 30_400,
    });
  });
});

/** A time after everything stored so far; the database's own unless ticks were fed ahead of it. */
async function freshTime(): Promise<bigint> {
  const { rows } = await world.build.client.query<{ time: string }>(
    "SELECT greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, (SELECT sealed_through + 1 FROM instrument_clock WHERE symbol = 'EURUSD')) AS time",
  );
  return BigInt(rows[0]!.time);
}
