import { type FakeHermes, type FakePrice, startFakeHermes, waitUntil } from "@fairtick/testkit";
import { isInPythTree, openVaa, parsePythPrice } from "@fairtick/transparency";
import {
  pythMessage,
  pythTree,
  pythUpdateHex,
  signVaa,
  testGuardians,
  type TestVaa,
} from "@fairtick/transparency/testing";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../platform/clock.ts";
import { createEventReader } from "./event-reader.ts";
import type { Feed, RawQuote, Rejection } from "./feed.ts";
import { createPythFeed } from "./pyth-feed.ts";
import { pythInstrument, type PythInstrument } from "./pyth-params.ts";
import { signedOrder } from "./signed-order.ts";

const KEY = "a key of the test";
const house = testGuardians(5, 3);
const bitcoin = pythInstrument({ symbol: "BTCUSD", name: "BTC/USD", decimals: 2, kind: "crypto" })!;
const euro = pythInstrument({ symbol: "EURUSD", name: "EUR/USD", decimals: 6, kind: "fx" })!;
let hermes: FakeHermes;
let feed: Feed;
let quotes: RawQuote[] = [];
let refused: Rejection[] = [];
let about: RawQuote[] = [];
const said: string[] = [];
let slot = 1_000n;

const log = pino({ level: "info" }, { write: (line: string) => said.push(line) });

beforeAll(async () => {
  hermes = await startFakeHermes(KEY);
  feed = openFeed(KEY);
  await hermes.subscribed();
});
afterAll(async () => {
  await feed.stop();
  await hermes.close();
});
beforeEach(() => {
  quotes = [];
  refused = [];
  about = [];
});

function openFeed(key: string | null): Feed {
  const instruments = new Map<string, PythInstrument>([bitcoin, euro].map((one) => [one.id, one]));
  const { signers } = house;
  const made = createPythFeed({ url: hermes.url, key, signers, instruments, log, clock: systemClock, stableMs: 0 });
  made.start({
    quote: (quote) => quotes.push(quote),
    malformed: () => refused.push("malformed"),
    refused: (reason, of = []) => {
      refused.push(reason);
      about.push(...of);
    },
  });
  return made;
}

function priceOf(change: Partial<FakePrice> = {}): FakePrice {
  const publishTime = systemClock.now() / 1000n;
  return { id: bitcoin.id, price: 9_700_012_345_678n, conf: 900_000_000n, expo: -8, publishTime, ...change };
}

interface Said {
  readonly signed?: Partial<FakePrice>;
  readonly told?: Partial<FakePrice> | null;
  readonly vaa?: Partial<TestVaa>;
  readonly bend?: (hex: string) => string;
}

function say({ signed = {}, told = {}, vaa = {}, bend = (hex) => hex }: Said = {}): void {
  slot += 1n;
  const price = priceOf(signed);
  const { root, leaves } = pythTree([
    pythMessage(price),
    pythMessage(priceOf({ id: euro.id, price: 108_500_000n, conf: 5_000n })),
  ]);
  const hex = pythUpdateHex(signVaa(house, { slot, root, ...vaa }), leaves.slice(0, 1));
  hermes.update([bend(hex)], told === null ? null : [{ ...price, ...told }]);
}

/** Changes the last byte of the update, which is part of its path to the root. */
const bendLast = (hex: string) => hex.slice(0, -1) + (hex.endsWith("0") ? "1" : "0");

describe("Pyth's stream", () => {
  it("is requested with the key, and only for its feeds", () => {
    expect(new Set(hermes.ids())).toEqual(new Set([bitcoin.id, euro.id]));
  });

  it("gives a price exactly as signed, with the proof", async () => {
    say();
    await waitUntil("a quote", () => quotes.length > 0);
    const [quote] = quotes;
    expect(quote).toMatchObject({ symbol: "BTCUSD", last: "97000.12345678" });
    const said = parsePythPrice(quote!.signed!.message);
    expect(quote!.order).toBe(signedOrder(said!.publishTime, slot));
    expect(signedOrder(said!.publishTime + 1n, 0n)).toBeGreaterThan(quote!.order!);
    const opened = openVaa(quote!.signed!.vaa, house.signers);
    expect(opened.ok && isInPythTree(quote!.signed!, opened.signed.root)).toBe(true);
    expect(refused).toEqual([]);
  });

  it("serves several instruments with one update, but none that the update lacks", async () => {
    slot += 1n;
    const prices = [priceOf(), priceOf({ id: euro.id, price: 108_512n, conf: 20n, expo: -5 })];
    const { root, leaves } = pythTree(prices.map(pythMessage));
    hermes.update([pythUpdateHex(signVaa(house, { slot, root }), leaves)], prices);
    await waitUntil("both quotes", () => quotes.length === 2);
    expect(quotes.map(({ symbol, last }) => [symbol, last])).toEqual([
      ["BTCUSD", "97000.12345678"],
      ["EURUSD", "1.08512"],
    ]);
    expect(quotes[0]!.signed!.vaa).toEqual(quotes[1]!.signed!.vaa);
  });

  it.each<[string, () => void, Rejection]>([
    [
      "an unsigned price that differs from the signed one",
      () => say({ told: { price: 9_700_012_345_679n } }),
      "notAsSigned",
    ],
    ["an unsigned confidence that differs", () => say({ told: { conf: 1n } }), "notAsSigned"],
    ["an unsigned exponent that differs", () => say({ told: { expo: -7 } }), "notAsSigned"],
    ["an unsigned time that differs", () => say({ told: { publishTime: 1n } }), "notAsSigned"],
    [
      "an altered signature",
      () => say({ bend: (hex) => `${hex.slice(0, 44)}${hex[44] === "0" ? "1" : "0"}${hex.slice(45)}` }),
      "wrongSigner",
    ],
    ["a stranger's signatures", () => say({ vaa: { keyOf: () => 9 } }), "wrongSigner"],
    ["too few signatures", () => say({ vaa: { who: [0, 1] } }), "fewSigners"],
    ["one guardian three times", () => say({ vaa: { who: [1, 1, 1] } }), "sameSigner"],
    ["another guardian set", () => say({ vaa: { set: 6 } }), "otherSet"],
    ["another emitter", () => say({ vaa: { emitter: new Uint8Array(32) } }), "otherEmitter"],
    ["another chain", () => say({ vaa: { chain: 1 } }), "otherEmitter"],
    ["a path that doesn't lead to the root", () => say({ bend: bendLast }), "notInTree"],
    ["a replayed old update", () => say({ signed: { publishTime: priceOf().publishTime - 60n } }), "old"],
    ["an update from the future", () => say({ signed: { publishTime: priceOf().publishTime + 60n } }), "ahead"],
    ["a confidence interval that is too wide", () => say({ signed: { conf: 9_700_012_345_678n / 300n } }), "unsure"],
    ["zero", () => say({ signed: { price: 0n, conf: 0n } }), "zero"],
    ["a negative price", () => say({ signed: { price: -5n, conf: 0n } }), "negative"],
    ["a feed that was not requested", () => say({ signed: { id: "ee".repeat(32) } }), "unknownInstrument"],
    ["an unsigned price", () => hermes.update([], [priceOf()]), "unsigned"],
    ["an update that isn't hexadecimal", () => hermes.update(["UE5BVQ=="], null), "malformed"],
    [
      "an update of another version",
      () => say({ told: null, bend: (hex) => `504e415502${hex.slice(10)}` }),
      "malformed",
    ],
    ["half an update", () => say({ told: null, bend: (hex) => hex.slice(0, 600) }), "malformed"],
    ["no JSON", () => hermes.event("hello"), "malformed"],
    ["a server error", () => hermes.raw("event:error\ndata:Error receiving update\n\n"), "malformed"],
  ])("refuses and counts %s, and continues with the next good one", async (_what, misbehave, reason) => {
    misbehave();
    await waitUntil("a refusal", () => refused.length > 0);
    expect([refused, quotes]).toEqual([[reason], []]);
    say();
    await waitUntil("a quote", () => quotes.length > 0);
    expect(refused).toEqual([reason]);
  });

  it.each<[string, () => void, RawQuote]>([
    [
      "with its price if the guardians signed it",
      () => say({ signed: { conf: 9_700_012_345_678n / 300n } }),
      { symbol: "BTCUSD", last: "97000.12345678", order: 0n },
    ],
    ["without a price that others signed", () => say({ vaa: { keyOf: () => 9 } }), { symbol: "BTCUSD", order: null }],
    ["without an unsigned price", () => hermes.update([], [priceOf()]), { symbol: "BTCUSD", order: null }],
  ])("says which instrument a refusal was about, %s", async (_what, misbehave, quote) => {
    misbehave();
    await waitUntil("a refusal", () => refused.length > 0);
    const { order, ...rest } = about[0]!;
    expect([about.length, rest, order === null]).toEqual([1, { ...quote, order: undefined }, quote.order === null]);
  });

  it("is accepted without the unsigned part beside it", async () => {
    say({ told: null });
    await waitUntil("a quote", () => quotes.length > 0);
    expect(refused).toEqual([]);
  });

  it("comes back after a lost connection, a web page, another key, an endless line and a stall", async () => {
    const isBack = (what: string, after: number, ms?: number) =>
      waitUntil(`a connection after ${what}`, () => hermes.connections() > after, ms);
    /** Waits for a good quote, which also makes the next reconnect quick. */
    const works = async () => {
      await hermes.subscribed();
      quotes = [];
      say();
      await waitUntil("a quote", () => quotes.length > 0);
    };
    let before = hermes.connections();
    hermes.drop();
    await isBack("the cut", before);
    await works();

    hermes.answerPage(true);
    before = hermes.connections();
    hermes.drop();
    await isBack("the page", before + 1);
    expect(refused).toContain("malformed");
    expect(said.join("")).toContain("did not answer with an event stream");
    hermes.answerPage(false);
    await works();

    hermes.changeKey("another");
    hermes.drop();
    await waitUntil("being sent away", () => hermes.refusals() > 0);
    await waitUntil("plain words", () => said.join("").includes("PYTH_KEY is missing or wrong"));
    expect(said.join("")).not.toContain(KEY);
    hermes.changeKey(KEY);
    await works();

    before = hermes.connections();
    for (let part = 0; part < 25; part += 1) hermes.raw(`${part === 0 ? "data:" : ""}${"0".repeat(100_000)}`);
    await isBack("the endless line", before);
    await works();

    before = hermes.connections();
    hermes.freeze();
    await isBack("the stall", before, 15_000);
    hermes.thaw();
    await works();
  });
});

describe("events", () => {
  it("are the same however they are cut into pieces", () => {
    const bytes = Buffer.from(':\n\ndata: {"a":1}\ndata:é\r\n\r\nevent: x\nid: 7\n\n: no\ndata\n\ndata:last\n\n');
    for (const size of [1, 2, 3, 7, 1_000]) {
      const reader = createEventReader();
      const events: string[] = [];
      for (let from = 0; from < bytes.length; from += size)
        events.push(...reader.read(bytes.subarray(from, from + size)));
      expect(events).toEqual(['{"a":1}\né', "", "last"]);
    }
  });
});
