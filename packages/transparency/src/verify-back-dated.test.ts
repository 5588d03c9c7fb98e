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

/** The house writes each batch into the log when it binds it, and says that it took it so much earlier. */
function writtenLate(ms: bigint): Pick<WorldOptions, "change"> {
  const late = (entry: TestEntry) => entry.time + (entry.kind === "orders.accept" ? ms : 0n);
  return { change: (entries) => entries.toSorted((left, right) => Number(late(left) - late(right))) };
}

async function faultsOf(options: WorldOptions): Promise<string[]> {
  const { findings } = await verifyLog(nodeHashes, await makeWorld(nodeHashes, orders, options), POLICY);
  return findings.filter((each) => each.grade === "fault").map((each) => `${each.check}: ${each.what}`);
}

describe("a batch that was put into the past", () => {
  it.each([
    [2, 4],
    [25, 50],
    [90, 180],
  ])("by %i s is found in the log by everybody", async (seconds, slots) => {
    const faults = await faultsOf({ bindLate: slots, ...writtenLate(BigInt(seconds) * 1_000n) });
    expect(faults).toContain("heads: order 1/0 was bound after its entry, tick 62, was public");
    expect(faults).toContain("heads: order 1/2 was bound after its entry, tick 62, was public");
    expect(faults).toContain("heads: order 2/0 was bound after its entry, tick 542, was public");
  });

  it("is found where its settlement is in the log before the head that binds it", async () => {
    const last = (entry: TestEntry) => (entry.kind === "heads" ? entry.time + 900_000n : entry.time);
    const change = (entries: TestEntry[]) => entries.toSorted((left, right) => Number(last(left) - last(right)));
    expect(await faultsOf({ change })).toEqual([]);
    expect(await faultsOf({ change, bindLate: 4 })).toContain(
      "heads: order 1/0 was bound after its entry, tick 62, was public",
    );
  });

  it.each([4, 50, 180])("%i slots ago is found in its member's receipt", async (bindLate) => {
    const world = await makeWorld(nodeHashes, orders, { bindLate });
    const parsed = parseReceipt(await world.receipt(0));
    const checks = parsed.ok ? verifyReceipt(nodeHashes, parsed.receipt, POLICY) : [];
    expect(checks.filter((each) => each.state === "failed").map((each) => `${each.id}: ${each.why}`)).toEqual([
      "bound-before-entry: the batch was bound after the entry",
    ]);
  });

  it("is no batch that the very slot of its entry binds", async () => {
    expect(await faultsOf({})).toEqual([]);
  });
});

describe("a batch that was said to be later than it was", () => {
  it("is found where no price of its moment was public when it was bound", async () => {
    expect(await faultsOf({ bindLate: -3 })).toEqual([]);
    const faults = await faultsOf({ bindLate: -4 });
    expect(faults[0]).toMatch(/^heads: batch 1 was accepted 2[0-9]{3} ms after the newest price before head [0-9]+$/);
  });
});
