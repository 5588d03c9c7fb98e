import { type FakeKraken, startFakeKraken, waitUntil } from "@fairtick/testkit";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../../platform/clock.ts";
import type { Feed, RawQuote, Rejection } from "./feed.ts";
import { createKrakenFeed } from "./kraken-feed.ts";

let kraken: FakeKraken;
let feed: Feed;
let quotes: RawQuote[];
let refused: [Rejection, ...RawQuote[]][];

beforeEach(async () => {
  quotes = [];
  refused = [];
  kraken = await startFakeKraken();
  feed = createKrakenFeed({
    url: kraken.url,
    pairs: new Map([["BTC/USD", "BTCUSD"]]),
    log: pino({ level: "silent" }),
    clock: systemClock,
  });
  feed.start({
    quote: (quote) => quotes.push(quote),
    malformed: () => refused.push(["malformed"]),
    refused: (reason, about = []) => refused.push([reason, ...about]),
  });
  await kraken.subscribed();
});
afterEach(async () => {
  await feed.stop();
  await kraken.close();
});

const agoIso = (ms: number) => new Date(Date.now() - ms).toISOString();
const ticker = (timestamp: string | null) => kraken.ticker("BTC/USD", { bid: "97000.1", ask: "97000.3", timestamp });

it.each<[what: string, timestamp: () => string, reason: Rejection]>([
  ["lags half a minute behind", () => agoIso(30_000), "old"],
  ["lags six seconds behind", () => agoIso(6_000), "old"],
  ["is ten seconds ahead", () => agoIso(-10_000), "ahead"],
  ["has an unreadable time", () => "2026-11-21 03:00:00", "malformed"],
  ["has the time of another zone", () => "2026-11-21T03:00:00+02:00", "malformed"],
])("refuses a quote and a trade whose connection %s", async (_what, timestamp, reason) => {
  kraken.trade("BTC/USD", "97001", timestamp());
  ticker(timestamp());
  await waitUntil("two refusals", () => refused.length === 2, 3_000);
  expect(refused.map(([why]) => why)).toEqual([reason, reason]);
  expect(refused[0]![1]).toMatchObject({ symbol: "BTCUSD", last: "97001" });
  expect(refused[1]![1]).toMatchObject({ symbol: "BTCUSD", bid: "97000.1", ask: "97000.3" });
  expect(quotes).toEqual([]);
  // A refused quote doesn't count as fresh, so trades still do.
  kraken.trade("BTC/USD", "97001");
  await waitUntil("a quote", () => quotes.length === 1);
});

it("takes a quote that is four seconds old, one without a time, and the subscription's first one of any age", async () => {
  ticker(agoIso(4_000));
  ticker(null);
  const first = { symbol: "BTC/USD", bid: 97002, ask: 97002, timestamp: agoIso(600_000) };
  kraken.raw(JSON.stringify({ channel: "ticker", type: "snapshot", data: [first] }));
  await waitUntil("three quotes", () => quotes.length === 3);
  expect(refused).toEqual([]);
});

it("refuses a pair that was not subscribed, even under our own name for an instrument", async () => {
  const foreign = { symbol: "BTCUSD", bid: 1, ask: 1, price: 1, timestamp: new Date().toISOString() };
  kraken.raw(JSON.stringify({ channel: "ticker", type: "update", data: [foreign] }));
  kraken.raw(JSON.stringify({ channel: "trade", type: "update", data: [foreign] }));
  await waitUntil("two refusals", () => refused.length === 2, 3_000);
  expect([refused, quotes]).toEqual([[["unknownInstrument"], ["unknownInstrument"]], []]);
});
