import { parseId } from "@fairtick/domain";
import type { PlacedOrder } from "@fairtick/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkInvariants } from "../ledger/index.ts";
import { listPositions } from "../orders/index.ts";
import { createOrderWorld, type OrderWorld } from "../orders/test-world.ts";
import { startSettlement } from "./settle-due.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(() => world.close());

interface Group {
  readonly symbol: string;
  readonly duration: number;
  readonly limit_price: string | null;
  readonly size: number;
}

async function groupsOf(placed: readonly PlacedOrder[]): Promise<Group[]> {
  const { rows } = await world.build.client.query<Group>(
    `SELECT symbol, duration, limit_price, cardinality(order_ids) AS size FROM open_groups
     WHERE order_ids && $1::bigint[] ORDER BY symbol, duration, limit_price, size`,
    [placed.map(({ orderNo }) => parseId("order", orderNo))],
  );
  return rows;
}

/** Moves the market past the expiry of orders placed on EURUSD for 30 s. */
async function expire(placed: readonly PlacedOrder[]): Promise<void> {
  const at = BigInt(Math.max(...placed.map(({ acceptedAt }) => acceptedAt)));
  await world.build.feedTicks("EURUSD", [
    { time: at + 1n, price: 1_085_000n },
    { time: at + 30_001n, price: 1_085_001n },
  ]);
}

describe("running orders of one batch", () => {
  it("share one row per instrument and duration, while orders with a limit price have their own row", async () => {
    const members = await world.build.createMembers(8);
    await Promise.all([world.tick(), world.tick("GBPUSD", 1_300_000n)]);
    const wishes = [{}, {}, {}, { duration: 60 }, { duration: 60 }, { symbol: "GBPUSD" }];
    const limit = { limitPrice: "1.09" };
    const placed = await Promise.all(
      [...wishes, limit, limit].map((wish, index) => world.accepted(members[index]!, wish)),
    );
    // A batch accepts what was sent before it began, so there may be several batches.
    const kinds = placed
      .slice(0, wishes.length)
      .map(({ acceptance, symbol, duration }) => `${acceptance!.batchNo} ${symbol} ${duration}`);
    const groups = await groupsOf(placed);
    expect(groups.filter(({ limit_price: price }) => price !== null).map(({ size }) => size)).toEqual([1, 1]);
    expect(groups).toHaveLength(2 + new Set(kinds).size);
    expect(groups.reduce((sum, { size }) => sum + size, 0)).toBe(8);
    for (const [index, order] of placed.entries()) {
      const positions = await listPositions(world.placing, members[index] as never, { wallet: "practice" });
      expect(positions.ok && positions.value.items.map(({ orderNo }) => orderNo)).toEqual([order.orderNo]);
    }
  });

  it("share a row with orders of the same kind, however many of another kind come between", async () => {
    const members = await world.build.createMembers(180);
    await Promise.all([world.tick(), world.tick("GBPUSD", 1_300_000n)]);
    const symbols = ["EURUSD", "GBPUSD"];
    const placed = await Promise.all(
      members.map((memberId, index) => world.accepted(memberId, { symbol: symbols[index % 2]! })),
    );
    const kinds = new Set(placed.map(({ acceptance, symbol }) => `${acceptance!.batchNo} ${symbol}`));
    expect(await groupsOf(placed)).toHaveLength(kinds.size);
    const { rows } = await world.build.client.query(
      `SELECT count(DISTINCT r.order_id)::integer AS with_member, bool_and(g.first_id <= r.order_id AND o.symbol = r.symbol
         AND o.duration = r.duration AND o.accepted_at = r.accepted_at) AS alike
       FROM open_orders r JOIN orders o USING (member_id, order_id) JOIN open_groups g ON r.order_id = ANY(g.order_ids)
       WHERE r.order_id = ANY($1::bigint[])`,
      [placed.map(({ orderNo }) => parseId("order", orderNo))],
    );
    expect(rows).toEqual([{ with_member: 180, alike: true }]);
  });

  it("fill rows of at most a hundred, which are settled whole and exceed a batch by one row at most", async () => {
    const members = await world.build.createMembers(240);
    await world.tick();
    const placed = await Promise.all(members.map((memberId) => world.accepted(memberId)));
    const groups = await groupsOf(placed);
    const batches = Map.groupBy(placed, ({ acceptance }) => acceptance!.batchNo);
    const full = Array.from(batches.values(), ({ length }) => [
      Math.min(length, 100),
      Math.min(length - 100, 100),
      length - 200,
    ]);
    const ascending = (sizes: number[]) => sizes.filter((size) => size > 0).sort((a, b) => a - b);
    expect(ascending(groups.map(({ size }) => size))).toEqual(ascending(full.flat()));
    expect(groups.reduce((sum, { size }) => sum + size, 0)).toBe(240);
    await world.settlement.close();
    await expire(placed);
    const sizes: number[] = [];
    const stop = world.context.bus.subscribe("orders", ({ orderIds }) => sizes.push(orderIds.length));
    const settlement = startSettlement({
      database: world.context.databases.settlement,
      bus: world.context.bus,
      log: world.context.log,
      configs: world.configs,
      firstStripe: 300,
      workers: 1,
      batchOrders: 20,
    });
    await settlement.settleNow();
    await settlement.close();
    stop();
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(20 + 100);
    expect(await groupsOf(placed)).toEqual([]);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("can only decrease in number, whoever changes their row", async () => {
    const [memberId] = await world.build.createMembers(1);
    await world.tick();
    await world.accepted(memberId!);
    for (const change of ["order_ids = order_ids || 1::bigint", "order_ids = '{1}'", "symbol = 'GBPUSD'"]) {
      await expect(world.build.client.query(`UPDATE open_groups SET ${change}`)).rejects.toMatchObject({
        code: "23001",
      });
    }
    await expect(
      world.context.databases.settlement.query("UPDATE open_groups SET accepted_at = 0"),
    ).rejects.toMatchObject({ code: "42501" });
  });
});
