import type { Points } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { beforeAll, describe, expect, it } from "vitest";
import { fromBase64, toBase64 } from "./base64.ts";
import { parseReceipt } from "./receipt.ts";
import { makeWorld, POLICY, type World } from "./testing.ts";
import type { TestOrder } from "./testing-house.ts";
import type { QuotedSymbol } from "./testing-quotes.ts";
import { verifyLog } from "./verify-log.ts";
import { verifyReceipt } from "./verify-receipt.ts";

// Signed quotes of an outside source, falsified one value at a time, in a receipt and in the log.

/** The first order's ticks, 62 and 122, have quotes; the second order's, 75 and 135, have none. */
const orders: TestOrder[] = [
  { at: 30_130n, symbol: "BTCUSD", durationSeconds: 30 },
  { at: 36_600n, symbol: "BTCUSD", durationSeconds: 30 },
];
const ENTRY = 62n;

type Json = Record<string, unknown>;
let honest: World;
let receipt: Json;

beforeAll(async () => {
  honest = await makeWorld(nodeHashes, orders, {
    symbols: ["BTCUSD"],
    ordersPerBatch: 1,
    quoted: { symbol: "BTCUSD" },
  });
  receipt = await honest.receipt(0);
});

function checksOf(json: Json) {
  const parsed = parseReceipt(structuredClone(json));
  if (!parsed.ok) throw new Error(parsed.fault);
  return verifyReceipt(nodeHashes, parsed.receipt, POLICY);
}

function notOk(json: Json): Record<string, string | undefined> {
  const bad = checksOf(json).filter((check) => check.state !== "ok");
  return Object.fromEntries(bad.map(({ id, state, why }) => [id, `${state}: ${why}`]));
}

interface ShownQuote {
  line: string;
  params: { entry: string; proof: string | null };
  path: string[];
  quote: { branch: string; message: string; vaa: string };
}

/** Returns the receipt with the first tick's quote changed. */
function bend(change: (shown: ShownQuote) => void): Json {
  const copy = structuredClone(receipt);
  change((copy["quotes"] as ShownQuote[])[0]!);
  return copy;
}

function flip(text: string, at: number): string {
  const bytes = fromBase64(text)!;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return toBase64(bytes);
}

describe("an honest house", () => {
  it("proves what both ticks were composed of, with the signed quotes", () => {
    expect(notOk(receipt)).toEqual({});
    const check = checksOf(receipt).find(({ id }) => id === "quotes");
    expect(check?.values).toMatchObject({ signed: 2, set: 7, quorum: "3/5" });
    expect(check?.values["first"]).toMatch(/^binance \d+ \+ kraken \d+ \+ pyth \d+$/);
  });

  it("needs no proof for a tick without a signed quote", async () => {
    const other = await honest.receipt(1);
    expect(notOk(other)).toEqual({});
    expect(checksOf(other).find(({ id }) => id === "quotes")?.values).toEqual({ signed: 0 });
    const simulated = await makeWorld(nodeHashes, orders, { symbols: ["BTCUSD"] });
    expect(notOk(await simulated.receipt(0))).toEqual({});
    expect(checksOf(await simulated.receipt(0)).find(({ id }) => id === "quotes")?.values).toEqual({ signed: 0 });
  });

  it("has a log in which all signed quotes are valid", async () => {
    const report = await verifyLog(nodeHashes, honest, POLICY);
    expect(report.findings.filter(({ grade }) => grade === "fault")).toEqual([]);
    expect(report.quotes).toBe(192);
  });
});

describe("a receipt with one value falsified", () => {
  const signatures = "the update's signatures do not hold: ";
  it.each<[string, (shown: ShownQuote) => void, string]>([
    ["a signature", ({ quote }) => (quote.vaa = flip(quote.vaa, 20)), "another quote was kept for the tick"],
    [
      "the price message",
      ({ quote }) => (quote.message = flip(quote.message, 40)),
      "another quote was kept for the tick",
    ],
    [
      "the path to the signed root",
      ({ quote }) => (quote.branch = flip(quote.branch, 3)),
      "the price is not in the signed tree",
    ],
    [
      "the tick's sources",
      (shown) => (shown.line = shown.line.replace("kraken", "krakem")),
      "the log has other quotes of a tick",
    ],
    [
      "another tick's line",
      (shown) => (shown.line = shown.line.replace(/^\d+/, "63")),
      "what a tick was composed of is left out",
    ],
    [
      "the path to the root in the log",
      (shown) => (shown.path[0] = "00".repeat(32)),
      "the log has other quotes of a tick",
    ],
    ["a missing quote", (shown) => Object.assign(shown, { quote: null }), "the signed quote of a tick is left out"],
  ])("fails only the check of quotes: %s", (_what, change, why) => {
    expect(notOk(bend(change))).toEqual({ quotes: `failed: ${why}` });
  });

  it("fails without any quotes", () => {
    const { quotes: _left, ...rest } = receipt;
    expect(notOk(rest)).toEqual({ quotes: "failed: what a tick was composed of is left out" });
  });

  it("is pending while the guardians' entry is in no checkpoint, and fails with another entry", () => {
    const early = bend(({ params }) => (params.proof = null));
    expect(notOk(early)).toEqual({ quotes: "pending: who must sign is not in a checkpoint yet" });
    const other = bend(({ params }) =>
      Object.assign(params, { entry: params.entry.replace('"set":7', '"set":8'), proof: null }),
    );
    expect(notOk(other)).toEqual({ quotes: `failed: ${signatures}otherSet` });
  });
});

describe("a house that publishes", () => {
  const ofEntry =
    <Value>(change: (value: Value) => Value) =>
    (value: Value, seq: bigint): Value =>
      seq === ENTRY ? change(value) : value;
  const AT_ENTRY = `BTCUSD tick ${ENTRY}: `;
  /** Makes the signed price so many hundredths of the tick, with two other sources that outvote it. */
  const farBy = (hundredths: bigint): Omit<QuotedSymbol, "symbol"> => ({
    bend: ofEntry((said) => ({ ...said, price: (said.price * hundredths) / 100n })),
    bendSources: ofEntry((sources) => {
      const price = sources.get("pyth") ?? (0n as Points);
      return new Map([
        ["binance", price],
        ["kraken", price],
        ["pyth", ((price * hundredths) / 100n) as Points],
      ]);
    }),
  });
  const OTHER_PRICE = "the signed price is another";
  const OTHER_TIME = "the signed price is of another time";

  it.each<[string, Omit<QuotedSymbol, "symbol">, string, string]>([
    [
      "another price than the signed one",
      { bend: ofEntry((said) => ({ ...said, price: said.price + 1n })) },
      OTHER_PRICE,
      AT_ENTRY,
    ],
    ["another exponent", { bend: ofEntry((said) => ({ ...said, expo: -3 })) }, OTHER_PRICE, AT_ENTRY],
    [
      "an old quote",
      { bend: ofEntry((said) => ({ ...said, publishTime: said.publishTime - 11n })) },
      OTHER_TIME,
      AT_ENTRY,
    ],
    [
      "a quote from the future",
      { bend: ofEntry((said) => ({ ...said, publishTime: said.publishTime + 7n })) },
      OTHER_TIME,
      AT_ENTRY,
    ],
    [
      "another instrument's quote",
      { bend: ofEntry((said) => ({ ...said, id: "ff".repeat(32) })) },
      "the signed price is of something else",
      AT_ENTRY,
    ],
    [
      "a quote that is too uncertain",
      { bend: ofEntry((said) => ({ ...said, conf: said.price / 300n })) },
      "the signed price is too unsure",
      AT_ENTRY,
    ],
    [
      "a tick that is not the median of its sources",
      { bendSources: ofEntry((sources) => sources.set("binance", ((sources.get("pyth") ?? 0n) + 1n) as Points)) },
      "the tick is not the median of its sources",
      AT_ENTRY,
    ],
    ["a signed price far from its tick", farBy(97n), "the signed price is too far from the tick", AT_ENTRY],
    [
      "updates signed by too few guardians",
      { bendVaa: (vaa) => ({ ...vaa, who: [0, 1] }) },
      "fewSigners",
      "fewSigners",
    ],
    [
      "updates signed by one guardian three times",
      { bendVaa: (vaa) => ({ ...vaa, who: [1, 1, 1] }) },
      "sameSigner",
      "sameSigner",
    ],
    [
      "updates signed with its own keys",
      { bendVaa: (vaa) => ({ ...vaa, keyOf: () => 9 }) },
      "wrongSigner",
      "wrongSigner",
    ],
    [
      "updates of another emitter",
      { bendVaa: (vaa) => ({ ...vaa, emitter: new Uint8Array(32) }) },
      "otherEmitter",
      "otherEmitter",
    ],
    [
      "the guardians' entry after the fact",
      { params: { since: 1_763_700_040_000n } },
      "who must sign was named after the tick",
      "nobody was named who must sign",
    ],
  ])("%s is detected in a receipt and in the log", async (_what, options, why, inLog) => {
    const world = await makeWorld(nodeHashes, orders, {
      symbols: ["BTCUSD"],
      quoted: { symbol: "BTCUSD", ...options },
    });
    const found = notOk(await world.receipt(0));
    expect(Object.keys(found)).toEqual(["quotes"]);
    expect(found["quotes"]).toContain(why);
    const { findings } = await verifyLog(nodeHashes, world, POLICY);
    const faults = findings.filter(({ grade }) => grade === "fault");
    expect(new Set(faults.map(({ check }) => check))).toEqual(new Set(["quotes"]));
    expect(faults.filter(({ what }) => !what.includes(inLog))).toEqual([]);
  });

  it("a signed price within the allowed difference of sources has no fault", async () => {
    const quoted = { symbol: "BTCUSD", ...farBy(99n) };
    const world = await makeWorld(nodeHashes, orders, { symbols: ["BTCUSD"], quoted });
    expect(notOk(await world.receipt(0))).toEqual({});
    const { findings } = await verifyLog(nodeHashes, world, POLICY);
    expect(findings.filter(({ grade }) => grade === "fault")).toEqual([]);
  });

  it("other quotes than its entries hash, or none, is detected", async () => {
    const files = new Map(honest.files);
    const path = [...files.keys()].find((name) => name.startsWith("quotes/"))!;
    const report = async () => {
      const read = (name: string) => Promise.resolve(files.get(name) ?? null);
      return (await verifyLog(nodeHashes, { read }, POLICY)).findings.map(({ check, what }) => `${check}: ${what}`);
    };
    const text = new TextDecoder().decode(files.get(path));
    files.set(path, new TextEncoder().encode(text.replace("kraken=", "krakem=")));
    expect(await report()).toContain(`quotes: ${path} is not what its entry hashes`);
    files.set(path, new TextEncoder().encode("[]"));
    expect(await report()).toContain(`quotes: ${path} is malformed`);
    files.delete(path);
    expect(await report()).toContain(`quotes: ${path} is not served`);
  });
});

describe("a house whose signed quotes go back", () => {
  /** The entry's quote is signed this many seconds before the tick, and all others at their ticks' time. */
  const back = (seconds: bigint, options: Omit<QuotedSymbol, "symbol"> = {}) =>
    makeWorld(nodeHashes, orders, {
      symbols: ["BTCUSD"],
      quoted: {
        symbol: "BTCUSD",
        bend: (price, seq) => (seq === ENTRY ? { ...price, publishTime: price.publishTime - seconds } : price),
        ...options,
      },
    });
  const findingsOf = async (world: World) =>
    (await verifyLog(nodeHashes, world, POLICY)).findings
      .filter(({ check }) => check === "quotes")
      .map(({ grade, what }) => `${grade}: ${what}`);
  const BACK = `fault: BTCUSD tick ${ENTRY}: the signed price is older than that of an earlier tick`;
  const ALLOWED = "note: signed quotes may go back by up to 7000 ms";

  it.each([1n, 2n, 9n])("by %i s is detected in the log", async (seconds) => {
    expect(await findingsOf(await back(seconds))).toEqual([BACK]);
  });

  it("to a lower slot of the same second is detected", async () => {
    // Ticks 61 to 80 share an update. Tick 61 gets the second of tick 59, whose update has the slot 41.
    const world = await back(0n, {
      bend: (price, seq) => (seq === 61n ? { ...price, publishTime: price.publishTime - 1n } : price),
      bendVaa: (vaa) => (vaa.slot === 61n ? { ...vaa, slot: 1n } : vaa),
    });
    expect(await findingsOf(world)).toEqual([BACK.replace("62", "61")]);
  });

  it("is examined within 7 s if the params don't say how far, or more, and then a note says so", async () => {
    expect(await findingsOf(await back(7n, { isFormer: true }))).toEqual([ALLOWED]);
    expect(await findingsOf(await back(8n, { isFormer: true }))).toEqual([ALLOWED, BACK]);
    expect(await findingsOf(await back(8n, { params: { backMax: 60_000 } }))).toEqual([ALLOWED, BACK]);
  });

  it("can't do so step by step: the newest quote counts, not the last one", async () => {
    const steps = new Map([62n, 63n, 64n].map((seq, index) => [seq, BigInt(index + 1) * 5n]));
    const world = await back(0n, {
      isFormer: true,
      bend: (price, seq) => ({ ...price, publishTime: price.publishTime - (steps.get(seq) ?? 0n) }),
    });
    expect((await findingsOf(world)).map((found) => found.split(":")[1])).toEqual([
      " signed quotes may go back by up to 7000 ms",
      " BTCUSD tick 63",
      " BTCUSD tick 64",
    ]);
  });
});

describe("a house that names the sources of every tick", () => {
  const SEEN = "BTCUSD tick";
  /** Tick 135, the second order's exit, which no signed quote counted in. */
  const AT = 135n;
  const made = (options: Omit<QuotedSymbol, "symbol"> = {}) =>
    makeWorld(nodeHashes, orders, {
      symbols: ["BTCUSD"],
      ordersPerBatch: 1,
      quoted: { symbol: "BTCUSD", tellsAll: true, ...options },
    });
  const faultsOf = async (world: World) =>
    (await verifyLog(nodeHashes, world, POLICY)).findings.filter(({ grade }) => grade === "fault");
  const atExit =
    (change: (price: bigint) => string) =>
    (line: string, { seq, price }: { readonly seq: bigint; readonly price: bigint }) =>
      seq === AT ? `${seq},${change(price)}` : line;

  it("has them in receipts, and a note in the log's report of how many ticks lack the signed quote", async () => {
    const world = await made();
    const other = await world.receipt(1);
    expect(notOk(other)).toEqual({});
    const values = checksOf(other).find(({ id }) => id === "quotes")?.values;
    expect(values).toMatchObject({ signed: 0 });
    expect(values?.["second"]).toMatch(/^binance \d+ \+ kraken \d+$/);
    const report = await verifyLog(nodeHashes, world, POLICY);
    expect(report.findings.filter(({ grade }) => grade === "fault")).toEqual([]);
    expect(report.findings.map(({ what }) => what).join("\n")).toMatch(
      /BTCUSD: \d+ of \d+ ticks lack the signed quote of their sources/,
    );
  });

  it.each<[string, NonNullable<QuotedSymbol["bendLine"]>, string]>([
    [
      "a price that is 0.08 % off its sources",
      atExit((price) => `binance=${price - (price * 8n) / 10_000n}+kraken=${price - (price * 8n) / 10_000n}`),
      "the tick is not the median of its sources",
    ],
    [
      "a source left out that is 0.08 % off the others",
      atExit((price) => `binance=${price}+kraken~${price + (price * 8n) / 10_000n}`),
      "a source that agreed had no say",
    ],
    [
      "a source counted that is far off",
      atExit((price) => `binance=${(price * 9n) / 10n}+kraken=${price + (price - (price * 9n) / 10n)}`),
      "a source that is far off had a say",
    ],
    [
      "a signed quote left out",
      atExit((price) => `binance=${price}+kraken=${price}+pyth=${price}`),
      "the signed quote among its sources is left out",
    ],
    ["a source that is not named", atExit((price) => `binance=${price}+coinbase=${price}`), "is not named"],
  ])("%s is detected in the receipt and in the log", async (_what, bendLine, why) => {
    const world = await made({ bendLine });
    expect(notOk(await world.receipt(1))["quotes"]).toContain(why);
    expect((await faultsOf(world)).map(({ check, what }) => [check, what])).toEqual([
      ["quotes", expect.stringMatching(new RegExp(`^${SEEN} ${AT}: .*${why}`))],
    ]);
  });

  it.each<[string, NonNullable<QuotedSymbol["bendLine"]>]>([
    ["one tick", (line, { seq }) => (seq === AT ? `${seq}` : line)],
    ["a whole minute", (line, { time }) => (time % 60_000n < 60_000n && time / 60_000n === exitMinute() ? null : line)],
  ])("can no longer leave out the sources of %s", async (_what, bendLine) => {
    const faults = await faultsOf(await made({ bendLine }));
    expect(faults.map(({ check }) => check)).toEqual(["quotes"]);
    expect(faults[0]?.what).toContain("what it is made of is left out");
  });

  function exitMinute(): bigint {
    return (1_763_700_000_000n + 67_500n) / 60_000n;
  }
});
