import { type Canonical, canonicalJson, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { parseLogEntry } from "./log-entry.ts";
import { makeWorld, POLICY, type TestEntry, type WorldOptions } from "./testing.ts";
import { START, type TestOrder } from "./testing-house.ts";
import { verifyLog } from "./verify-log.ts";

// The house accepts a sealed order without knowing its direction, and must settle it with the direction that was sealed.

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

/** Changes the settled order at that place. */
const bend = (place: number, change: (order: Settled) => Settled) => (entries: TestEntry[]) =>
  entries.map((entry): TestEntry => {
    if (entry.kind !== "orders.settle") return entry;
    const settled = entry.fields["orders"] as unknown as Settled[];
    const changed = settled.map((order) => (order["place"] === place ? change(order) : order));
    return Object.assign({}, entry, { fields: Object.assign({}, entry.fields, { orders: changed }) });
  });

const other = (direction: unknown) => (direction === "up" ? "down" : "up");

describe("a log of sealed orders", () => {
  it("has no fault with revealed, open and never revealed orders, whose prices are read again", async () => {
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
      "no reveal, though it was revealed,",
      0,
      (order) => ({ ...order, direction: null, outcome: "unrevealed", revealedAt: null, sealNonce: null }),
      "counts as unrevealed, and may be revealed until",
    ],
  ])("has a fault if an order is settled with %s instead of what was agreed", async (_what, place, change, message) => {
    const { faults } = await examine({ change: bend(place, change) });
    expect(faults.join("\n")).toContain(message);
  });

  it("has a fault if an order of version 2 is settled as one of version 1", async () => {
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

  it("must have settled a sealed order within about a week, and an open one within hours", async () => {
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

  it("must count its refusals by reason", () => {
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
