import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeHashes } from "@fairtick/domain/node";
import { overallState, parseReceipt, verifyReceipt } from "@fairtick/transparency";
import { makeWorld, POLICY, type WorldOptions } from "@fairtick/transparency/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Mutant, mutantsOf, spread } from "./mutants.ts";
import { verifyInPython } from "./run-python.ts";

const MUTANTS = 150;
type Orders = Parameters<typeof makeWorld>[1];
const PLAIN: Orders = [{ at: 30_130n }, { at: 59_700n, symbol: "BTCUSD", durationSeconds: 30, direction: "down" }];
const WORLDS: Readonly<Record<string, readonly [Orders, WorldOptions]>> = {
  "placed in the open": [PLAIN, {}],
  "of version 1": [PLAIN, { isFormer: true }],
  sealed: [
    [
      { at: 30_130n, sealed: "revealed" },
      { at: 30_200n, sealed: "never" },
    ],
    {},
  ],
  "on told sources": [
    [{ at: 36_600n, symbol: "BTCUSD", durationSeconds: 30 }],
    { quoted: { symbol: "BTCUSD", tellsAll: true } },
  ],
  "on signed quotes": [[{ at: 30_130n, symbol: "BTCUSD", durationSeconds: 30 }], { quoted: { symbol: "BTCUSD" } }],
  "in a log that names no sources": [PLAIN, { sources: null }],
};

interface Made {
  readonly what: string;
  readonly receipt: unknown;
}

let folder: string;
let honest: Made[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "second-verifier-"));
  honest = [];
  for (const [what, [orders, options]] of Object.entries(WORLDS)) {
    const world = await makeWorld(nodeHashes, orders, options);
    for (const [place] of orders.entries())
      honest.push({ what: `${what}, ${place}`, receipt: await world.receipt(place) });
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Verifies a receipt with this project's own verifier. Returns the overall state and that of each check. */
function verifyHere(receipt: unknown): { state: string; checks: Record<string, string> } {
  const parsed = parseReceipt(receipt);
  if (!parsed.ok) return { state: "unread", checks: {} };
  const checks = verifyReceipt(nodeHashes, parsed.receipt, POLICY);
  return { state: overallState(checks), checks: Object.fromEntries(checks.map(({ id, state }) => [id, state])) };
}

interface Compared {
  readonly what: string;
  readonly here: string;
  readonly there: string | undefined;
}

/** Compares both verifiers' results for each receipt. */
async function compare(receipts: readonly Made[]): Promise<Compared[]> {
  const texts = receipts.map(({ receipt }) => JSON.stringify(receipt));
  const answers = await verifyInPython(folder, texts, POLICY);
  return receipts.map(({ what, receipt }, place) => ({
    what,
    here: verifyHere(receipt).state,
    there: answers[place]?.state,
  }));
}

it("both verifiers refuse an order accepted too late after what its device had seen", async () => {
  const held = (seenBefore: bigint): Orders => [{ at: 30_130n, sealed: "revealed", seenBefore }];
  const receipts = await Promise.all(
    [2_600n, 3_000n].map(async (seenBefore) => ({
      what: `${seenBefore} ms`,
      receipt: await (await makeWorld(nodeHashes, held(seenBefore))).receipt(0),
    })),
  );
  expect(await compare(receipts)).toEqual([
    { what: "2600 ms", here: "ok", there: "ok" },
    { what: "3000 ms", here: "failed", there: "failed" },
  ]);
});

it("both verifiers judge the third second after what the device had seen to the millisecond", async () => {
  // The device had seen the tick at 27,000.
  const receipts = await Promise.all(
    [30_000n, 30_001n].map(async (at) => {
      const order = { at, sealed: "revealed", seenBefore: at - 27_000n } as const;
      return { what: String(at), receipt: await (await makeWorld(nodeHashes, [order])).receipt(0) };
    }),
  );
  expect(await compare(receipts)).toEqual([
    { what: "30000", here: "ok", there: "ok" },
    { what: "30001", here: "failed", there: "failed" },
  ]);
});

// The source of the second symbol signs nothing, so the house can date its prices as it likes.
const OUTSIDE: WorldOptions = { symbols: ["EURUSD", "XAUUSD"], sources: { XAUUSD: [[-50_000n, "kraken"]] } };
const AHEAD: WorldOptions = { ...OUTSIDE, datedAhead: { XAUUSD: 25_000n } };
const SPARSE: WorldOptions = { ...OUTSIDE, skip: (symbol, after) => symbol === "XAUUSD" && after % 2_000n !== 0n };

it.each<[string, string, Orders[number], WorldOptions]>([
  [
    "ok",
    "3,000 ms after its symbol's price, though another is dated ahead",
    { at: 30_000n, seenBefore: 3_000n },
    AHEAD,
  ],
  [
    "failed",
    "3,001 ms after its symbol's price, while another is dated ahead",
    { at: 30_001n, seenBefore: 3_001n },
    AHEAD,
  ],
  ["failed", "9 s after its symbol's price, while another is dated ahead", { at: 30_130n, seenBefore: 9_000n }, AHEAD],
  ["ok", "after a slot without its symbol", { at: 31_130n, symbol: "XAUUSD", seenBefore: 2_600n }, SPARSE],
  ["failed", "too long after a slot without its symbol", { at: 31_130n, symbol: "XAUUSD", seenBefore: 3_000n }, SPARSE],
])("both verifiers find %s under seen: an order accepted %s", async (state, _what, order, options) => {
  const world = await makeWorld(nodeHashes, [{ ...order, sealed: "revealed" }], options);
  const receipt = await world.receipt(0);
  const [there] = await verifyInPython(folder, [JSON.stringify(receipt)], POLICY);
  expect([there?.checks["seen"], verifyHere(receipt).checks["seen"]]).toEqual([state, state]);
});

it.each<[string, (receipt: Fields) => unknown]>([
  ["left out", bendSlots(({ seen: _left, ...slots }) => slots)],
  ["with another number", bend("slots.seen.k", 7)],
  ["with another head", bend("slots.seen.hash", "00".repeat(32))],
  [
    "with another price",
    bend("slots.seen.lines", (lines) => lines.replace(/\d$/, (last) => (last === "1" ? "2" : "1"))),
  ],
  ["with a later price", bend("slots.seen.lines", (lines) => `${lines}\nEURUSD,999,1763700030129,1084772`)],
  ["with a broken signature", bend("slots.seen.signature", Buffer.alloc(64).toString("base64"))],
  ["that is the one after it", bendSlots((slots) => ({ ...slots, seen: slots["bound"] }))],
])("both verifiers refuse a seen slot %s, and nothing but that", async (_what, change) => {
  const honestOne = honest.find(({ what }) => what === "sealed, 0")?.receipt as Fields;
  const receipt = change(honestOne);
  const [there] = await verifyInPython(folder, [JSON.stringify(receipt)], POLICY);
  const here = verifyHere(receipt);
  expect(there?.checks).toEqual(here.checks);
  const failed = Object.entries(here.checks).flatMap(([id, state]) => (state === "ok" ? [] : `${id}: ${state}`));
  expect(failed.filter((each) => !each.startsWith("heads-in-log"))).toEqual(["seen: failed"]);
});

// Nobody but the house can sign such a head, so its lines are judged strictly: what they say must be read in one way.
it.each<[string, (lines: string) => string]>([
  ["a line that is no price", (lines) => `${lines}\nno price`],
  ["a time with a zero before it", (lines) => lines.replaceAll(",1763", ",01763")],
  ["a line with five parts", (lines) => `${lines}\nEURUSD,1,1763700030000,1084772,0`],
  ["a line without a symbol", (lines) => `${lines}\n,1,1763700030000,1084772`],
  ["a price that isn't a number", (lines) => `${lines}\nEURUSD,1,1763700030000,much`],
  ["a number that is too large", (lines) => `${lines}\nEURUSD,1,9999999999999999,1`],
  ["an empty line", (lines) => `${lines}\n`],
  ["another line end", (lines) => `${lines}\r`],
  ["digits of another script", (lines) => `${lines}\nEURUSD,1,\u0661763700030000,1`],
])("both verifiers refuse a slot that the house signed with %s", async (what, bendLines) => {
  const seenSlot = 61;
  const bent = (lines: string, k: number) => (k === seenSlot ? bendLines(lines) : lines);
  const world = await makeWorld(nodeHashes, [{ at: 30_130n, sealed: "revealed" }], { bendLines: bent });
  const receipt = (await world.receipt(0)) as { readonly slots: { readonly seen: Fields } };
  expect(receipt.slots.seen["k"]).toBe(seenSlot);
  const [there] = await verifyInPython(folder, [JSON.stringify(receipt)], POLICY);
  expect([what, there?.checks["seen"], there?.state]).toEqual([what, "failed", "failed"]);
  expect(verifyHere(receipt).checks).toEqual(there?.checks);
});

it("both verifiers accept an honest house's receipts, check by check", async () => {
  const texts = honest.map(({ receipt }) => JSON.stringify(receipt));
  const answers = await verifyInPython(folder, texts, POLICY);
  for (const [place, { what, receipt }] of honest.entries()) {
    const there = answers[place];
    expect([what, there?.state, there?.checks]).toEqual([what, "ok", verifyHere(receipt).checks]);
  }
});

it("both verifiers read a whole number however it is written, and no other fraction", async () => {
  const { receipt } = honest[0]!;
  const version = (text: string) => JSON.stringify(receipt).replace(/"acceptedAt":(\d+)/, `"acceptedAt":$1${text}`);
  const texts = [version(".0"), version("e0"), version(".5")];
  const there = await verifyInPython(folder, texts, POLICY);
  expect(there.map(({ state }) => state)).toEqual(["ok", "ok", "unread"]);
  expect(texts.map((text) => verifyHere(JSON.parse(text)).state)).toEqual(["ok", "ok", "unread"]);
}, 120_000);

it("both verifiers give the same verdict on receipts with a single change", async () => {
  const all = honest.flatMap(({ what, receipt }) =>
    [...mutantsOf(receipt)].map((each): Mutant => ({ what: `${what}: ${each.what}`, make: each.make })),
  );
  const chosen = spread(all, MUTANTS).map(({ what, make }): Made => ({ what, receipt: make() }));
  expect(chosen).toHaveLength(MUTANTS);
  const compared = await compare(chosen);
  expect(compared.filter(({ here, there }) => here !== there)).toEqual([]);
  // Most changes are found, and a few change nothing that a check covers.
  const count = (state: string) => compared.filter(({ here }) => here === state).length;
  expect([count("failed") > MUTANTS / 3, count("unread") > 10, count("ok") < MUTANTS / 10]).toEqual([true, true, true]);
});

type Fields = Record<string, unknown>;

/** Receipts on which the two verifiers once differed. */
it.each<[string, string, (receipt: Fields) => unknown]>([
  ["a seal that is not shown", "sealed, 1", (receipt) => ({ ...receipt, seal: null })],
  ["another time of its reveal", "sealed, 0", bend("seal.opened.revealedAt", 1_763_700_031_131)],
  ["a key's id of seven digits", "placed in the open, 0", bend("acceptance.key", "711b141")],
  ["a stake that isn't in whole cents", "of version 1, 0", bendText("order", '"stake":10000000', '"stake":10000001')],
  [
    "an order in the open with a device",
    "placed in the open, 0",
    bendText("own.json", '"device":null', '"device":"x"'),
  ],
])("neither accepts %s", async (_what, name, change) => {
  const receipt = change(honest.find(({ what }) => what === name)?.receipt as Fields);
  const [compared] = await compare([{ what: name, receipt }]);
  expect(compared?.here).not.toBe("ok");
  expect(compared?.there).toBe(compared?.here);
});

it("both report what is overdue after an hour, and what may take a week", async () => {
  const start = 1_763_700_000_000n;
  const [expiry, hour, week] = [100_130n, 3_600_000n, 604_800_000n];
  const withheld: readonly [string, (receipt: Fields) => unknown][] = [
    ["its settlement", (receipt) => ({ ...receipt, settled: null })],
    ["the seed", (receipt) => ({ ...receipt, epochs: [{ ...(receipt["epochs"] as Fields[])[0], reveal: null }] })],
    ["its later prices", (receipt) => ({ ...receipt, minutes: (receipt["minutes"] as Fields[]).slice(0, 1) })],
    ["its result", (receipt) => ({ ...receipt, result: null, settled: null, epochs: [] })],
  ];
  const receipts: Made[] = [];
  for (const sealed of [undefined, "revealed", "never"] as const) {
    for (const after of [hour - 1_000n, hour + 2_000n, week + hour - 1_000n, week + hour + 2_000n]) {
      const cosignedAt = (start + expiry + after) / 1_000n;
      const orders: Orders = [sealed === undefined ? { at: 30_130n } : { at: 30_130n, sealed }];
      const honest = await (await makeWorld(nodeHashes, orders, { cosignedAt })).receipt(0);
      for (const [what, change] of withheld)
        receipts.push({ what: `${sealed}, ${after}: ${what}`, receipt: change(honest) });
    }
  }
  const compared = await compare(receipts);
  expect(compared.filter(({ here, there }) => here !== there)).toEqual([]);
  const states = (what: string) => compared.filter((each) => each.what.startsWith(what)).map(({ here }) => here);
  expect(states(`revealed, ${hour - 1_000n}`)).toEqual(["pending", "pending", "pending", "pending"]);
  // The settlement in the log was five hundred seconds after the expiry.
  expect(states(`undefined, ${hour + 2_000n}`)).toEqual(["failed", "pending", "pending", "failed"]);
  expect(new Set(states(`never, ${week + hour - 1_000n}`))).toEqual(new Set(["pending"]));
  expect(states(`never, ${week + hour + 2_000n}`)).toEqual(["failed", "pending", "pending", "failed"]);
});

function bend(path: string, value: string | number | ((given: string) => unknown)): (receipt: Fields) => unknown {
  return (receipt) => {
    const copy = structuredClone(receipt);
    const names = path.split(".");
    const last = names.pop() ?? "";
    const holder = names.reduce((each, name) => each[name] as Fields, copy);
    holder[last] = typeof value === "function" ? value(String(holder[last])) : value;
    return copy;
  };
}

function bendSlots(change: (slots: Fields) => Fields): (receipt: Fields) => unknown {
  return (receipt) => ({ ...receipt, slots: change(receipt["slots"] as Fields) });
}

function bendText(path: string, from: string, to: string): (receipt: Fields) => unknown {
  return bend(path, (text) => text.replace(from, to));
}
