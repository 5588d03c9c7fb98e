import { type Points } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { beforeAll, describe, expect, it } from "vitest";
import { portableHashes } from "./portable-hashes.ts";
import { parseReceipt } from "./receipt.ts";
import { RECEIPT_CHECKS, type ReceiptCheckId } from "./receipt-evidence.ts";
import { makeWorld, POLICY, type TestEntry, type World } from "./testing.ts";
import { START, type TestOrder } from "./testing-house.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";
import { overallState, verifyReceipt } from "./verify-receipt.ts";

const orders: TestOrder[] = [
  { at: 30_130n },
  { at: 30_130n, direction: "down" },
  { at: 30_130n, symbol: "BTCUSD", durationSeconds: 30 },
  { at: 59_700n, durationSeconds: 120 },
  { at: 59_700n, limitPrice: 1n as Points },
  { at: 59_700n, symbol: "BTCUSD", durationSeconds: 300, direction: "down" },
];

type Json = Record<string, unknown>;
let world: World;
let receipts: Json[];

beforeAll(async () => {
  world = await makeWorld(nodeHashes, orders);
  receipts = await Promise.all(orders.map((_, index) => world.receipt(index)));
});

function verify(json: Json, policy: VerifierPolicy = POLICY, hashes = nodeHashes) {
  const parsed = parseReceipt(structuredClone(json));
  if (!parsed.ok) throw new Error(parsed.fault);
  return verifyReceipt(hashes, parsed.receipt, policy);
}

function notOk(json: Json, policy: VerifierPolicy = POLICY): Record<string, string> {
  const bad = verify(json, policy).filter((check) => check.state !== "ok");
  return Object.fromEntries(bad.map((check) => [check.id, check.state]));
}

/** Returns a copy with the field at `path` replaced by the result of `change`. */
function bend(json: Json, path: string, change: (value: never) => unknown): Json {
  const copy = structuredClone(json);
  const names = path.split(".");
  const last = names.pop()!;
  const holder = names.reduce<Json>((value, name) => value[name] as Json, copy);
  holder[last] = change(holder[last] as never);
  return copy;
}

const flipHex = (hex: string) => (hex.startsWith("0") ? "1" : "0") + hex.slice(1);
const flipBase64 = (text: string) => text.slice(0, 8) + (text[8] === "A" ? "B" : "A") + text.slice(9);

describe("an honest receipt", () => {
  it("passes every check, won, lost, voided, across minutes, in plain JavaScript too", () => {
    for (const receipt of receipts) expect(notOk(receipt)).toEqual({});
    expect(verify(receipts[0]!).map((check) => check.id)).toEqual(RECEIPT_CHECKS);
    expect(overallState(verify(receipts[0]!, POLICY, portableHashes))).toBe("ok");
    const outcomes = world.placed.map((each) => each.decided?.voidReason ?? each.decided?.outcome);
    expect(new Set(outcomes)).toEqual(new Set(["won", "lost", "LIMIT_PASSED"]));
  });

  it("shows its figures", () => {
    const values = Object.fromEntries(verify(receipts[0]!).map((check) => [check.id, check.values]));
    expect(values["commitment"]).toMatchObject({ orderNo: "ord_0000000000001", direction: "up", stake: "10.00" });
    expect(values["terms"]).toMatchObject({ payoutRate: "850000", fee: "0.10", profitIfWon: "8.40", configVersion: 1 });
    expect(values["batch"]).toMatchObject({ batch: 1, place: 0, acceptedAt: Number(START) + 30_130 });
  });
});

describe("one falsified value fails one check", () => {
  it.each<[ReceiptCheckId, string, string, (value: never) => unknown]>([
    ["commitment", "the terms' nonce", "terms.nonce", flipHex],
    ["commitment", "the nonce of the private part", "own.nonce", flipHex],
    [
      "commitment",
      "an id in the order's JSON",
      "own.json",
      (json: string) => json.replace("client-0-id", "client-9-id"),
    ],
    ["batch", "the path", "acceptance.path.0", flipHex],
    ["signature", "the batch's signature", "acceptance.signature", flipBase64],
    ["signature", "the key", "acceptance.key", () => "00000000"],
    [
      "terms",
      "the configuration's body",
      "config.body",
      (body: string) => body.replace('"maxStake":1000000000', '"maxStake":9'),
    ],
    ["terms", "a configuration without an entry in the log", "config.logged", () => null],
    ["terms", "the proof of the configuration", "config.logged.proof", bendProof],
    ["accepted-in-log", "the proof of the batch", "accepted.proof", bendProof],
    [
      "accepted-in-log",
      "the batch's entry",
      "accepted.entry",
      (text: string) => text.replace('"commitments":"', '"commitments":"AAAA'),
    ],
    ["slots", "a slot's signature", "slots.entry.signature", flipBase64],
    [
      "slots",
      "another instrument's tick in the slot",
      "slots.exit.lines",
      (lines: string) => lines.replace("BTCUSD,", "BTCUSE,"),
    ],
    ["slots", "the previous head", "slots.entry.previous", flipHex],
    ["heads-in-log", "the proof of a head", "slots.logged.0.proof", bendProof],
    [
      "prices-in-log",
      "a tick that decides nothing",
      "minutes.0.lines",
      (lines: string) => lines.replace(/^(\d+,\d+,)\d+/, "$11085000"),
    ],
    ["prices-in-log", "the proof of a minute", "minutes.1.logged.proof", bendProof],
    ["entry", "the entry's price", "result.entry.price", (price: number) => price + 1],
    ["entry", "the entry's number", "result.entry.seq", (seq: number) => seq + 1],
    ["exit", "the exit's price", "result.exit.price", (price: number) => price + 1],
    ["exit", "a missing exit", "result.exit", () => null],
    ["outcome", "the outcome", "result.outcome", (outcome: string) => (outcome === "won" ? "lost" : "won")],
    ["outcome", "a void without reason", "result.voidReason", () => "STALE_EXIT"],
    ["payout", "the profit", "result.profit", (profit: number) => profit - 10_000],
    ["payout", "the credit", "result.credit", (credit: number) => credit + 10_000],
    ["settled-in-log", "the proof of the settlement", "settled.proof", bendProof],
    ["source", "another source than the log names", "source", () => "outside"],
    ["source", "a missing source entry", "sources", () => []],
    ["source", "the proof of the source entry", "sources.0.proof", bendProof],
    [
      "source",
      "the source entry",
      "sources.0.entry",
      (text: string) => text.replace('"source":"SM1"', '"source":"kraken"'),
    ],
    ["replay", "the proof of the seed", "epochs.0.reveal.proof", bendProof],
    ["replay", "the seed", "epochs.0.reveal.entry", (text: string) => text.replace('"seed":"11', '"seed":"12')],
    ["replay", "missing epochs", "epochs", () => []],
  ])("%s: %s", (id, _what, path, change) => {
    expect(notOk(bend(receipts[0]!, path, change))).toEqual({ [id]: "failed" });
  });

  it.each<[ReceiptCheckId, string, string, (value: never) => unknown]>([
    ["commitment", "the nonce", "nonce", flipHex],
    ["commitment", "an id in the order's JSON", "order", (json: string) => json.replace("client-0-id", "client-9-id")],
    ["batch", "the path", "acceptance.path.0", flipHex],
  ])("%s of an order of version 1: %s", async (id, _what, path, change) => {
    const former = await (await makeWorld(nodeHashes, orders, { isFormer: true })).receipt(0);
    expect(notOk(former as Json)).toEqual({});
    expect(notOk(bend(former as Json, path, change))).toEqual({ [id]: "failed" });
  });

  it("bound-before-entry: the house binds the batch after the entry tick is public", async () => {
    const late = await makeWorld(nodeHashes, orders, { bindLate: 2 });
    expect(notOk(await late.receipt(0))).toEqual({ "bound-before-entry": "failed" });
  });

  it("terms: the house logs the configuration after using it", async () => {
    const isConfig = ({ kind }: TestEntry) => kind === "config";
    const change = (entries: TestEntry[]) => [
      ...entries.filter((entry) => !isConfig(entry)),
      ...entries.filter(isConfig),
    ];
    const late = await makeWorld(nodeHashes, orders, { change });
    expect(notOk(await late.receipt(0))).toEqual({ terms: "failed" });
  });

  it("settled-in-log: the house writes another outcome into the log", async () => {
    const change = (entries: TestEntry[]) =>
      entries.map((entry) => {
        if (entry.kind !== "orders.settle") return entry;
        const text = JSON.stringify(entry.fields, (_key, value) => (typeof value === "bigint" ? Number(value) : value));
        const fields = JSON.parse(text.replaceAll('"outcome":"won"', '"outcome":"lost"'));
        return { ...entry, fields };
      });
    const other = await makeWorld(nodeHashes, orders, { change });
    const won = other.placed.findIndex((each) => each.decided?.outcome === "won");
    expect(notOk(await other.receipt(won))).toEqual({ "settled-in-log": "failed" });
  });

  it("heads-in-log: the house publishes other heads than it signs", async () => {
    const change = (entries: TestEntry[]) =>
      entries.map((entry) =>
        entry.kind === "heads"
          ? { ...entry, fields: { ...entry.fields, heads: (entry.fields["heads"] as string[]).map(flipHex) } }
          : entry,
      );
    const other = await makeWorld(nodeHashes, orders, { change });
    expect(notOk(await other.receipt(0))).toEqual({ "heads-in-log": "failed" });
  });
});

describe("a receipt", () => {
  describe("that is not completely in the log", () => {
    const ACCEPTED = 30_130n;
    /** When the receipt's second minute and its heads are due, ms after START. */
    const DUE = 120_000n;
    const OVERDUE = 50_000n;
    /** Returns the first receipt from a log that was cosigned that long after the start (ms). */
    async function receiptAt(after: bigint): Promise<Json> {
      const at = (START + after + 999n) / 1_000n;
      return (await makeWorld(nodeHashes, orders, { cosignedAt: at })).receipt(0);
    }
    const named = (json: Json) => verify(json).filter((check) => check.named === "log-overdue");

    it("is pending", async () => {
      const soon = await receiptAt(60_000n);
      const early = bend(soon, "settled", () => null);
      expect(notOk(early)).toEqual({ "settled-in-log": "pending" });
      expect(notOk(bend(early, "epochs.0.reveal", () => null))).toEqual({
        "settled-in-log": "pending",
        replay: "pending",
      });
      expect(notOk(bend(soon, "accepted.proof", () => null))).toEqual({ "accepted-in-log": "pending" });
      expect(notOk(bend(soon, "minutes.1.logged", () => null))).toEqual({
        "prices-in-log": "pending",
        source: "pending",
      });
      expect(notOk(bend(soon, "slots.logged", () => []))).toEqual({ "heads-in-log": "pending" });
      expect(overallState(verify(early))).toBe("pending");
    });

    it("fails once its newest checkpoint is more than 50 s later than something was due", async () => {
      const slow = await receiptAt(DUE + OVERDUE);
      const late = await receiptAt(DUE + OVERDUE + 1n);
      const unpriced = (json: Json) => bend(json, "minutes.1.logged", () => null);
      expect(notOk(unpriced(slow))).toEqual({ "prices-in-log": "pending", source: "pending" });
      expect(notOk(unpriced(late))).toEqual({ "prices-in-log": "failed", source: "pending" });
      const [overdue] = named(unpriced(late));
      expect(overdue).toMatchObject({ id: "prices-in-log", values: { dueAt: Number(START + DUE) } });
      // The entry exists, but is in none of the checkpoints published since.
      const unproven = bend(late, "minutes.1.logged.proof", () => null);
      expect(notOk(unproven)).toEqual({ "prices-in-log": "failed", source: "pending" });
      expect(named(unproven)).toHaveLength(1);
      // If both minutes are missing, the earlier one decides when they were due. Heads are due with their minute.
      const both = bend(unpriced(slow), "minutes.0.logged", () => null);
      expect(notOk(both)["prices-in-log"]).toBe("failed");
      const unheaded = (json: Json) => bend(json, "slots.logged", () => []);
      expect(named(unheaded(await receiptAt(60_000n + OVERDUE)))).toEqual([]);
      expect(named(unheaded(await receiptAt(60_000n + OVERDUE + 1n)))).toMatchObject([
        { id: "heads-in-log", state: "failed", values: { dueAt: Number(START) + 60_000 } },
      ]);
    });

    it("allows the same time for an acceptance and a settlement, from the time they happened", async () => {
      const unaccepted = (json: Json) => bend(json, "accepted.proof", () => null);
      expect(notOk(unaccepted(await receiptAt(ACCEPTED + OVERDUE - 1_000n)))).toEqual({ "accepted-in-log": "pending" });
      expect(notOk(unaccepted(await receiptAt(ACCEPTED + OVERDUE + 1n)))).toEqual({ "accepted-in-log": "failed" });
      const unsettled = (json: Json) => bend(json, "settled.proof", () => null);
      expect(notOk(unsettled(await receiptAt(599_000n + OVERDUE)))).toEqual({ "settled-in-log": "pending" });
      expect(notOk(unsettled(await receiptAt(599_000n + OVERDUE + 1n)))).toEqual({ "settled-in-log": "failed" });
    });

    it("is measured by the time its reader gives, or else by its newest checkpoint", async () => {
      const parsed = parseReceipt(bend(await receiptAt(60_000n), "minutes.1.logged", () => null));
      if (!parsed.ok) throw new Error(parsed.fault);
      const at = (readAt: bigint | null) =>
        verifyReceipt(nodeHashes, parsed.receipt, POLICY, { readAt }).find(({ id }) => id === "prices-in-log")?.state;
      expect([at(null), at(START + DUE + OVERDUE), at(START + DUE + OVERDUE + 1n)]).toEqual([
        "pending",
        "pending",
        "failed",
      ]);
      // Without pinned witnesses, no checkpoint has a time.
      const alone = { ...POLICY, witnessKeys: [], witnessesNeeded: 0 };
      const late = bend(await receiptAt(600_000n), "minutes.1.logged", () => null);
      expect(notOk(late, alone)).toEqual({ "prices-in-log": "pending", source: "pending" });
    });
  });

  describe("that stays incomplete", () => {
    const HOUR = 3_600_000n;
    /** The latest possible expiry of the first order, ms after START. */
    const EXPIRY = 30_130n + 10_000n + 60_000n;
    const SETTLED = 599_000n;
    const receiptAt = async (after: bigint, placed: readonly TestOrder[] = orders) =>
      (await (await makeWorld(nodeHashes, placed, { cosignedAt: (START + after + 999n) / 1_000n })).receipt(0)) as Json;
    const unsettled = (json: Json): Json => {
      const { sources: _left, ...rest } = bend(json, "slots", (slots: Json) => ({ ...slots, entry: null, exit: null }));
      return { ...rest, result: null, settled: null, epochs: [] };
    };
    const states = (json: Json) => new Set(Object.values(notOk(json)));

    it.each<[string, bigint, (json: Json) => Json]>([
      ["its settlement's entry", EXPIRY, (json) => ({ ...json, settled: null })],
      ["the seed", SETTLED, (json) => bend(json, "epochs.0.reveal", () => null)],
      ["the slot of a tick", SETTLED, (json) => bend(json, "slots.exit", () => null)],
      ["the slot that binds it", SETTLED, (json) => bend(json, "slots.bound", () => null)],
      ["the configuration's proof", SETTLED, (json) => bend(json, "config.logged.proof", () => null)],
      ["the source's proof", SETTLED, (json) => bend(json, "sources.0.proof", () => null)],
      ["the price after the expiry", SETTLED, (json) => bend(json, "minutes", (all: Json[]) => all.slice(0, 1))],
      ["its result", EXPIRY, unsettled],
    ])("fails an hour after it was due if it lacks %s", async (_what, due, change) => {
      const soon = change(await receiptAt(due + HOUR - 1_000n));
      expect(states(soon)).toEqual(new Set(["pending"]));
      expect(states(change(await receiptAt(due + HOUR + 1_000n)))).toEqual(new Set(["failed"]));
    });

    it("names what was due, and when", async () => {
      const late = { ...(await receiptAt(EXPIRY + HOUR + 1_000n)), settled: null };
      const failing = verify(late).find(({ state }) => state === "failed");
      expect(failing).toMatchObject({ id: "settled-in-log", named: "log-overdue" });
      expect(failing?.why).toBe(
        "not settled yet, though it was due at 2025-11-21T04:41:40.130Z, and the log went on until 2025-11-21T05:41:42.000Z",
      );
    });

    it("is pending for a week until a reveal is overdue", async () => {
      const sealed: readonly TestOrder[] = [{ at: 30_130n, sealed: "never" }];
      const week = 604_800_000n;
      const at = async (after: bigint) => states(unsettled(await receiptAt(after, sealed)));
      expect(await at(EXPIRY + HOUR + 1_000n)).toEqual(new Set(["pending"]));
      expect(await at(EXPIRY + week + HOUR - 1_000n)).toEqual(new Set(["pending"]));
      expect(await at(EXPIRY + week + HOUR + 1_000n)).toEqual(new Set(["failed"]));
    });

    it("stays pending for a price that its reader looks for in the log", async () => {
      const parsed = parseReceipt(
        bend(await receiptAt(SETTLED + HOUR + 1_000n), "minutes", (all: Json[]) => all.slice(0, 1)),
      );
      if (!parsed.ok) throw new Error(parsed.fault);
      const checks = verifyReceipt(nodeHashes, parsed.receipt, POLICY, { looksForPrice: true });
      expect(overallState(checks)).toBe("pending");
      // A log that is newer than the receipt counts too.
      const early = parseReceipt({ ...(await receiptAt(EXPIRY)), settled: null });
      if (!early.ok) throw new Error(early.fault);
      const logAt = START + EXPIRY + HOUR;
      expect(overallState(verifyReceipt(nodeHashes, early.receipt, POLICY, { logAt }))).toBe("pending");
      expect(overallState(verifyReceipt(nodeHashes, early.receipt, POLICY, { logAt: logAt + 1n }))).toBe("failed");
    });

    it("is not excused by a settlement in the future", async () => {
      const far = (text: string) => text.replace(/"settledAt":\d+/, '"settledAt":9000000000000');
      const put = bend(await receiptAt(EXPIRY + HOUR + 1_000n), "settled", (logged: Json) => ({
        entry: far(logged["entry"] as string),
        proof: null,
      }));
      expect(notOk(put)["settled-in-log"]).toBe("failed");
    });
  });

  it.each([
    ["simulated", [[-50_000n, "SM1"]]],
    ["outside", [[-50_000n, "kraken"]]],
    ["signed", [[-50_000n, "pyth"]]],
  ] as const)("of an unsettled order with logged prices (%s) has no failed check", async (_what, words) => {
    const own = await makeWorld(nodeHashes, [{ at: 30_130n }], { sources: { EURUSD: words } });
    const settled: Json = await own.receipt(0);
    const { sources: _unknown, quotes: _undecided, ...rest } = settled;
    const slots = { ...(settled["slots"] as Json), entry: null, exit: null };
    const waiting = { ...rest, result: null, settled: null, slots, epochs: [], source: "outside" };
    const names = ["slots", "entry", "exit", "outcome", "payout", "settled-in-log", "source", "quotes"];
    const pending = Object.fromEntries(names.map((name) => [name, "pending"]));
    expect(notOk(waiting)).toEqual(pending);
    expect(notOk({ ...waiting, source: "SM1" })).toEqual({ ...pending, replay: "pending" });
  });

  it("fails without throwing if an amount is not whole cents", () => {
    const odd = bend(receipts[0]!, "own.json", (json: string) => json.replace('"stake":10000000', '"stake":10000001'));
    expect(notOk(odd)["commitment"]).toBe("failed");
  });

  it("is measured by the newest of all its proofs, including those of its epochs", async () => {
    const late = (await makeWorld(nodeHashes, orders, { cosignedAt: (START + 1_000_000n) / 1_000n })).receipt(0);
    const newer = ((await late)["epochs"] as Json[])[0]!;
    const soon = await makeWorld(nodeHashes, orders, { cosignedAt: (START + 61_000n) / 1_000n });
    const early = bend(await soon.receipt(0), "accepted.proof", () => null);
    expect(notOk(early)).toEqual({ "accepted-in-log": "pending" });
    expect(notOk({ ...early, epochs: [newer] })).toEqual({ "accepted-in-log": "failed" });
  });

  it("fails if the tick before the entry is missing", () => {
    const cut = bend(receipts[0]!, "minutes.0.lines", (lines: string) => {
      const all = lines.split("\n");
      return all.slice(62).join("\n");
    });
    expect(notOk(cut)).toMatchObject({ entry: "failed", "prices-in-log": "failed" });
  });

  it("fails under other keys, or without the required witness", () => {
    const failing = Object.keys(notOk(receipts[0]!, { ...POLICY, logKeys: [], witnessKeys: [] }));
    expect(failing).toEqual([
      "terms",
      "accepted-in-log",
      "heads-in-log",
      "prices-in-log",
      "settled-in-log",
      "source",
      "replay",
    ]);
    expect(Object.keys(notOk(receipts[0]!, { ...POLICY, witnessKeys: [] }))).toEqual(failing);
    expect(notOk(receipts[0]!, { ...POLICY, witnessKeys: [], witnessesNeeded: 0 })).toEqual({});
    expect(notOk(receipts[0]!, { ...POLICY, acceptanceKeys: [] })).toEqual({ signature: "failed", slots: "failed" });
  });

  it("is rejected with unknown, missing or malformed fields", () => {
    expect(parseReceipt({ ...receipts[0]!, more: 1 })).toEqual({ ok: false, fault: "receipt.more is unknown" });
    for (const name of Object.keys(receipts[0]!).filter((each) => each !== "sources")) {
      const { [name]: _left, ...rest } = receipts[0]!;
      expect(parseReceipt(rest).ok).toBe(false);
    }
    expect(parseReceipt(bend(receipts[0]!, "acceptance.key", () => "711b141")).ok).toBe(false);
    for (const value of [null, 1, "x", [], {}]) expect(parseReceipt(value).ok).toBe(false);
  });
});

function bendProof(proof: string): string {
  const lines = proof.split("\n");
  lines[2] = flipBase64(lines[2]!);
  return lines.join("\n");
}

it("fails if its number of accepted orders differs from the batch's root and the log", () => {
  const more = bend(receipts[0]!, "acceptance.accepted", (count: number) => count + 1);
  expect(notOk(more)).toEqual({ batch: "failed", "accepted-in-log": "failed" });
  // Places from `accepted` on are refusals.
  const refused = verify(bend(receipts[0]!, "acceptance.accepted", () => 0)).find(({ id }) => id === "batch");
  expect(refused?.state).toBe("failed");
});

describe("a sealed order's receipt", () => {
  const sealedOrders: TestOrder[] = [
    { at: 30_130n, sealed: "revealed" },
    { at: 30_200n, sealed: "never" },
  ];

  it("passes for a revealed order, and for one that was never revealed", async () => {
    const sealed = await makeWorld(nodeHashes, sealedOrders);
    expect(notOk((await sealed.receipt(0)) as Json)).toEqual({});
    expect(notOk((await sealed.receipt(1)) as Json)).toEqual({});
    expect(sealed.placed.map((each) => each.decided?.outcome)).toEqual(["lost", "unrevealed"]);
  });

  it("must have its seal, and the reveal time that is in the log", async () => {
    const sealed = await makeWorld(nodeHashes, sealedOrders);
    const [revealed, never] = [(await sealed.receipt(0)) as Json, (await sealed.receipt(1)) as Json];
    expect(notOk({ ...never, seal: null })).toEqual({ commitment: "failed", device: "failed" });
    expect(notOk({ ...receipts[0]!, seal: { ...(never["seal"] as Json) } })).toEqual({
      commitment: "failed",
      device: "failed",
    });
    const later = bend(revealed, "seal.opened.revealedAt", (at: number) => at + 1);
    expect(notOk(later)).toEqual({ "settled-in-log": "failed" });
  });

  it("fails if the log's settlement opens another order", async () => {
    const change = (entries: TestEntry[]) =>
      entries.map((entry) => {
        if (entry.kind !== "orders.settle") return entry;
        const settled = (entry.fields["orders"] as Json[]).map((order) =>
          Object.assign(order, { own: "00".repeat(32) }),
        );
        return { ...entry, fields: { ...entry.fields, orders: settled as never } };
      });
    const other = await makeWorld(nodeHashes, sealedOrders, { change });
    expect(notOk((await other.receipt(0)) as Json)).toEqual({ "settled-in-log": "failed" });
  });

  it.each<[string, (opened: Json) => unknown]>([
    ["another direction", (opened) => ({ ...opened, direction: opened["direction"] === "up" ? "down" : "up" })],
    ["a limit price", (opened) => ({ ...opened, limitPrice: 1 })],
    ["another nonce", (opened) => ({ ...opened, nonce: "00".repeat(32) })],
  ])("fails if opened with %s instead of the sealed value", async (_what, change) => {
    const sealed = await makeWorld(nodeHashes, sealedOrders);
    expect(notOk(bend((await sealed.receipt(0)) as Json, "seal.opened", change))["commitment"]).toBe("failed");
  });
});
