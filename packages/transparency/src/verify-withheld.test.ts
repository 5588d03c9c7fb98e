import type { Canonical } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { COSIGNED_AT, makeWorld, POLICY, type TestEntry } from "./testing.ts";
import { START, type TestOrder } from "./testing-house.ts";
import type { LogReport } from "./log-report.ts";
import { verifyLog } from "./verify-log.ts";

const orders: TestOrder[] = [{ at: 30_130n }, { at: 70_200n, symbol: "BTCUSD", durationSeconds: 120 }];

async function examine(change: (entries: TestEntry[]) => TestEntry[]): Promise<LogReport> {
  return verifyLog(nodeHashes, await makeWorld(nodeHashes, orders, { change }), POLICY);
}

function findings(report: LogReport, grade: "fault" | "note"): string[] {
  return report.findings.filter((each) => each.grade === grade).map((each) => `${each.check}: ${each.what}`);
}

/** Makes an entry that only gives the log a newer moment, that long after START (ms). */
function told(after: bigint, hash = "ab"): TestEntry {
  const at = START + after;
  return { time: at, kind: "approval", fields: { at, hash: hash.repeat(32), subject: "texts" } };
}

function withFields(entry: TestEntry, fields: TestEntry["fields"]): TestEntry {
  return { ...entry, fields: { ...entry.fields, ...fields } };
}

const without = (kind: string) => (entries: TestEntry[]) => entries.filter((entry) => entry.kind !== kind);

describe("an approval", () => {
  it("is a fault if it was logged late or twice", async () => {
    const late = (at: bigint, time: bigint, hash = "ab") => ({
      ...told(at),
      time: START + time,
      fields: { ...told(at).fields, hash: hash.repeat(32) },
    });
    const last = (...added: TestEntry[]) => examine((entries) => [...entries, ...added]);
    expect(findings(await last(late(570_000n, 0n), late(600_000n, 0n, "cd")), "fault")).toEqual([]);
    expect(findings(await last(late(560_000n, 0n)), "fault")).toEqual([
      "approvals: an approval of texts was written 39999 ms late",
    ]);
    expect(findings(await last(late(570_000n, 0n), late(590_000n, 0n)), "fault")).toEqual([
      "approvals: an approval of texts stands twice",
    ]);
  });
});

describe("an instrument whose prices end before the order's next one", () => {
  /** Verifies a log in which the order's exit is the instrument's last price, 90 s after the start. */
  const silent = async (after: bigint, bend: (outcome: string) => string = (outcome) => outcome) => {
    const world = await makeWorld(nodeHashes, orders, {
      skip: (symbol, time) => symbol === "EURUSD" && time > 90_000n,
      sources: { EURUSD: [[-50_000n, "kraken"]] },
      isSealed: true,
      change: (entries) => [
        ...entries.map((entry) => {
          if (entry.kind !== "orders.settle") return entry;
          const all = entry.fields["orders"] as Record<string, Canonical>[];
          const bent = all.map((order) =>
            Object.assign({}, order, order["symbol"] === "EURUSD" && { outcome: bend(order["outcome"] as string) }),
          );
          return { ...entry, fields: { ...entry.fields, orders: bent } };
        }),
        told(after),
      ],
    });
    return verifyLog(nodeHashes, world, POLICY);
  };
  const EXPIRY = 90_500n;
  const other = (outcome: string) => (outcome === "won" ? "lost" : "won");

  it("leaves the order waiting for ten minutes of the log, and then decided by the existing prices", async () => {
    const early = await silent(EXPIRY + 600_000n);
    expect([findings(early, "fault"), early.settled, early.waiting]).toEqual([[], 1, 1]);
    const late = await silent(EXPIRY + 600_001n);
    expect([findings(late, "fault"), late.settled, late.waiting]).toEqual([[], 2, 0]);
  });

  it("doesn't let the house choose the outcome", async () => {
    expect(findings(await silent(EXPIRY + 600_000n, other), "fault")).toEqual([]);
    expect(findings(await silent(EXPIRY + 600_001n, other), "fault").join()).toMatch(
      /^settlements: order 1\/0 was settled as (won|lost) on ticks 62 and 181; right is (won|lost|tied) on ticks 62 and 181$/,
    );
  });
});

describe("a house is detected that withholds", () => {
  it("a seed, once the log has moments from a minute after its epoch", async () => {
    const hidden = without("epoch.reveal");
    const ends = async (...moments: readonly bigint[]) =>
      findings(
        await examine((entries) => [...hidden(entries), ...moments.map((at, nth) => told(at, `${nth}a`))]),
        "fault",
      );
    expect(await ends(600_500n, 660_500n)).toEqual([]);
    expect(await ends(600_500n, 660_501n)).toEqual([
      `epochs: epoch 1 ended at ${START + 600_000n}, and its seed was not revealed`,
    ]);
    // The log stood still when the epoch ended, so a minute hasn't passed since.
    expect(await ends(4_200_000n)).toEqual([]);
  });

  it("a seed, once the log has a price from after its epoch", async () => {
    const ending = (before: bigint) => (entries: TestEntry[]) =>
      without("epoch.reveal")(entries).map((entry) =>
        entry.kind === "epoch.open" ? withFields(entry, { start: START - before }) : entry,
      );
    const ofSeed = async (before: bigint) =>
      findings(await examine(ending(before)), "fault").filter((fault) => fault.includes("was not revealed"));
    // The last price is from half a second before the end of ten minutes.
    expect(await ofSeed(499n)).toEqual([]);
    expect(await ofSeed(500n)).toEqual([`epochs: epoch 1 ended at ${START + 599_500n}, and its seed was not revealed`]);
  });

  it("a seed for a while (a note)", async () => {
    const late = await makeWorld(nodeHashes, orders, {
      change: (entries) => {
        const reveal = entries.filter((entry) => entry.kind === "epoch.reveal");
        const accepted = {
          acceptedAt: START + 612_000n,
          batch: 3,
          commitments: Buffer.alloc(32).toString("base64"),
          config: 1,
        };
        const order = { time: START + 612_000n, kind: "orders.accept", fields: accepted };
        return [...without("epoch.reveal")(entries), order, ...reveal];
      },
    });
    const report = await verifyLog(nodeHashes, late, POLICY);
    expect(findings(report, "fault")).toEqual([]);
    expect(findings(report, "note")).toContain("epochs: epoch 1: its seed was revealed late");
  });

  it("a commit until just before its opening (a note)", async () => {
    const accepted = {
      acceptedAt: START - 65_000n,
      batch: 3,
      commitments: Buffer.alloc(32).toString("base64"),
      config: 1,
    };
    const order = { time: START - 65_000n, kind: "orders.accept", fields: accepted };
    const moved = (time: bigint) => (entries: TestEntry[]) =>
      [...entries.map((entry) => (entry.kind === "epoch.commit" ? { ...entry, time } : entry)), order].toSorted(
        (left, right) => Number(left.time - right.time),
      );
    const note = "epochs: epoch 1: short notice between its commit and its opening";
    expect(findings(await examine(moved(START - 50_000n)), "note")).toContain(note);
    expect(findings(await examine(moved(START - 80_000n)), "note")).not.toContain(note);
  });

  it("all heads, or all from one on", async () => {
    expect(findings(await examine(without("heads")), "fault")).toEqual([
      "heads: tick 1 of EURUSD and what came after it stand in no head",
      "heads: batch 1 and those after it are bound by no head",
    ]);
    const upTo = (through: number) => (entries: TestEntry[]) =>
      entries.filter((entry) => entry.kind !== "heads" || Number(entry.fields["to"]) <= through);
    expect(findings(await examine(upTo(600)), "fault")).toEqual([
      "heads: tick 601 of EURUSD and what came after it stand in no head",
    ]);
    expect(findings(await examine(upTo(1_080)), "fault")).toEqual([
      "heads: tick 1081 of EURUSD and what came after it stand in no head",
    ]);
    // If the last minute's prices are still to come, its heads may be too.
    const lastMinute = (entry: TestEntry) => entry.kind === "ticks" && entry.time > START + 599_000n;
    const early = (entries: TestEntry[]) => upTo(1_080)(entries).filter((entry) => !lastMinute(entry));
    expect(findings(await examine(early), "fault").filter((fault) => fault.startsWith("heads"))).toEqual([]);
  });

  describe("heads and prices both, while orders are accepted", () => {
    const acceptedAt = (after: bigint, nth: number): TestEntry => {
      const at = START + after;
      const commitments = Buffer.alloc(32).toString("base64");
      return {
        time: at,
        kind: "orders.accept",
        fields: { acceptedAt: at, batch: 1 + nth, commitments, config: 1 },
      };
    };
    /**
     * Returns faults of a log with only these orders and `more` entries, cosigned that long after START (times in ms).
     */
    const ofPrices = async (orders: readonly bigint[], cosigned: bigint, more: readonly TestEntry[] = []) => {
      const change = (entries: TestEntry[]) =>
        [...entries.filter((entry) => entry.time < START), ...orders.map(acceptedAt), ...more].toSorted((left, right) =>
          Number(left.time - right.time),
        );
      const cosignedAt = (START + cosigned) / 1_000n;
      const report = await verifyLog(nodeHashes, await makeWorld(nodeHashes, [], { change, cosignedAt }), POLICY);
      return findings(report, "fault").filter((fault) => fault.startsWith("prices"));
    };
    const START_TEXT = new Date(Number(START)).toISOString();
    const fault = (after: number) => [
      `prices: orders were accepted in the minute of ${START_TEXT} and ${after} s after it, and no price of it followed`,
    ];

    it("is reported within half a minute of the minute's end, however few the orders are", async () => {
      expect(await ofPrices([30_000n, 80_001n], 91_000n)).toEqual(fault(20));
      expect(await ofPrices([30_000n, 105_000n], 116_000n)).toEqual(fault(45));
      const each = Array.from({ length: 180 }, (_, nth) => BigInt(nth) * 500n);
      expect(await ofPrices(each, 90_000n)).toEqual([]);
      expect(await ofPrices(each, 91_000n)).toEqual(fault(20));
    });

    it("is not reported of a house that is slow, pauses or has no orders", async () => {
      // It may accept orders until 20 s after the minute's end, and has 10 s for the prices after a later order.
      expect(await ofPrices([30_000n, 80_000n], 600_000n)).toEqual([]);
      expect(await ofPrices([30_000n, 80_001n], 90_000n)).toEqual([]);
      // It has stood still since, or did in between.
      expect(await ofPrices([30_000n], 3_600_000n)).toEqual([]);
      expect(await ofPrices([30_000n, 3_600_000n], 3_605_000n)).toEqual([]);
      // Near a minute's start, the previous minute's last price is fresh enough.
      expect(await ofPrices([1_999n, 100_000n], 120_000n)).toEqual([]);
      expect(await ofPrices([2_000n, 100_000n], 120_000n)).toEqual(fault(40));
      expect(await ofPrices([], 3_600_000n)).toEqual([]);
    });

    it("is reported of a house that keeps writing prices, but minutes late", async () => {
      const symbol = "EURUSD";
      const minute = (nth: bigint): TestEntry => ({
        time: START + 200_000n + nth,
        kind: "ticks",
        fields: { count: 1, from: 1n + nth, hash: "ab".repeat(32), symbol, time: START + nth * 60_000n, to: 1n + nth },
      });
      const orders = [30_000n, 90_000n, 150_000n, 210_000n];
      const isTraded = (found: readonly string[]) => found.filter((each) => each.includes("accepted in the minute"));
      expect(isTraded(await ofPrices(orders, 240_000n, [minute(0n)]))).toHaveLength(1);
      expect(isTraded(await ofPrices(orders, 240_000n, [minute(0n), minute(1n)]))).toHaveLength(1);
      expect(isTraded(await ofPrices(orders, 240_000n, [minute(0n), minute(1n), minute(2n)]))).toEqual([]);
    });
  });

  it("ticks from the heads", async () => {
    const skipping = (entries: TestEntry[]) =>
      entries.map((entry) => {
        if (entry.kind !== "heads" || entry.fields["from"] !== 121) return entry;
        const ticks = { ...(entry.fields["ticks"] as Record<string, number[]>) };
        ticks["EURUSD"] = [122, ...ticks["EURUSD"]!.slice(1, -1), 0];
        return { ...entry, fields: { ...entry.fields, ticks } };
      });
    expect(findings(await examine(skipping), "fault")).toContain(
      "heads: head 121 goes on with tick 122 of EURUSD, not with 121",
    );
  });

  it("prices of a head with a time, half a minute after it, by the log's or the checkpoint's time", async () => {
    const end = START + 60_000n;
    const rests =
      (time: bigint, more: readonly TestEntry[] = []) =>
      (entries: TestEntry[]) => {
        const heads = entries.filter((entry) => entry.kind === "heads").slice(0, 1);
        const begun = entries.filter((entry) => entry.time < START && entry.kind !== "heads");
        return [...begun, ...heads.map((entry) => withFields(entry, { time })), ...more];
      };
    const unpriced = "heads: head 1 names prices that the log does not have";
    const cosigned = COSIGNED_AT * 1_000n;
    expect(findings(await examine(rests(cosigned - 30_000n)), "fault")).not.toContain(unpriced);
    expect(findings(await examine(rests(cosigned - 30_001n)), "fault")).toContain(unpriced);
    const early = (time: bigint, more: readonly TestEntry[]) =>
      makeWorld(nodeHashes, orders, { change: rests(time, more), cosignedAt: end / 1_000n });
    const ofLog = async (time: bigint, more: readonly TestEntry[]) =>
      findings(await verifyLog(nodeHashes, await early(time, more), POLICY), "fault");
    // The time can't be put off indefinitely.
    const far = COSIGNED_AT * 1_000n + 120_000n;
    const putOff = (time: bigint) => `heads: its prices are put off until ${time}`;
    expect(findings(await examine(rests(far)), "fault")).not.toContain(putOff(far));
    expect(findings(await examine(rests(far + 1n)), "fault")).toContain(putOff(far + 1n));
    expect(await ofLog(end, [told(90_000n)])).not.toContain(unpriced);
    expect(await ofLog(end, [told(90_001n)])).toContain(unpriced);
  });

  it("prices of a head without a time, ten minutes after the log's next moment", async () => {
    // The log stood still for an hour, so its last moment before the heads says nothing about when prices were due.
    const rests = (after: bigint) => (entries: TestEntry[]) => {
      const heads = entries.filter((entry) => entry.kind === "heads");
      const begun = entries.filter((entry) => entry.time < START && entry.kind !== "heads");
      return [...begun, ...heads.slice(0, 1), told(3_600_000n), told(3_600_000n + after)].map((entry, place) =>
        entry.kind === "approval" ? withFields(entry, { hash: `${place % 10}a`.repeat(32) }) : entry,
      );
    };
    const unpriced = "heads: head 1 names prices that the log does not have";
    expect(findings(await examine(rests(600_000n)), "fault")).not.toContain(unpriced);
    expect(findings(await examine(rests(600_001n)), "fault")).toContain(unpriced);
  });

  it("settlements, even if an instrument's prices stopped long ago", async () => {
    const unsettled = without("orders.settle");
    const limit = 30_130n + 4_210_000n;
    const until = (after: bigint) => (entries: TestEntry[]) => [...unsettled(entries), told(after)];
    expect(findings(await examine(until(limit)), "fault").join()).not.toContain("never settled");
    expect(findings(await examine(until(limit + 1n)), "fault")).toContain(
      "settlements: 2 of batch 1 were accepted and never settled",
    );
  });
});
