import type { Canonical } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { parseReceipt } from "./receipt.ts";
import { makeWorld, POLICY, type TestEntry, type World, type WorldOptions } from "./testing.ts";
import { START, type TestOrder } from "./testing-house.ts";
import { verifyLog } from "./verify-log.ts";
import { verifyReceipt } from "./verify-receipt.ts";

// The log names the source of prices in advance, and every minute names it again. No other claim of a source counts.

/** Its entry is at 30.5 s, its exit a minute later. */
const orders: TestOrder[] = [{ at: 30_130n }];
const MOVE = 150_000n;
const BACK = 420_000n;

async function examine(options: WorldOptions): Promise<{ world: World; faults: string[]; notes: string[] }> {
  const world = await makeWorld(nodeHashes, orders, options);
  const { findings } = await verifyLog(nodeHashes, world, POLICY);
  const of = (grade: string) =>
    findings.filter((each) => each.grade === grade).map((each) => `${each.check}: ${each.what}`);
  return { world, faults: of("fault"), notes: of("note") };
}

async function notOk(world: World, change: (receipt: Record<string, unknown>) => void = () => undefined) {
  const json = structuredClone(await world.receipt(0));
  change(json);
  const parsed = parseReceipt(json);
  if (!parsed.ok) throw new Error(parsed.fault);
  const bad = verifyReceipt(nodeHashes, parsed.receipt, POLICY).filter(({ state }) => state !== "ok");
  return Object.fromEntries(bad.map(({ id, state, why }) => [id, `${state}: ${why}`]));
}

/** Changes the fields of EURUSD's `ticks` entries. */
function minutes(change: (fields: Record<string, Canonical>) => Record<string, Canonical>) {
  return (entries: TestEntry[]) =>
    entries.map((entry) =>
      entry.kind === "ticks" && entry.fields["symbol"] === "EURUSD"
        ? { ...entry, fields: change({ ...entry.fields }) }
        : entry,
    );
}

describe("an honest log", () => {
  it("has no fault if it names no sources, like older logs", async () => {
    const { world, faults } = await examine({ sources: null });
    expect(faults).toEqual([]);
    expect(await notOk(world)).toEqual({});
  });

  it("has no fault if it first names a source in the middle", async () => {
    const { world, faults } = await examine({ sources: { EURUSD: [[61_000n, "SM1"]], BTCUSD: [[61_000n, "SM1"]] } });
    expect(faults).toEqual([]);
    expect(await notOk(world)).toEqual({});
  });

  // The market stands still while it changes to another source, so those ticks are in no log.
  const standing = (symbol: string, after: bigint) =>
    symbol === "EURUSD" && [MOVE, BACK].some((moved) => after >= moved - 5_000n && after < moved);
  const outsideFor = (price: bigint) => ({ symbol: "EURUSD", tick: Number((MOVE + price) / 500n), by: 777n });

  it("has no fault if an instrument leaves the simulated market in the middle of an epoch, whatever its prices then", async () => {
    const moved = await examine({
      sources: {
        EURUSD: [
          [-50_000n, "SM1"],
          [MOVE, "binance+kraken"],
        ],
      },
      skip: standing,
      bendPrice: outsideFor(60_000n),
    });
    expect(moved.faults).toEqual([]);
    expect(moved.notes).toContain(`sources: EURUSD comes from binance+kraken from ${START + MOVE} on`);
    expect(await notOk(moved.world)).toEqual({});
  });

  it("has no fault if an instrument returns to or joins the simulated market", async () => {
    const there = { skip: standing, bendPrice: outsideFor(60_000n) };
    const back = await examine({
      ...there,
      sources: {
        EURUSD: [
          [-50_000n, "SM1"],
          [MOVE, "kraken"],
          [BACK, "SM1"],
        ],
      },
    });
    expect(back.faults).toEqual([]);
    const joined = await examine({
      sources: {
        EURUSD: [
          [-50_000n, "kraken"],
          [MOVE, "SM1"],
        ],
      },
      bendPrice: { symbol: "EURUSD", tick: 61, by: 5n },
    });
    expect(joined.faults).toEqual([]);
    expect(await notOk(joined.world, (receipt) => Object.assign(receipt, { source: "outside" }))).toEqual({});
  });

  it("has no fault for an order with a simulated entry and an outside exit", async () => {
    const { world, faults } = await examine({
      sources: {
        EURUSD: [
          [-50_000n, "SM1"],
          [60_000n, "kraken"],
        ],
      },
      bendPrice: { symbol: "EURUSD", tick: 181, by: 9n },
    });
    expect(faults).toEqual([]);
    const bothWords = async (receipt: Record<string, unknown>) => {
      const words = receipt["sources"] as { entry: string }[];
      expect(words).toHaveLength(1);
    };
    const found = await notOk(world, (receipt) => void bothWords(receipt));
    // This receipt has only one of the two `source` entries.
    expect(found).toEqual({ source: "failed: the entry that names the source is left out" });
  });
});

describe("a house that lies about its source is detected", () => {
  it("in the receipt if it lies only there", async () => {
    const { world } = await examine({ bendPrice: { symbol: "EURUSD", tick: 61, by: 5n } });
    const lie = (receipt: Record<string, unknown>) => Object.assign(receipt, { source: "outside", epochs: [] });
    expect(await notOk(world, lie)).toEqual({ source: "failed: the log names another source" });
    expect(await notOk(world)).toEqual({ replay: "failed: the seed makes another price" });
  });

  it("in the log if a minute names another source, and in the receipt by the missing `source` entry", async () => {
    const { world, faults } = await examine({
      bendPrice: { symbol: "EURUSD", tick: 61, by: 5n },
      change: minutes((fields) => ({ ...fields, sources: [{ since: START - 50_000n, source: "kraken" }] })),
    });
    expect(faults).toContain(
      `sources: EURUSD's minute ${START} is said to come from kraken since ${START - 50_000n}; in force was SM1 since ${START - 50_000n}`,
    );
    expect(faults.join()).toContain("is not the one that was published");
    const lie = (receipt: Record<string, unknown>) => Object.assign(receipt, { source: "outside", epochs: [] });
    expect(await notOk(world, lie)).toEqual({ source: "failed: the entry that names the source is left out" });
  });

  it("by a minute that names no source", async () => {
    const { faults } = await examine({
      change: minutes(({ sources: _left, ...fields }) => fields),
    });
    expect(faults[0]).toBe(
      `sources: EURUSD's minute ${START} is said to come from nowhere; in force was SM1 since ${START - 50_000n}`,
    );
  });

  it("by an instrument without a source while others have one", async () => {
    const { faults } = await examine({ sources: { EURUSD: [] } });
    expect(faults).toContain("sources: EURUSD has prices, and nobody said where they come from");
  });

  const late = (write: bigint, since: bigint) => (entries: TestEntry[]) =>
    [
      ...entries,
      { time: START + write, kind: "source", fields: { since: START + since, source: "kraken", symbol: "EURUSD" } },
    ].toSorted((left, right) => Number(left.time - right.time));

  it("by a source named after the fact, which is ignored", async () => {
    const bendPrice = { symbol: "EURUSD", tick: 365, by: 5n };
    // The log has a later moment by then.
    const acceptedAt = START + 590_000n;
    const told = { acceptedAt, batch: 2, commitments: Buffer.alloc(32).toString("base64"), config: 1 };
    const change = (entries: TestEntry[]) =>
      late(200_000n, 182_000n)([...entries, { time: START + 199_000n, kind: "orders.accept", fields: told }]);
    const { faults: all } = await examine({ bendPrice, change });
    const faults = all.filter((fault) => !fault.startsWith("heads"));
    expect(faults).toEqual([
      "sources: EURUSD: its source kraken is named after the fact",
      "epochs: epoch 1: tick 365 of EURUSD is not the one that was published",
    ]);
    const priced = await examine({ change: late(200_000n, 170_000n) });
    expect(priced.faults).toEqual(["sources: EURUSD: its source kraken is named for prices that were there already"]);
    const older = await examine({ change: late(200_000n, -60_000n) });
    expect(older.faults).toEqual(["sources: EURUSD: its source kraken is named for a time that was over"]);
  });

  it("by simulated prices that are from no epoch", async () => {
    const { faults } = await examine({
      change: (entries) => entries.filter(({ kind }) => !kind.startsWith("epoch.") && kind !== "params"),
    });
    expect(faults).toContain("epochs: EURUSD has a tick outside every opened epoch");
  });

  it("by unsigned prices with Pyth as the only source", async () => {
    const { faults, world } = await examine({ sources: { EURUSD: [[-50_000n, "pyth"]] } });
    expect(faults[0]).toBe("quotes: EURUSD tick 1: its only source signs every price, and this one is not signed");
    const outside = (receipt: Record<string, unknown>) => Object.assign(receipt, { source: "outside", epochs: [] });
    expect(await notOk(world, outside)).toEqual({
      quotes: "failed: its only source signs every price, and this one is not signed",
    });
  });

  it("by quotes of a source that it doesn't name", async () => {
    const { faults } = await examine({
      symbols: ["BTCUSD"],
      quoted: { symbol: "BTCUSD" },
      sources: { BTCUSD: [[-50_000n, "kraken+pyth"]] },
    });
    expect(faults[0]).toBe("quotes: BTCUSD tick 1: it is made of a source that is not named");
  });
});

describe("an entry that comes hours late", () => {
  /** Moves the chosen entries behind 1,100 others that are more than an hour later. */
  const late = (isLate: (entry: TestEntry) => boolean) => (entries: TestEntry[]) => {
    const hour = Array.from({ length: 1_100 }, (_, nth) => {
      const acceptedAt = START + 5_000_000n + BigInt(nth);
      const commitments = Buffer.alloc(32).toString("base64");
      return {
        time: acceptedAt,
        kind: "orders.accept",
        fields: { acceptedAt, batch: 2 + nth, commitments, config: 1 },
      };
    });
    return [...entries.filter((entry) => !isLate(entry)), ...hour, ...entries.filter(isLate)];
  };
  const seed = late(({ kind }) => kind === "epoch.reveal");
  const bendPrice = { symbol: "EURUSD", tick: 365, by: 5n };
  const found = ["epochs: epoch 1: tick 365 of EURUSD is not the one that was published"];

  it("is noted if it reveals a seed, and its prices are still compared", async () => {
    const { faults, notes } = await examine({ change: seed });
    expect(faults).toEqual([]);
    expect(notes).toContain("epochs: epoch 1: its seed was revealed late");
    expect((await examine({ change: seed, bendPrice })).faults).toEqual(found);
  });

  it("doesn't stop the comparison of an epoch's prices if its last minute is late too", async () => {
    const change = late(
      ({ kind, fields }) =>
        kind === "epoch.reveal" || (kind === "ticks" && BigInt(fields["time"] as string) >= START + 540_000n),
    );
    const made = (faults: readonly string[]) => faults.filter((fault) => fault.startsWith("epochs"));
    expect(made((await examine({ change })).faults)).toEqual([]);
    expect(made((await examine({ change, bendPrice })).faults)).toEqual(found);
  });
});
