import { expect, it } from "vitest";
import { checkInvariants } from "../ledger/index.ts";
import { createOrderWorld } from "./test-world.ts";

it("stores ticks, members and capital one after another when they are requested at once, each in a separate transaction", async () => {
  const world = await createOrderWorld();
  try {
    const [members, first, second, , third] = await Promise.all([
      world.build.createMembers(2),
      world.tick(),
      world.tick(),
      world.tick("GBPUSD", 1_300_000n),
      world.tick(),
      world.build.fundPool("practice", 1n),
    ]);
    expect(new Set(members).size).toBe(2);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    const { rows } = await world.build.client.query(
      "SELECT symbol, array_agg(seq::integer ORDER BY time) AS seqs FROM ticks GROUP BY symbol ORDER BY symbol",
    );
    expect(rows).toEqual([
      { symbol: "EURUSD", seqs: [1, 2, 3, 4] },
      { symbol: "GBPUSD", seqs: [1] },
    ]);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  } finally {
    await world.close();
  }
});
