import { type Canonical, canonicalJson, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { parseLogEntry } from "./log-entry.ts";
import { makeWorld, POLICY, type TestEntry, type WorldOptions } from "./testing.ts";
import { START, type TestOrder } from "./testing-house.ts";
import { verifyLog } from "./verify-log.ts";

// The house takes an order before it knows its direction; what it settles has to be what was sealed.

const orders: TestOrder[] = [
  { at: 30_130n, sealed: "revealed" },
  { at: 30_130n, direction: "down" },
  { at: 30_130n, sealed: "never" },
];
type Settled = Record<string, unknown>;

async function examine(options: WorldOptions = {}) {
  const report = await verifyLog(nodeHashes, await makeWorld(nodeHashes, orders, options), POLICY);
  return {
    ...report,
    faults: report.findings.filter(({ grade }) => grade === "fault").map((each) => `${each.check}: ${each.what}`),
  };
}

/** Rewrites the settled order of that place. */
const bend = (place: number, change: (order: Settled) => Settled) => (entries: TestEntry[]) =>
  entries.map((entry): TestEntry => {
    if (entry.kind !== "orders.settle") return entry;
    const settled = entry.fields["orders"] as unknown as Settled[];
    const changed = settled.map((order) => (order["place"] === place ? change(order) : order));
    return Object.assign({}, entry, { fields: Object.assign({}, entry.fields, { orders: changed }) });
  });

const other = (direction: unknown) => (direction === "up" ? "down" : "up");

describe("a log of sealed orders", () => {
  it("holds: revealed, in the open, and a week later unrevealed, with prices read again", async () => {
    const report = await examine();
    expect(report.faults).toEqual([]);
    expect([report.accepted, report.settled, report.refused]).toEqual([3, 3, 0]);
  });

  it.each<[string, number, (order: Settled) => Settled, string]>([
    ["another direction", 0, (order) => ({ ...order, direction: other(order["direction"]) }), "other terms"],
    ["a limit price", 0, (order) => ({ ...order, limitPrice: 1 }), "other terms"],
    ["another seal", 0, (order) => ({ ...order, seal: "00".repeat(32) }), "other terms"],
    ["another nonce of the terms", 0, (order) => ({ ...order, nonce: "00".repeat(16) }), "other terms"],
    ["another private part", 0, (order) => ({ ...order, own: "00".repeat(32) }), "other terms"],
    ["another direction of an open order", 1, (order) => ({ ...order, direction: "up" }), "other terms"],
    ["another symbol", 1, (order) => ({ ...order, symbol: "BTCUSD" }), "other terms"],
    ["another duration", 1, (order) => ({ ...order, duration: 30 }), "other terms"],
    [
      "an order that was revealed as one that never was",
      0,
      (order) => ({ ...order, direction: null, outcome: "unrevealed", revealedAt: null, sealNonce: null }),
      "counts as unrevealed, and may be revealed until",
    ],
  ])("is refused with %s than was agreed", async (_what, place, change, message) => {
    const { faults } = await examine({ change: bend(place, change) });
    expect(faults.join("\n")).toContain(message);
  });

  it("is refused where a batch of today is settled as one from before", async () => {
    const former = bend(1, ({ nonce: _n, own: _o, revealedAt: _r, seal: _s, sealNonce: _l, ...rest }) => rest);
    const change = (entries: TestEntry[]) =>
      former(entries).map((entry): TestEntry => {
        if (entry.kind !== "orders.settle") return entry;
        const settled = entry.fields["orders"] as unknown as Settled[];
        const orders = settled.filter((order) => order["place"] === 1);
        return Object.assign({}, entry, { fields: Object.assign({}, entry.fields, { orders, v: 1 }) });
      });
    expect((await examine({ change })).faults.join("\n")).toContain("order 1/1 was settled on other terms");
  });

  it("waits a week for a sealed order, and an hour for an open one", async () => {
    const drop = (entries: TestEntry[]) => entries.filter((entry) => entry.kind !== "orders.settle");
    const told = (after: bigint) => (entries: TestEntry[]) => [
      ...drop(entries),
      {
        time: START + after,
        kind: "device.add",
        fields: { at: START + after, hash: "00".repeat(32) },
      },
    ];
    const day = 86_400_000n;
    expect((await examine({ change: told(day) })).faults).toContain(
      "settlements: 1 of batch 1 were accepted and never settled",
    );
    expect((await examine({ change: told(8n * day) })).faults).toContain(
      "settlements: 3 of batch 1 were accepted and never settled",
    );
  });
});

describe("a batch's entry", () => {
  const fields = {
    acceptedAt: 1,
    batch: 1,
    commitments: Buffer.alloc(32).toString("base64"),
    config: 1,
    kind: "orders.accept",
    open: 0,
    reasons: { EXPOSURE_LIMIT: 1 },
    refusals: Buffer.alloc(32).toString("base64"),
    v: 2,
  };
  const faultOf = (change: Record<string, Canonical>) => {
    const parsed = parseLogEntry(utf8(canonicalJson(Object.assign({}, fields, change))));
    return parsed.ok ? null : parsed.fault;
  };

  it("counts its refusals by reason", () => {
    expect(faultOf({})).toBeNull();
    expect(faultOf({ commitments: "" })).toBeNull();
    expect(faultOf({ commitments: "", reasons: {}, refusals: "" })).toContain("are none");
    expect(faultOf({ reasons: { EXPOSURE_LIMIT: 2 } })).toContain("do not count");
    expect(faultOf({ reasons: { EXPOSURE_LIMIT: 1, LATE: 0 } })).toContain("entry.reasons are not reasons");
    expect(faultOf({ reasons: { "not now": 1 } })).toContain("entry.reasons are not reasons");
    expect(faultOf({ refusals: "AAAA" })).toContain("not of 32 bytes each");
    expect(faultOf({ open: 2 })).toContain("entry.open is more");
  });
});
