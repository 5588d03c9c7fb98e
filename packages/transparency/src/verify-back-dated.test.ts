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

async function faultsOf(options: WorldOptions): Promise<string[]> {
  const { findings } = await verifyLog(nodeHashes, await makeWorld(nodeHashes, orders, options), POLICY);
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
