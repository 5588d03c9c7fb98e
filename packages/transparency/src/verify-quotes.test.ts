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

// Signed quotes of an outside source: one datum bent at a time, in a receipt and in the log.

/** Entry at tick 62, exit at 122: both with a quote. Then ticks 75 and 135, which have none. */
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

/** The receipt with the first tick's quote bent. */
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
  it("shows what both ticks were composed of, and that it is signed", () => {
    expect(notOk(receipt)).toEqual({});
    const check = checksOf(receipt).find(({ id }) => id === "quotes");
    expect(check?.values).toMatchObject({ signed: 2, set: 7, quorum: "3/5" });
    expect(check?.values["first"]).toMatch(/^binance \d+ \+ kraken \d+ \+ pyth \d+$/);
  });

  it("has nothing to show for a tick without a signed quote", async () => {
    const other = await honest.receipt(1);
    expect(notOk(other)).toEqual({});
    expect(checksOf(other).find(({ id }) => id === "quotes")?.values).toEqual({ signed: 0 });
    const simulated = await makeWorld(nodeHashes, orders, { symbols: ["BTCUSD"] });
    expect(notOk(await simulated.receipt(0))).toEqual({});
    expect(checksOf(await simulated.receipt(0)).find(({ id }) => id === "quotes")?.values).toEqual({ signed: 0 });
  });

  it("has a log whose signed quotes hold, all of them", async () => {
    const report = await verifyLog(nodeHashes, honest, POLICY);
    expect(report.findings.filter(({ grade }) => grade === "fault")).toEqual([]);
    expect(report.quotes).toBe(192);
  });
});

describe("a receipt with one datum bent", () => {
  const signatures = "the update's signatures do not hold: ";
  it.each<[string, (shown: ShownQuote) => void, string]>([
    ["a signature", ({ quote }) => (quote.vaa = flip(quote.vaa, 20)), "another quote was kept for the tick"],
    [
      "the price message",
      ({ quote }) => (quote.message = flip(quote.message, 40)),
      "another quote was kept for the tick",
    ],
    [
      "the way to the root",
      ({ quote }) => (quote.branch = flip(quote.branch, 3)),
      "the price is not in the signed tree",
    ],
    [
      "what the tick was made of",
      (shown) => (shown.line = shown.line.replace("kraken", "krakem")),
      "the log has other quotes of a tick",
    ],
    [
      "another tick's line",
      (shown) => (shown.line = shown.line.replace(/^\d+/, "63")),
      "what a tick was composed of is left out",
    ],
    ["the way to the log's root", (shown) => (shown.path[0] = "00".repeat(32)), "the log has other quotes of a tick"],
    ["the quote left out", (shown) => Object.assign(shown, { quote: null }), "the signed quote of a tick is left out"],
  ])("%s fails this one check", (_what, change, why) => {
    expect(notOk(bend(change))).toEqual({ quotes: `failed: ${why}` });
  });

  it("all of them left out fails it too", () => {
    const { quotes: _left, ...rest } = receipt;
    expect(notOk(rest)).toEqual({ quotes: "failed: what a tick was composed of is left out" });
  });

  it("who must sign not in the log yet waits, and written otherwise fails", () => {
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
  /** Sources beside the signed one that outvote it, which is so many hundredths of the tick. */
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
      "another price than is signed",
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
      "one of the future",
      { bend: ofEntry((said) => ({ ...said, publishTime: said.publishTime + 7n })) },
      OTHER_TIME,
      AT_ENTRY,
    ],
    [
      "another instrument's",
      { bend: ofEntry((said) => ({ ...said, id: "ff".repeat(32) })) },
      "the signed price is of something else",
      AT_ENTRY,
    ],
    [
      "one that is too unsure",
      { bend: ofEntry((said) => ({ ...said, conf: said.price / 300n })) },
      "the signed price is too unsure",
      AT_ENTRY,
    ],
    [
      "a tick that is not the middle of its sources",
      { bendSources: ofEntry((sources) => sources.set("binance", ((sources.get("pyth") ?? 0n) + 1n) as Points)) },
      "the tick is not the median of its sources",
      AT_ENTRY,
    ],
    ["a signed price far from its tick", farBy(97n), "the signed price is too far from the tick", AT_ENTRY],
    ["updates of too few", { bendVaa: (vaa) => ({ ...vaa, who: [0, 1] }) }, "fewSigners", "fewSigners"],
    [
      "updates of one guardian three times",
      { bendVaa: (vaa) => ({ ...vaa, who: [1, 1, 1] }) },
      "sameSigner",
      "sameSigner",
    ],
    ["updates of keys of its own", { bendVaa: (vaa) => ({ ...vaa, keyOf: () => 9 }) }, "wrongSigner", "wrongSigner"],
    [
      "updates of another emitter",
      { bendVaa: (vaa) => ({ ...vaa, emitter: new Uint8Array(32) }) },
      "otherEmitter",
      "otherEmitter",
    ],
    [
      "who must sign after the fact",
      { params: { since: 1_763_700_040_000n } },
      "who must sign was named after the tick",
      "nobody was named who must sign",
    ],
  ])("%s is found out in a receipt and in the log", async (_what, options, why, inLog) => {
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

  it("a signed price within what sources may differ by is not accused", async () => {
    const quoted = { symbol: "BTCUSD", ...farBy(99n) };
    const world = await makeWorld(nodeHashes, orders, { symbols: ["BTCUSD"], quoted });
    expect(notOk(await world.receipt(0))).toEqual({});
    const { findings } = await verifyLog(nodeHashes, world, POLICY);
    expect(findings.filter(({ grade }) => grade === "fault")).toEqual([]);
  });

  it("other quotes than its entries hash, or none", async () => {
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

describe("a house that tells of every tick what it is made of", () => {
  const SEEN = "BTCUSD tick";
  /** Tick 135, the second order's exit: nothing signed had a say in it. */
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

  it("shows it in receipts, and says how many ticks lack the signed quote", async () => {
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
      "a price that is 0.08 % off what its sources said",
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
  ])("%s is found out in the receipt and in the log", async (_what, bendLine, why) => {
    const world = await made({ bendLine });
    expect(notOk(await world.receipt(1))["quotes"]).toContain(why);
    expect((await faultsOf(world)).map(({ check, what }) => [check, what])).toEqual([
      ["quotes", expect.stringMatching(new RegExp(`^${SEEN} ${AT}: .*${why}`))],
    ]);
  });

  it.each<[string, NonNullable<QuotedSymbol["bendLine"]>]>([
    ["one tick", (line, { seq }) => (seq === AT ? `${seq}` : line)],
    ["a whole minute", (line, { time }) => (time % 60_000n < 60_000n && time / 60_000n === exitMinute() ? null : line)],
  ])("what %s is made of cannot be kept back any more", async (_what, bendLine) => {
    const faults = await faultsOf(await made({ bendLine }));
    expect(faults.map(({ check }) => check)).toEqual(["quotes"]);
    expect(faults[0]?.what).toContain("what it is made of is left out");
  });

  function exitMinute(): bigint {
    return (1_763_700_000_000n + 67_500n) / 60_000n;
  }
});
