import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { parseReceipt } from "./receipt.ts";
import { makeWorld, POLICY, type TestEntry, type WorldOptions } from "./testing.ts";
import type { TestOrder } from "./testing-house.ts";
import { verifyLog } from "./verify-log.ts";
import { verifyReceipt } from "./verify-receipt.ts";

const orders: TestOrder[] = [
  { at: 30_130n },
  { at: 30_130n, direction: "down" },
  { at: 30_130n, symbol: "BTCUSD", durationSeconds: 30 },
  { at: 270_200n, durationSeconds: 120 },
];

/** Writes each batch into the log that much later than its acceptance (ms), when the house binds it. */
function writtenLate(ms: bigint): Pick<WorldOptions, "change"> {
  const late = (entry: TestEntry) => entry.time + (entry.kind === "orders.accept" ? ms : 0n);
  return { change: (entries) => entries.toSorted((left, right) => Number(late(left) - late(right))) };
}

async function faultsOf(options: WorldOptions, placed = orders): Promise<string[]> {
  const { findings } = await verifyLog(nodeHashes, await makeWorld(nodeHashes, placed, options), POLICY);
  return findings.filter((each) => each.grade === "fault").map((each) => `${each.check}: ${each.what}`);
}

describe("a back-dated batch", () => {
  it.each([
    [2, 4],
    [25, 50],
    [90, 180],
  ])("is detected in the log if back-dated by %i s", async (seconds, slots) => {
    const faults = await faultsOf({ bindLate: slots, ...writtenLate(BigInt(seconds) * 1_000n) });
    expect(faults).toContain("heads: order 1/0 was bound after its entry, tick 62, was public");
    expect(faults).toContain("heads: order 1/2 was bound after its entry, tick 62, was public");
    expect(faults).toContain("heads: order 2/0 was bound after its entry, tick 542, was public");
  });

  it("is detected even if its settlement is in the log before the head that binds it", async () => {
    const last = (entry: TestEntry) => (entry.kind === "heads" ? entry.time + 900_000n : entry.time);
    const change = (entries: TestEntry[]) => entries.toSorted((left, right) => Number(last(left) - last(right)));
    expect(await faultsOf({ change })).toEqual([]);
    expect(await faultsOf({ change, bindLate: 4 })).toContain(
      "heads: order 1/0 was bound after its entry, tick 62, was public",
    );
  });

  it.each([4, 50, 180])("is detected in its member's receipt if bound %i slots late", async (bindLate) => {
    const world = await makeWorld(nodeHashes, orders, { bindLate });
    const parsed = parseReceipt(await world.receipt(0));
    const checks = parsed.ok ? verifyReceipt(nodeHashes, parsed.receipt, POLICY) : [];
    expect(checks.filter((each) => each.state === "failed").map((each) => `${each.id}: ${each.why}`)).toEqual([
      "bound-before-entry: the batch was bound after the entry",
    ]);
  });

  it("is not suspected if its entry's own slot binds it", async () => {
    expect(await faultsOf({})).toEqual([]);
  });
});

describe("a post-dated batch", () => {
  it("is detected if no price as recent as its acceptance was public when it was bound", async () => {
    expect(await faultsOf({ bindLate: -3 })).toEqual([]);
    const faults = await faultsOf({ bindLate: -4 });
    expect(faults[0]).toMatch(/^heads: batch 1 was accepted 2[0-9]{3} ms after the newest price before head [0-9]+$/);
  });
});

describe("a batch that is post-dated with the help of another symbol", () => {
  // An outside source signs nothing, so the house can date its prices as it likes.
  const outside: WorldOptions = {
    symbols: ["EURUSD", "XAUUSD"],
    sources: { XAUUSD: [[-50_000n, "kraken"]] },
  };
  const ahead: WorldOptions = { ...outside, datedAhead: { XAUUSD: 25_000n } };
  const euro: TestOrder[] = [{ at: 30_130n }, { at: 30_130n, sealed: "revealed" }];
  const late = /^heads: order 1\/[01] was accepted 8[0-9]{3} ms after the newest price of EURUSD before head 46$/;

  it("is detected, whether its orders were in the open or sealed", async () => {
    expect(await faultsOf(ahead, euro)).toEqual([]);
    const faults = await faultsOf({ ...ahead, bindLate: -16 }, euro);
    expect(faults).toEqual([expect.stringMatching(late), expect.stringMatching(late)]);
  });

  it("is detected to the half second between two prices", async () => {
    expect(await faultsOf({ ...ahead, bindLate: -3 }, euro)).toEqual([]);
    expect(await faultsOf({ ...ahead, bindLate: -4 }, euro)).toHaveLength(2);
  });

  it("is detected if its settlements are in the log before the heads, or the prices long after both", async () => {
    for (const [kind, ms] of [
      ["heads", 900_000n],
      ["ticks", 900_000n],
      ["orders.settle", -540_000n],
    ] as const) {
      const time = (entry: TestEntry) => entry.time + (entry.kind === kind ? ms : 0n);
      const change = (entries: TestEntry[]) => entries.toSorted((left, right) => Number(time(left) - time(right)));
      const faults = await faultsOf({ ...ahead, change, bindLate: -16 }, euro);
      expect(faults.filter((each) => late.test(each))).toHaveLength(2);
    }
  });

  it("is detected if its orders are voided", async () => {
    const skip: WorldOptions["skip"] = (symbol, after) => symbol === "EURUSD" && after > 22_000n && after < 70_000n;
    const sources = { EURUSD: [[-50_000n, "kraken"]], XAUUSD: [[-50_000n, "kraken"]] } as const;
    const faults = await faultsOf({ ...ahead, sources, skip }, [{ at: 30_130n }]);
    expect(faults).toEqual(["heads: order 1/0 was accepted 8130 ms after the newest price of EURUSD before head 62"]);
  });

  it("is detected if no head before has a price of its symbol", async () => {
    const bendLines = (lines: string, k: number) => (k < 62 ? lines.replace(/^EURUSD.*\n/, "") : lines);
    expect(await faultsOf({ ...ahead, bendLines }, [{ at: 30_130n }])).toEqual([
      "heads: order 1/0 was accepted before head 62, and no head before it has a price of EURUSD",
    ]);
  });

  it.each([2_000n, 20_000n])("is not suspected of a symbol whose prices come every %i ms", async (gap) => {
    const sparse: WorldOptions = { ...outside, skip: (symbol, after) => symbol === "XAUUSD" && after % gap !== 0n };
    const placed: TestOrder[] = [
      ...euro,
      { at: 41_999n, symbol: "XAUUSD" },
      { at: 61_500n, symbol: "XAUUSD", durationSeconds: 30, sealed: "revealed" },
      { at: 95_130n },
    ];
    // Every 20 s, an order of the sparse symbol itself is voided for want of an entry price.
    const chosen = gap === 2_000n ? placed : placed.filter(({ symbol }) => symbol === undefined);
    expect(await faultsOf({ ...sparse, ordersPerBatch: 1 }, chosen)).toEqual([]);
  });
});

describe("a settlement that was held back and dated to when it was due", () => {
  const heldBack = (ms: bigint): WorldOptions => {
    const last = (entry: TestEntry) => entry.time + (entry.kind === "orders.settle" ? ms : 0n);
    return {
      isPunctual: true,
      change: (entries) => entries.toSorted((left, right) => Number(last(left) - last(right))),
    };
  };

  it("is detected from thirty seconds on", async () => {
    expect(await faultsOf(heldBack(0n))).toEqual([]);
    expect(await faultsOf(heldBack(25_000n))).toEqual([]);
    for (const held of [100_000n, 240_000n]) {
      const faults = await faultsOf(heldBack(held));
      expect(faults[0]).toMatch(/^settlements: the settlements of [0-9]+ were written [0-9]+ ms late$/);
    }
  });
});
