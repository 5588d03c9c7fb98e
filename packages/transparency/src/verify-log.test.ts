import { type Canonical, type Points } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import type { LogCheckId } from "./log-finding.ts";
import { portableHashes } from "./portable-hashes.ts";
import { makeWorld, POLICY, type TestEntry, type World, type WorldOptions } from "./testing.ts";
import { START, type TestOrder } from "./testing-house.ts";
import type { LogReader } from "./tile-tree.ts";
import type { LogReport } from "./log-report.ts";
import { verifyLog } from "./verify-log.ts";

const orders: TestOrder[] = [
  { at: 30_130n },
  { at: 30_130n, direction: "down" },
  { at: 30_130n, symbol: "BTCUSD", durationSeconds: 30 },
  { at: 70_200n, durationSeconds: 120 },
  { at: 70_200n, limitPrice: 1n as Points },
  { at: 70_200n, symbol: "BTCUSD", durationSeconds: 300 },
];

async function examine(options: WorldOptions = {}, tamper?: (world: World) => void): Promise<LogReport> {
  const world = await makeWorld(nodeHashes, orders, options);
  tamper?.(world);
  return verifyLog(nodeHashes, world, POLICY);
}

function faults(report: LogReport): string[] {
  return report.findings.filter((each) => each.grade === "fault").map((each) => `${each.check}: ${each.what}`);
}

/** Rewrites the fields of one kind's entries. */
function rewrite(kind: string, change: (fields: Record<string, Canonical>, nth: number) => Record<string, Canonical>) {
  let nth = -1;
  return (entries: TestEntry[]) =>
    entries.map((entry) => {
      if (entry.kind !== kind) return entry;
      nth += 1;
      return { time: entry.time, kind, fields: change({ ...entry.fields }, nth) };
    });
}

function reorder(order: (entry: TestEntry) => bigint) {
  return (entries: TestEntry[]) => entries.toSorted((left, right) => Number(order(left) - order(right)));
}

function settledOrder(change: (order: Record<string, Canonical>) => Record<string, Canonical>) {
  return rewrite("orders.settle", (fields) => {
    const [first, ...rest] = fields["orders"] as Record<string, Canonical>[];
    return { ...fields, orders: [change({ ...first! }), ...rest] };
  });
}

describe("an honest log", () => {
  it("passes verification of every entry, price, epoch and settlement", async () => {
    const report = await examine();
    expect(faults(report)).toEqual([]);
    expect(report).toMatchObject({ accepted: 6, settled: 6, waiting: 0, epochs: 1, prices: 2_400 });
    expect(report.witnesses).toEqual(["witness.example/w1"]);
    expect(report.entries).toBe(report.checkpoint?.size);
    expect(report.findings.map((each) => each.what)).toEqual([
      "epoch 1: nothing was mixed in but the commit itself",
      "the log names no release: what came late in it is not found fault with",
    ]);
  });

  it("passes verification in plain JavaScript too", async () => {
    const world = await makeWorld(portableHashes, orders);
    expect(faults(await verifyLog(portableHashes, world, POLICY))).toEqual([]);
  });
});

/** Makes a `liabilities` entry written at the log's end, for that day or for one `daysLater`. */
function owed(sum: number, daysLater = 0): TestEntry {
  const at = START + 600_000n;
  const day = Number(at / 86_400_000n) + daysLater;
  const fields = { at: Number(at), day, members: 1, root: "ab".repeat(32), sum: String(sum), wallet: "real" };
  return { time: at, kind: "liabilities", fields };
}

const flip = (digit: string) => (digit === "0" ? "1" : "0");

describe("a house that cheats is detected", () => {
  it.each<[LogCheckId, string, (entries: TestEntry[]) => TestEntry[], string]>([
    [
      "settlements",
      "another outcome",
      settledOrder((order) => ({ ...order, outcome: order["outcome"] === "won" ? "lost" : "won" })),
      "order 1/0 was settled as",
    ],
    [
      "settlements",
      "another direction",
      settledOrder((order) => ({ ...order, direction: order["direction"] === "up" ? "down" : "up" })),
      "order 1/0 was settled as",
    ],
    [
      "settlements",
      "another exit tick",
      settledOrder((order) => ({ ...order, exitSeq: Number(order["exitSeq"]) - 1 })),
      "right is",
    ],
    [
      "settlements",
      "another entry tick",
      settledOrder((order) => ({ ...order, entrySeq: Number(order["entrySeq"]) + 1 })),
      "right is",
    ],
    ["liabilities", "a second sum of one day", (entries) => [...entries, owed(100), owed(90)], "is published twice"],
    ["liabilities", "a sum of another day", (entries) => [...entries, owed(100, 3)], "was read on another day"],
    ["settlements", "a longer duration", settledOrder((order) => ({ ...order, duration: 120 })), "right is"],
    [
      "settlements",
      "a void of a won order",
      settledOrder((order) => ({ ...order, outcome: "voided", voidReason: "STALE_EXIT" })),
      "STALE_EXIT on ticks",
    ],
    [
      "settlements",
      "another time of acceptance",
      settledOrder((order) => ({ ...order, acceptedAt: Number(order["acceptedAt"]) + 1_000 })),
      "order 1/0 is not what its batch holds",
    ],
    [
      "settlements",
      "an order that was never accepted",
      settledOrder((order) => ({ ...order, batch: 99 })),
      "order 99/0 was never accepted",
    ],
    [
      "settlements",
      "an order twice",
      rewrite("orders.settle", (fields) => {
        const orders = fields["orders"] as Canonical[];
        return { ...fields, orders: [...orders.slice(0, 1), ...orders] };
      }),
      "order 1/0 is settled twice",
    ],
    [
      "acceptances",
      "a back-dated batch",
      reorder((entry) => (entry.kind === "orders.accept" ? entry.time + 200_000n : entry.time)),
      "was written",
    ],
    [
      "acceptances",
      "a batch number used twice",
      rewrite("orders.accept", (fields) => ({ ...fields, batch: 1 })),
      "batch 1 stands twice",
    ],
    [
      "prices",
      "a minute left out",
      (entries) => entries.filter((entry) => entry.kind !== "ticks" || entry.fields["from"] !== 121n),
      "does not go on from tick 120",
    ],
    [
      "prices",
      "a minute of other prices",
      rewrite("ticks", (fields, nth) => (nth === 3 ? { ...fields, hash: "00".repeat(32) } : fields)),
      "is not what its entry hashes",
    ],
    [
      "epochs",
      "another seed",
      rewrite("epoch.reveal", (fields) => ({ ...fields, seed: "12".repeat(32) })),
      "the seed is not the one committed to",
    ],
    [
      "epochs",
      "another start of the walk",
      rewrite("epoch.reveal", (fields) => ({
        ...fields,
        from: { ...(fields["from"] as object), EURUSD: ["4660039516160000", 2] },
      })),
      "EURUSD does not go on from where it stood",
    ],
    [
      "epochs",
      "a mix of the house's choice",
      rewrite("epoch.open", (fields) => ({ ...fields, mix: "00".repeat(32) })),
      "mix is not made of the commit",
    ],
    [
      "epochs",
      "a commit after the opening",
      reorder((entry) => (entry.kind === "epoch.commit" ? START - 1n : entry.time)),
      "epoch 1 was never committed to",
    ],
    [
      "epochs",
      "an opening after the start",
      reorder((entry) => (entry.kind === "epoch.open" ? START + 60_001n : entry.time)),
      "epoch 1 was opened after its start",
    ],
    [
      "epochs",
      "no seed for prices outside an epoch",
      rewrite("epoch.open", (fields) => ({ ...fields, start: START + 60_000n })),
      "has a tick outside every opened epoch",
    ],
    [
      "heads",
      "another head",
      rewrite("heads", (fields) => ({
        ...fields,
        heads: (fields["heads"] as string[]).map((head) => head.replace(/^./, flip)),
      })),
      "head 1 is not made of the log's batches and prices",
    ],
    [
      "heads",
      "an order's commitment changed after it was bound",
      rewrite("orders.accept", (fields, nth) =>
        nth === 0 ? { ...fields, commitments: (fields["commitments"] as string).replace(/^./, "Z") } : fields,
      ),
      "is not made of the log's batches and prices",
    ],
    [
      "heads",
      "a head that names a tick too many",
      rewrite("heads", (fields) => ({
        ...fields,
        ticks: { ...(fields["ticks"] as object), EURUSD: [1, 2, ...Array.from({ length: 119 }, () => 1)] },
      })),
      "head 1 is not made of the log's batches and prices",
    ],
    [
      "heads",
      "a batch put after the head that should bind it",
      reorder((entry) => (entry.kind === "orders.accept" ? entry.time + 200_000n : entry.time)),
      "stands behind a head that binds all up to",
    ],
    [
      "heads",
      "a head left out",
      rewrite("heads", (fields, nth) => (nth === 1 ? { ...fields, from: 122, to: 241 } : fields)),
      "head 122 follows 120",
    ],
    [
      "configurations",
      "a configuration logged after it took effect",
      reorder((entry) => (entry.kind === "config" ? START + 30_131n : entry.time)),
      "was written after it began to bind",
    ],
    [
      "configurations",
      "another configuration",
      rewrite("config", (fields) => ({ ...fields, hash: "00".repeat(32) })),
      "config/1 is not what its entry hashes",
    ],
    [
      "configurations",
      "another policy",
      rewrite("policy", (fields) => ({ ...fields, hash: "00".repeat(32) })),
      "policy/regions/1 is not what its entry hashes",
    ],
    [
      "configurations",
      "a policy with another date than in its entry",
      rewrite("policy", (fields) => ({ ...fields, effectiveAt: START })),
      "policy/regions/1 is not what its entry hashes",
    ],
    [
      "configurations",
      "a policy left out",
      rewrite("policy", (fields) => ({ ...fields, version: 2 })),
      "version 2 of regions follows 0",
    ],
    [
      "configurations",
      "a later policy logged after it took effect",
      (entries) =>
        reorder((entry) => (entry.kind === "policy" ? START + 30_131n : entry.time))(
          rewrite("policy", (fields) => ({ ...fields, version: 2 }))(entries),
        ),
      "version 2 of regions was written after it began to bind",
    ],
    [
      "entry",
      "an entry with an unknown field",
      rewrite("params", (fields) => ({ ...fields, secret: 1 })),
      "entry.secret is unknown",
    ],
  ])("%s: %s", async (check, _what, change, message) => {
    const report = await examine({ change });
    const found = report.findings.filter((each) => each.grade === "fault" && each.check === check);
    expect(found.map((each) => each.what).join("\n")).toContain(message);
  });

  it("by the seed, even if prices, their hashes and the settlements agree with each other", async () => {
    const report = await examine({ bendPrice: { symbol: "EURUSD", tick: 300, by: 5n } });
    expect(faults(report)).toEqual(["epochs: epoch 1: tick 300 of EURUSD is not the one that was published"]);
  });

  it("by orders that were accepted and never settled", async () => {
    const world = await makeWorld(nodeHashes, [{ at: -5_000_000n }], {
      change: (entries) => entries.filter((entry) => entry.kind !== "orders.settle"),
    });
    expect(faults(await verifyLog(nodeHashes, world, POLICY))).toEqual([
      "configurations: batch 1 was agreed under version 1; in force was none",
      "settlements: 1 of batch 1 were accepted and never settled",
    ]);
  });
});

describe("a log", () => {
  it("is checked against its checkpoint, bundle by bundle and byte by byte", async () => {
    const bent = (world: World) => {
      const [path, bytes] = [...world.files].find(([path]) => path.startsWith("tile/entries"))!;
      const copy = Uint8Array.from(bytes);
      const place = Buffer.from(bytes).indexOf('"seed":"11') + 9;
      copy[place] = "2".charCodeAt(0);
      world.files.set(path, copy);
    };
    expect(faults(await examine({}, bent))).toContain("tree: the entries do not hash to the checkpoint's root");
    const lost = (world: World) => {
      for (const path of world.files.keys()) if (path.startsWith("tile/entries")) world.files.delete(path);
    };
    expect(faults(await examine({}, lost))[0]).toMatch(/^tree: tile\/entries\/000\.p\/\d+ is missing$/);
    expect(faults(await examine({}, (world) => world.files.delete("checkpoint")))).toEqual([
      "checkpoint: there is no checkpoint",
    ]);
    const world = await makeWorld(nodeHashes, orders);
    const other = { ...POLICY, logKeys: [], witnessKeys: [] };
    expect(faults(await verifyLog(nodeHashes, world, other))).toEqual(["checkpoint: unsigned"]);
    const unwatched = await verifyLog(nodeHashes, world, { ...POLICY, witnessKeys: [] });
    expect(faults(unwatched)).toEqual(["checkpoint: 0 of 1 witnesses cosigned"]);
  });

  it("must extend the earlier checkpoint, and fails with one of another history", async () => {
    const whole = await makeWorld(nodeHashes, orders);
    const early = await makeWorld(nodeHashes, orders, { change: (entries) => entries.slice(0, 20) });
    const report = await verifyLog(nodeHashes, whole, POLICY, early.checkpoint);
    expect(faults(report)).toEqual([]);
    expect(report).toMatchObject({ entries: whole.size, epochs: 1, settled: 6 });
    const forked = await makeWorld(nodeHashes, orders, {
      change: (entries) => entries.slice(0, 20).toReversed(),
    });
    const message = "tree: the log did not grow out of the earlier checkpoint: it was forked or rolled back";
    expect(faults(await verifyLog(nodeHashes, whole, POLICY, forked.checkpoint))).toEqual([message]);
    expect(faults(await verifyLog(nodeHashes, early, POLICY, whole.checkpoint))).toEqual([message]);
    const noise = "not a note\n";
    expect(faults(await verifyLog(nodeHashes, whole, POLICY, noise))).toEqual([
      "checkpoint: the earlier checkpoint: malformed",
    ]);
  });

  it("has no fault with any earlier checkpoint of its own, but has one if later entries are falsified", async () => {
    const whole = await makeWorld(nodeHashes, orders);
    const from = async (size: number) =>
      (await makeWorld(nodeHashes, orders, { change: (all) => all.slice(0, size) })).checkpoint;
    for (let size = 1; size < whole.size; size += 2) {
      expect([size, ...faults(await verifyLog(nodeHashes, whole, POLICY, await from(size)))]).toEqual([size]);
    }
    const price = { symbol: "EURUSD", tick: 1_000, by: 5n };
    const bentPrice = await makeWorld(nodeHashes, orders, { bendPrice: price });
    expect(faults(await verifyLog(nodeHashes, bentPrice, POLICY, await from(12)))).toEqual([
      "epochs: epoch 1: tick 1000 of EURUSD is not the one that was published",
    ]);
    const change = settledOrder((order) => ({ ...order, outcome: order["outcome"] === "won" ? "lost" : "won" }));
    const wrong = await makeWorld(nodeHashes, orders, { change });
    expect(faults(await verifyLog(nodeHashes, wrong, POLICY, await from(12)))[0]).toContain("order 1/0 was settled as");
    const bent = await makeWorld(nodeHashes, orders, {
      change: rewrite("heads", (fields, nth) =>
        nth === 4
          ? { ...fields, heads: (fields["heads"] as string[]).map((head) => head.replace(/^./, flip)) }
          : fields,
      ),
    });
    const report = await verifyLog(nodeHashes, bent, POLICY, await from(12));
    expect(faults(report)[0]).toBe("heads: head 481 is not made of the log's batches and prices");
  });

  it("leaves settlements waiting while their prices are not written yet", async () => {
    const change = (entries: TestEntry[]) =>
      entries
        .filter((entry) => entry.kind !== "ticks" || Number(entry.fields["from"]) < 200)
        .filter((entry) => entry.kind !== "epoch.reveal");
    const report = await examine({ change });
    expect(faults(report)).toEqual([]);
    expect(report.waiting).toBeGreaterThan(0);
    expect(report.settled + report.waiting).toBe(6);
  });

  it("rejects with its reader's error", async () => {
    const broken: LogReader = { read: () => Promise.reject(new Error("no network")) };
    await expect(verifyLog(nodeHashes, broken, POLICY)).rejects.toThrow("no network");
  });
});
