import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sm1Mix, toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { type LogCheckId, verifyLog } from "@fairtick/transparency";
import { run } from "@fairtick/transparency/cli";
import { makeWorld, POLICY, type TestEntry, type WorldOptions } from "@fairtick/transparency/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runPython, writeKeys, writeLog } from "./run-python.ts";

type Orders = Parameters<typeof makeWorld>[1];
const ORDERS: Orders = [
  { at: 30_130n },
  { at: 30_130n, direction: "down" },
  { at: 59_700n, symbol: "BTCUSD", durationSeconds: 30 },
];
const SEALED: Orders = [
  { at: 30_130n, sealed: "revealed" },
  { at: 30_200n, sealed: "never" },
];
const HASH = "ab".repeat(32);
const START = 1_763_700_000_000n;
/** Ten minutes after the epoch's start, in ms. */
const AFTER = 1_763_701_200_000n;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "second-log-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Verifies a log with both verifiers. Returns the checks in which each found a fault, and how the second one ended. */
async function verifyBoth(orders: Orders, options: WorldOptions) {
  const world = await makeWorld(nodeHashes, orders, options);
  const { findings } = await verifyLog(nodeHashes, world, POLICY);
  const here = findings.filter(({ grade }) => grade === "fault").map(({ check }) => check);
  const at = mkdtempSync(join(folder, "log-"));
  const { exitCode, lines } = await runPython([
    "verify-log",
    "--keys",
    writeKeys(at, POLICY),
    writeLog(join(at, "log"), world.files),
  ]);
  const there = lines.flatMap((line) => /^fault +([a-z]+)/.exec(line)?.[1] ?? []);
  return { here: [...new Set(here)].toSorted(), there: [...new Set(there)].toSorted(), exitCode, lines };
}

/** Returns 0.08 % of a price. */
const bp8 = (price: bigint) => (price * 8n) / 10_000n;

/** Makes a house that states the sources of every tick, with these words for tick 135. */
function told135(say: (price: bigint) => string): WorldOptions {
  const bendLine: NonNullable<WorldOptions["quoted"]>["bendLine"] = (line, { seq, price }) => {
    if (seq !== 135n) return line;
    const said = say(price);
    return said === "" ? `${seq}` : `${seq},${said}`;
  };
  return { quoted: { symbol: "BTCUSD", tellsAll: true, bendLine } };
}

/** Makes a house whose signed quote for tick 62 was published this many seconds before the tick. */
function back62(seconds: bigint, isFormer = false): WorldOptions {
  const bend: NonNullable<WorldOptions["quoted"]>["bend"] = (price, seq) =>
    seq === 62n ? { ...price, publishTime: price.publishTime - seconds } : price;
  return { quoted: { symbol: "BTCUSD", bend, isFormer } };
}

/** Makes a house with a second symbol from outside, whose source signs nothing. */
const OUTSIDE = {
  symbols: ["EURUSD", "XAUUSD"],
  sources: { XAUUSD: [[-50_000n, "kraken"]] },
} satisfies WorldOptions;

/** Makes the prices of that symbol this sparse. */
function sparse(every: bigint): WorldOptions {
  return { ...OUTSIDE, skip: (symbol, after) => symbol === "XAUUSD" && after % every !== 0n };
}

/** Makes a house that adds a line to one slot before it signs its head. */
function invented(line: string): WorldOptions {
  return { bendLines: (lines, k) => (k === 43 ? `${lines}\n${line}` : lines) };
}

const VOIDED: Orders = [{ at: 30_130n, symbol: "BTCUSD", durationSeconds: 30 }];

/**
 * Makes a house whose only outside source is silent between two moments after the start, and which logs these entries
 * about it.
 */
function silent(from: bigint, to: bigint, ...told: readonly TestEntry[]): WorldOptions {
  return {
    symbols: ["BTCUSD"],
    sources: { BTCUSD: [[-50_000n, "kraken"]] },
    skip: (_symbol, after) => after > from && after < to,
    isPunctual: true,
    change: (all) => inOrder([release(-90_000n), ...told, ...all]),
  };
}

it.each<[string, Orders, WorldOptions]>([
  ["of orders in the open", ORDERS, {}],
  [
    "that voided an order without an entry price, and says why there was none",
    VOIDED,
    silent(30_000n, 46_000n, incident("source", 30_000n, 46_000n, "BTCUSD")),
  ],
  [
    "that voided an order for an old exit price, and was down",
    VOIDED,
    silent(40_000n, 75_000n, incident("house", 50_000n, 70_000n)),
  ],
  ["that had no price for nine seconds, which voids no entry", VOIDED, silent(30_000n, 39_000n)],
  ["that binds batches up to two seconds before they are accepted", ORDERS, { bindLate: -3 }],
  ["of version 1", ORDERS, { isFormer: true }],
  ["of version 1 that binds batches four seconds early", ORDERS, { isFormer: true, bindLate: -8 }],
  [
    "with a symbol that has a price every two seconds",
    [...SEALED, { at: 41_999n, symbol: "XAUUSD", sealed: "revealed" }, { at: 61_130n, symbol: "XAUUSD" }],
    { ...sparse(2_000n), ordersPerBatch: 1 },
  ],
  ["with a symbol that has a price every twenty seconds", [{ at: 30_130n }, ...SEALED], sparse(20_000n)],
  ["with a symbol that is dated ahead, which helps no order", SEALED, { ...OUTSIDE, datedAhead: { XAUUSD: 25_000n } }],
  ["of sealed orders", SEALED, {}],
  ["with signed quotes", ORDERS, { quoted: { symbol: "BTCUSD" } }],
  ["whose signed quotes went back by 7 s before houses said how far they may", ORDERS, back62(7n, true)],
  ["that states the sources of every tick", ORDERS, { quoted: { symbol: "BTCUSD", tellsAll: true } }],
  ["that names no sources", ORDERS, { sources: null }],
  [
    "of sealed orders that are settled in time",
    SEALED,
    { isPunctual: true, change: (all) => [release(-90_000n), ...all] },
  ],
  [
    "that was down, and says so before it settles",
    ORDERS,
    { change: (all) => inOrder([release(-90_000n), incident("house", 60_000n, 595_000n), ...all]) },
  ],
  [
    "that was down twice within seconds",
    ORDERS,
    {
      change: (all) =>
        inOrder([
          release(-90_000n),
          incident("prices", 60_000n, 400_000n),
          incident("settlement", 405_000n, 590_000n),
          ...all,
        ]),
    },
  ],
  ["whose next epoch follows at once", ORDERS, { isPunctual: true, change: (all) => withNext(all, 600_000n, []) }],
  [
    "whose next epoch is late, with an incident that says why",
    ORDERS,
    { isPunctual: true, change: (all) => withNext(all, 700_000n, [incident("prices", 600_000n, 695_000n)]) },
  ],
  [
    "that names a release, and settles in time",
    ORDERS,
    {
      isPunctual: true,
      change: (all) => [entry("release", { app: HASH, at: START - 90_000n, files: 3, verifier: HASH }), ...all],
    },
  ],
])("both accept an honest log: one %s", async (_what, orders, options) => {
  const { here, there, exitCode, lines } = await verifyBoth(orders, options);
  expect([here, there, exitCode, lines.at(-1)]).toEqual([[], [], 0, "VERIFIED"]);
});

it("both wait for prices that aren't written yet", async () => {
  const change = (all: TestEntry[]) =>
    all.filter(({ kind, fields }) => kind !== "epoch.reveal" && (kind !== "ticks" || Number(fields["from"]) < 100));
  // A head binds the second order, but the prices before that head are among those that are missing.
  const orders = [{ at: 30_130n }, { at: 90_130n }];
  const { here, there, exitCode, lines } = await verifyBoth(orders, { change, ordersPerBatch: 1 });
  expect([here, there, exitCode]).toEqual([[], [], 2]);
  expect(lines.at(-1)).toBe("VERIFIED but for the settlements that wait");
});

it.each<[LogCheckId, string, Orders, WorldOptions]>([
  ["epochs", "a price of no seed", ORDERS, { bendPrice: { symbol: "EURUSD", tick: 100, by: 3n } }],
  [
    "epochs",
    "a seed that is withheld",
    ORDERS,
    { change: (all) => [...without(all, "epoch.reveal"), told(AFTER), told(AFTER + 60_001n)] },
  ],
  [
    "heads",
    "heads that differ from its batches and prices",
    ORDERS,
    { change: rewritten("heads", /"heads":\["../, '"heads":["00') },
  ],
  ["heads", "a batch that is bound after its entry", ORDERS, { bindLate: 4 }],
  ["heads", "a batch that is bound more than two seconds before it was accepted", ORDERS, { bindLate: -4 }],
  [
    "heads",
    "a batch that is post-dated, while another symbol is dated ahead",
    SEALED,
    { ...OUTSIDE, datedAhead: { XAUUSD: 25_000n }, bindLate: -16 },
  ],
  [
    "heads",
    "a batch that is post-dated by half a second too much, while another symbol is dated ahead",
    ORDERS.slice(0, 2),
    { ...OUTSIDE, datedAhead: { XAUUSD: 25_000n }, bindLate: -4 },
  ],
  [
    "heads",
    "a post-dated order that is voided, while another symbol is dated ahead",
    [{ at: 30_130n }],
    {
      symbols: ["EURUSD", "XAUUSD"],
      sources: { EURUSD: [[-50_000n, "kraken"]], XAUUSD: [[-50_000n, "kraken"]] },
      datedAhead: { XAUUSD: 25_000n },
      skip: (symbol, after) => symbol === "EURUSD" && after > 22_000n && after < 70_000n,
    },
  ],
  [
    "heads",
    "an order of a symbol that no head before had a price of",
    [{ at: 30_130n }],
    { ...OUTSIDE, bendLines: (lines, k) => (k < 62 ? lines.replace(/^EURUSD.*\n/, "") : lines) },
  ],
  ["heads", "a signed head with an invented price of its symbol", SEALED, invented("EURUSD,999,1763700030129,1084772")],
  ["heads", "a signed head with a line that names no symbol", SEALED, invented("zz,1,1763700030129,1")],
  ["heads", "a signed head with a price of an unknown symbol", SEALED, invented("ZZZ,1,1763700030129,1")],
  [
    "quotes",
    "a price 0.08 % off what its sources said",
    ORDERS,
    told135((p) => `binance=${p - bp8(p)}+kraken=${p - bp8(p)}`),
  ],
  ["quotes", "a source left out that agreed", ORDERS, told135((p) => `binance=${p}+kraken~${p + bp8(p)}`)],
  [
    "quotes",
    "a source that is far off but was counted",
    ORDERS,
    told135((p) => `binance=${p - p / 10n}+kraken=${p + p / 10n}`),
  ],
  ["quotes", "a signed quote left out", ORDERS, told135((p) => `binance=${p}+kraken=${p}+pyth=${p}`)],
  ["quotes", "a source that is not named", ORDERS, told135((p) => `binance=${p}+coinbase=${p}`)],
  ["quotes", "a tick that keeps back what it is made of", ORDERS, told135(() => "")],
  [
    "settlements",
    "another outcome",
    ORDERS,
    { change: rewritten("orders.settle", '"outcome":"lost"', '"outcome":"won"') },
  ],
  [
    "settlements",
    "an opening to other terms",
    ORDERS,
    { change: rewritten("orders.settle", /"own":"../, '"own":"00') },
  ],
  [
    "settlements",
    "a seal that opens to the other direction",
    SEALED,
    { change: rewritten("orders.settle", '"direction":"up"', '"direction":"down"') },
  ],
  ["quotes", "a signed quote that goes back by 1 s", ORDERS, back62(1n)],
  ["quotes", "a signed quote that goes back by 8 s, whatever its params say", ORDERS, back62(8n, true)],
  [
    "quotes",
    "a signed quote that goes back to a lower slot of the same second",
    ORDERS,
    {
      quoted: {
        symbol: "BTCUSD",
        bend: (price, seq) => (seq === 61n ? { ...price, publishTime: price.publishTime - 1n } : price),
        bendVaa: (vaa) => (vaa.slot === 61n ? { ...vaa, slot: 1n } : vaa),
      },
    },
  ],
  [
    "settlements",
    "an order that is never settled",
    ORDERS,
    { change: (all) => [...without(all, "orders.settle"), told(AFTER + 4_210_000n)] },
  ],
  [
    "settlements",
    "an order that is settled twice",
    ORDERS,
    { change: (all) => all.flatMap((each) => (each.kind === "orders.settle" ? [each, each] : [each])) },
  ],
  [
    "entry",
    "a sealed order without its seal's nonce",
    SEALED,
    { change: rewritten("orders.settle", /"sealNonce":"[0-9a-f]+"/, '"sealNonce":null') },
  ],
  [
    "acceptances",
    "a batch of refusals that appears twice",
    ORDERS,
    { change: (all) => [...all.slice(0, 7), refusals(5, 29_000n), refusals(5, 29_100n), ...all.slice(7)] },
  ],
  [
    "configurations",
    "a version that follows no other",
    ORDERS,
    { change: rewritten("config", '"version":1', '"version":2') },
  ],
  [
    "sources",
    "a source that changes after the fact",
    ORDERS,
    { change: (all) => [...all, entry("source", { since: 1_763_700_100_000, source: "kraken", symbol: "EURUSD" })] },
  ],
  [
    "cards",
    "a card's version that is left out",
    ORDERS,
    { change: (all) => [...all, entry("card", { at: 1_763_700_600_000, card: "7", hash: HASH, version: 2 })] },
  ],
  [
    "approvals",
    "an approval that appears twice",
    ORDERS,
    { change: (all) => [...all, told(1_763_700_600_000n), told(1_763_700_600_000n)] },
  ],
  [
    "liabilities",
    "debts of another day",
    ORDERS,
    {
      change: (all) => [
        ...all,
        entry("liabilities", { at: 1_763_700_600_000, day: 1, members: 1, root: HASH, sum: "1", wallet: "real" }),
      ],
    },
  ],
  [
    "releases",
    "a release that is written late",
    ORDERS,
    { change: (all) => [...all, entry("release", { app: HASH, at: 1_763_700_300_000, files: 3, verifier: null })] },
  ],
  [
    "settlements",
    "settlements that were held back and dated to when they were due",
    ORDERS,
    {
      isPunctual: true,
      change: (all) => {
        const last = ({ kind, time }: TestEntry) => time + (kind === "orders.settle" ? 240_000n : 0n);
        return all.toSorted((left, right) => Number(last(left) - last(right)));
      },
    },
  ],
  ["settlements", "late settlements without an incident", ORDERS, { change: (all) => [release(-90_000n), ...all] }],
  [
    "settlements",
    "an incident that was over before them",
    ORDERS,
    { change: (all) => inOrder([release(-90_000n), incident("house", 60_000n, 300_000n), ...all]) },
  ],
  [
    "settlements",
    "an incident that is reported only after the orders were settled",
    ORDERS,
    { change: (all) => [release(-90_000n), ...inOrder([...all, incident("house", 60_000n, 599_500n)])] },
  ],
  [
    "settlements",
    "an incident of a part that settles nothing",
    ORDERS,
    { change: (all) => inOrder([release(-90_000n), incident("log", 60_000n, 595_000n), ...all]) },
  ],
  ["settlements", "an order voided for want of an entry price, without a word", VOIDED, silent(30_000n, 46_000n)],
  ["settlements", "an order voided for an old exit price, without a word", VOIDED, silent(40_000n, 75_000n)],
  [
    "settlements",
    "a voided order, with an incident about another symbol's source",
    VOIDED,
    silent(30_000n, 46_000n, incident("source", 30_000n, 46_000n, "EURUSD")),
  ],
  [
    "settlements",
    "a voided order, with an incident about only a part of the time",
    VOIDED,
    silent(30_000n, 46_000n, incident("source", 31_000n, 46_000n, "BTCUSD")),
  ],
  [
    "settlements",
    "a voided order, with an incident that is minutes late",
    VOIDED,
    silent(30_000n, 46_000n, incident("source", 30_000n, 300_000n, "BTCUSD")),
  ],
  [
    "epochs",
    "an epoch that starts late without an incident",
    ORDERS,
    { isPunctual: true, change: (all) => withNext(all, 631_000n, []) },
  ],
  [
    "epochs",
    "an epoch that starts long after its incident",
    ORDERS,
    { isPunctual: true, change: (all) => withNext(all, 720_000n, [incident("prices", 600_000n, 695_000n)]) },
  ],
  [
    "incidents",
    "an incident that is reported late",
    ORDERS,
    { change: (all) => [...all, entry("incident", { ...incident("house", 1n, 2n).fields, at: START + 300_000n })] },
  ],
  [
    "entry",
    "an incident that ends before it begins",
    ORDERS,
    { change: (all) => [...all, incident("house", 700_000n, 600_000n)] },
  ],
])("both find under %s: %s", async (check, _what, orders, options) => {
  const { here, there, exitCode } = await verifyBoth(orders, options);
  expect(here).toContain(check);
  expect([there, exitCode]).toEqual([here, 1]);
});

it("neither reports a house that refused orders for minutes while it had no prices", async () => {
  const market = ["ticks", "heads", "epoch.reveal"];
  const more = [refusals(1, 10_000n), refusals(2, 100_000n), refusals(3, 200_000n)];
  const { here, there } = await verifyBoth([], { change: (all) => [...without(all, ...market), ...more] });
  expect([here, there]).toEqual([[], []]);
});

function entry(kind: string, fields: TestEntry["fields"]): TestEntry {
  return { time: 0n, kind, fields };
}

/** Makes the entry of a release, from which on the house logs its incidents. */
function release(after: bigint): TestEntry {
  const at = START + after;
  return { time: at, kind: "release", fields: { app: HASH, at, files: 3, verifier: HASH } };
}

/** Makes the entry of an incident that is reported as soon as it is over. */
function incident(part: string, from: bigint, to: bigint, symbol?: string): TestEntry {
  const where = symbol === undefined ? {} : { symbol };
  const fields = { at: START + to, from: START + from, part, reason: "a test", ...where, to: START + to };
  return { time: START + to, kind: "incident", fields };
}

function inOrder(entries: readonly TestEntry[]): TestEntry[] {
  return entries.toSorted((left, right) => Number(left.time - right.time));
}

/** Continues the log with the opening of the next epoch, this long after the start of the first one. */
function withNext(all: readonly TestEntry[], after: bigint, more: readonly TestEntry[]): TestEntry[] {
  const commit = all.find(({ kind }) => kind === "epoch.commit");
  const next = entry("epoch.commit", { ...commit?.fields, e: 2 });
  const mix = toHex(sm1Mix(nodeHashes, Buffer.from(commit?.fields["commit"] as string, "hex")));
  const open = entry("epoch.open", { e: 2, mix, start: START + after });
  return [release(-90_000n), ...all, next, ...more, open];
}

/** Makes an entry that states a time and nothing else. */
function told(at: bigint): TestEntry {
  return entry("approval", { at, hash: HASH, subject: "withdrawal" });
}

/** Makes the entry of a batch in which every order was refused. */
function refusals(batch: number, after: bigint): TestEntry {
  const refused = {
    commitments: "",
    open: 0,
    reasons: { INSUFFICIENT_BALANCE: 1 },
    refusals: Buffer.alloc(32).toString("base64"),
  };
  return entry("orders.accept", { acceptedAt: START + after, batch, config: 1, ...refused, v: 2 });
}

function without(entries: readonly TestEntry[], ...kinds: string[]): TestEntry[] {
  return entries.filter(({ kind }) => !kinds.includes(kind));
}

/** Replaces the first match of a text in each entry of this kind. */
function rewritten(wanted: string, from: string | RegExp, to: string): NonNullable<WorldOptions["change"]> {
  return (entries) =>
    entries.map((each) => {
      if (each.kind !== wanted) return each;
      const text = JSON.stringify(each.fields, (_name, value) => (typeof value === "bigint" ? Number(value) : value));
      return { ...each, fields: JSON.parse(text.replace(from, to)) as TestEntry["fields"] };
    });
}

it("both commands end with 1 if no witness cosigned the newest checkpoint, and with 0 if none is pinned", async () => {
  const world = await makeWorld(nodeHashes, ORDERS, {});
  const at = mkdtempSync(join(folder, "uncosigned-"));
  const log = writeLog(join(at, "log"), world.files);
  const [pinned, unpinned] = [writeKeys(at, POLICY), writeKeys(log, { ...POLICY, witnessesNeeded: 0 })];
  const judge = async (keys: string) => {
    const [here, there] = [
      await run(["verify", "--log", log, "--keys", keys]),
      await runPython(["verify-log", "--keys", keys, log]),
    ];
    return [here.exitCode, there.exitCode, here.lines.at(-1), there.lines.at(-1)];
  };
  expect(await judge(pinned)).toEqual([0, 0, "VERIFIED", "VERIFIED"]);
  writeFileSync(join(log, "checkpoint"), `${world.checkpoint.split("\n").slice(0, -2).join("\n")}\n`);
  expect(await judge(pinned)).toEqual([1, 1, "NOT VERIFIED", "NOT VERIFIED"]);
  expect(await judge(unpinned)).toEqual([0, 0, "VERIFIED", "VERIFIED"]);
});

it.each<[string, string]>([
  ["two origins", "origin other.example/log"],
  ["more witnesses needed than named", "witnesses 2"],
  ["two numbers of witnesses", "witnesses 1\nwitnesses 0"],
  ["a number of witnesses with a leading zero", "witnesses 01"],
])("both commands refuse pinned keys with %s", async (_what, lines) => {
  const world = await makeWorld(nodeHashes, [], {});
  const at = mkdtempSync(join(folder, "keys-"));
  const log = writeLog(join(at, "log"), world.files);
  const keys = writeKeys(at, POLICY);
  appendFileSync(keys, `\n${lines}\n`);
  await expect(run(["verify", "--log", log, "--keys", keys])).rejects.toThrow(/the keys/);
  const { exitCode, lines: said } = await runPython(["verify-log", "--keys", keys, log]);
  expect([exitCode, said.some((line) => /^(?:fault|VERIFIED)/.test(line))]).toEqual([3, false]);
});
