import { canonicalJson, FIRST_SM1_PARAMS, toHex, utf8, type Canonical } from "@fairtick/domain";
import { describe, expect, it } from "vitest";
import { BEACON_SCHEME, beaconPublicKey, newBeaconSecret } from "./beacon.ts";
import { parseLogEntry } from "./log-entry.ts";

const HASH = "ab".repeat(32);
const order = {
  acceptedAt: 1_763_700_000_000,
  batch: 3,
  direction: "up",
  duration: 60,
  entrySeq: 17,
  exitSeq: 29,
  limitPrice: null,
  outcome: "won",
  place: 0,
  symbol: "EURUSD",
  voidReason: null,
};
type Fields = Readonly<Record<string, Canonical>>;
const entries: Record<string, Fields> = {
  params: {
    epochMs: 600_000,
    kind: "params",
    model: "SM1",
    tickMs: 500,
    v: 1,
    instruments: FIRST_SM1_PARAMS.map(({ anchor, digits, jump, name, pull, sigma, spread, switches, symbol }) => {
      return { anchor, digits, jump, name, pull, sigma, spread, switches, symbol };
    }),
  },
  "epoch.commit": { commit: HASH, e: 1, kind: "epoch.commit", params: HASH, v: 1 },
  "epoch.open": { e: 1, kind: "epoch.open", mix: HASH, start: 1_763_700_000_500, v: 1 },
  "epoch.reveal": {
    digest: { EURUSD: HASH },
    e: 1,
    from: { EURUSD: ["4660039516160000", 1] },
    kind: "epoch.reveal",
    seed: HASH,
    v: 1,
  },
  ticks: { count: 120, from: 1, hash: HASH, kind: "ticks", symbol: "EURUSD", time: 1_763_700_000_000, to: 120, v: 1 },
  "orders.accept": {
    acceptedAt: 1_763_700_000_123,
    batch: 3,
    commitments: `${"A".repeat(43)}=`,
    kind: "orders.accept",
    v: 1,
  },
  "orders.settle": { kind: "orders.settle", orders: [order], settledAt: 1_763_700_100_000, v: 1 },
  heads: {
    batches: [0, 3],
    from: 1,
    heads: [HASH, HASH],
    kind: "heads",
    ticks: { BTCUSD: [7, 0, 2], EURUSD: [1, 1, 1] },
    to: 2,
    v: 1,
  },
  config: { effectiveAt: 1_763_700_000_000, hash: HASH, kind: "config", v: 1, version: 1 },
  policy: { effectiveAt: 1_763_700_000_000, hash: HASH, kind: "policy", name: "regions", v: 1, version: 1 },
  approval: { at: 1_763_700_000_000, hash: HASH, kind: "approval", subject: "capital", v: 1 },
  liabilities: {
    at: 1_728_000_000_000,
    day: 20_000,
    kind: "liabilities",
    members: 5,
    root: HASH,
    sum: "50000000000",
    v: 1,
    wallet: "practice",
  },
  "key.rotate": { key: "a+b+c", kind: "key.rotate", role: "log", until: 1_763_700_000_000, v: 1 },
};
const beacon = {
  genesis: 0,
  key: toHex(beaconPublicKey(newBeaconSecret(new Uint8Array(48).fill(1)))),
  period: 3,
  scheme: BEACON_SCHEME,
};
const rounds = { from: 0, signatures: "A".repeat(64) };
const kinds = Object.keys(entries).map((kind) => ({ kind, entry: entries[kind]! }));

function parse(value: Canonical) {
  return parseLogEntry(utf8(canonicalJson(value)));
}

describe("an entry of the log", () => {
  it.each(kinds)("of kind $kind is parsed", ({ kind, entry }) => {
    expect(parse(entry)).toMatchObject({ ok: true, entry: { kind } });
  });

  it("may name a beacon and its rounds, which count from zero", () => {
    expect(parse({ ...entries["params"]!, model: "SM2", beacon })).toMatchObject({ ok: true });
    expect(parse({ ...entries["epoch.reveal"]!, rounds })).toMatchObject({ ok: true });
  });

  it.each(kinds)("of kind $kind is rejected with an extra, missing or mistyped field", ({ entry }) => {
    expect(parse({ ...entry, more: 1 })).toMatchObject({ ok: false, fault: "entry.more is unknown" });
    for (const name of Object.keys(entry)) {
      const { [name]: _left, ...rest } = entry;
      expect(parse(rest).ok).toBe(false);
      expect(parse({ ...entry, [name]: true }).ok).toBe(false);
      expect(parse({ ...entry, [name]: null }).ok).toBe(false);
    }
    expect(parse({ ...entry, v: 2 }).ok).toBe(false);
  });

  it("has exactly one valid text", () => {
    const text = canonicalJson(entries["epoch.commit"]!);
    const others = [
      text.replace(",", ", "),
      `${text}\n`,
      text.replace('"e":1', '"e":1.0'),
      text.replace('"e":1', '"e":1e0'),
      text.replace('"e":1', '"e":9007199254740993'),
      text.replace('"e":1', '"e":1,"e":1'),
      text.replace("epoch.commit", "epoch\\u002ecommit"),
      text.replace('"v":1', "").replace("{", '{"v":1,').replace(",}", "}"),
      "",
      "null",
      "[]",
      "{",
    ];
    expect(parseLogEntry(utf8(text)).ok).toBe(true);
    for (const other of others) expect([other, parseLogEntry(utf8(other)).ok]).toEqual([other, false]);
    expect(parseLogEntry(Uint8Array.of(0xff)).ok).toBe(false);
  });

  it.each<[string, string, Fields]>([
    ["a count that doesn't match its range", "ticks", { count: 119 }],
    ["no ticks", "ticks", { count: 0, to: 0 }],
    ["a time inside the minute", "ticks", { time: 1_763_700_000_001 }],
    ["a lower-case symbol", "ticks", { symbol: "eurusd" }],
    ["an upper-case hash", "ticks", { hash: HASH.toUpperCase() }],
    ["too few heads", "heads", { to: 3 }],
    ["a head without its batch", "heads", { batches: [0] }],
    ["a head without its ticks", "heads", { ticks: { EURUSD: [1, 1] } }],
    ["a lower-case symbol among a head's ticks", "heads", { ticks: { eurusd: [1, 1, 1] } }],
    ["an empty symbol among a head's ticks", "heads", { ticks: { "": [1, 1, 1] } }],
    ["a symbol with a space in an epoch's digest", "epoch.reveal", { digest: { "EUR USD": HASH } }],
    ["half a commitment", "orders.accept", { commitments: "AAAA" }],
    ["no commitment", "orders.accept", { commitments: "" }],
    ["a reason without a void", "orders.settle", { orders: [{ ...order, voidReason: "STALE_EXIT" }] }],
    ["a void without a reason", "orders.settle", { orders: [{ ...order, outcome: "voided" }] }],
    [
      "a reason outside the closed list",
      "orders.settle",
      { orders: [{ ...order, outcome: "voided", voidReason: "X" }] },
    ],
    ["more than 300 orders", "orders.settle", { orders: Array.from({ length: 301 }, () => order) }],
    ["a member on an order", "orders.settle", { orders: [{ ...order, member: "usr_1" }] }],
    ["x as a number", "epoch.reveal", { from: { EURUSD: [1, 1] } }],
    ["an unknown regime", "epoch.reveal", { from: { EURUSD: ["1", 3] } }],
    ["a beacon's first round before 1970", "params", { model: "SM2", beacon: { ...beacon, genesis: -1 } }],
    ["a beacon without a period", "params", { model: "SM2", beacon: { ...beacon, period: 0 } }],
    ["rounds from one below zero on", "epoch.reveal", { rounds: { ...rounds, from: -1 } }],
  ])("is rejected with %s", (_what, kind, change) => {
    expect(parse({ ...entries[kind]!, ...change }).ok).toBe(false);
  });
});
