import { type FakeBinance, type FakeKraken, startFakeBinance, startFakeKraken, waitUntil } from "@fairtick/testkit";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../../platform/test-context.ts";
import { type Market, startMarket } from "../index.ts";
import { readSourcePlan } from "../source-plan.ts";

let context: TestContext;
let kraken: FakeKraken;
let binance: FakeBinance;
let market: Market;
const prices = new Map<string, bigint[]>();
/** The price that each exchange quotes ten times a second; null means silence. */
const said = { kraken: "97000.00" as string | null, binance: "97001.00" as string | null, repeats: false };
let speaking: NodeJS.Timeout;

beforeAll(async () => {
  [kraken, binance] = await Promise.all([startFakeKraken(), startFakeBinance()]);
  context = await createTestContext({
    marketSources: "simulated,BTCUSD=kraken+binance,ETHUSD=kraken",
    krakenUrl: kraken.url,
    binanceUrl: binance.url,
    dataDir: mkdtempSync(join(tmpdir(), "market-")),
  });
  context.bus.subscribe("ticks", (slot) => {
    for (const { symbol, price } of slot.ticks) prices.set(symbol, [...(prices.get(symbol) ?? []), price]);
  });
  market = startMarket({ ...context, clock: systemClock });
  await market.started;
  await Promise.all([kraken.subscribed(), binance.subscribed()]);
  speaking = setInterval(() => {
    if (said.kraken !== null) kraken.ticker("BTC/USD", { bid: said.kraken, ask: said.kraken });
    if (said.binance !== null) {
      const quote = { bid: `"${said.binance}"`, ask: `"${said.binance}"` };
      binance.book("BTCUSDT", said.repeats ? { ...quote, update: binance.lastUpdate() } : quote);
    }
    kraken.ticker("ETH/USD", { bid: "3400.00", ask: "3400.00" });
  }, 100);
});
afterAll(async () => {
  clearInterval(speaking);
  await market.stop();
  await Promise.all([kraken.close(), binance.close()]);
  await context.close();
});

const count = (symbol: string) => prices.get(symbol)?.length ?? 0;

function reaches(price: bigint) {
  return waitUntil(`a price of ${price}`, () => prices.get("BTCUSD")?.at(-1) === price);
}

/** Expects the instrument with two sources to get no ticks while the one with one source does. */
async function stops(): Promise<void> {
  await waitUntil("silence of the one, and not of the other", async () => {
    const [bitcoin, ether] = [count("BTCUSD"), count("ETHUSD")];
    await waitUntil("its neighbour's next prices", () => count("ETHUSD") > ether + 5);
    return count("BTCUSD") === bitcoin;
  });
}

// Each test leaves both exchanges working and honest.
describe("an instrument of two exchanges", () => {
  it("gets the middle of both prices, while another instrument gets its only source's price", async () => {
    await reaches(9_700_050n);
    await waitUntil("the neighbour's price", () => prices.get("ETHUSD")?.at(-1) === 340_000n);
    expect([...binance.streams()]).toEqual(["btcusdt@bookTicker"]);
  });

  it.each<[string, () => void]>([
    ["falls silent", () => (said.binance = null)],
    ["freezes with its connection open", () => binance.freeze()],
    ["repeats its last quote", () => (said.repeats = true)],
    ["says zero", () => (said.binance = "0.00")],
    ["sends something that isn't a number", () => (said.binance = "NaN")],
    ["lies within the band", () => (said.binance = "99500.00")],
  ])("stops when one %s, and continues when that is over", async (_what, misbehave) => {
    misbehave();
    await stops();
    expect(prices.get("BTCUSD")?.every((price) => price >= 9_700_000n && price <= 9_700_100n)).toBe(true);
    said.binance = "97001.00";
    said.repeats = false;
    binance.thaw();
    await reaches(9_700_050n);
  });
});

describe("sources by configuration", () => {
  const symbols = ["EURUSD", "BTCUSD"];

  it("are one or several real ones for each instrument", () => {
    expect([...readSourcePlan("kraken, BTCUSD = binance+kraken", symbols)]).toEqual([
      ["EURUSD", ["kraken"]],
      ["BTCUSD", ["kraken", "binance"]],
    ]);
  });

  it("are refused if mixed with simulated prices, named twice, or fewer than have to agree", () => {
    expect(() => readSourcePlan("kraken+simulated", symbols)).toThrow(/mixes/);
    expect(() => readSourcePlan("kraken+scripted", symbols)).toThrow(/mixes/);
    expect(() => readSourcePlan("kraken+kraken", symbols)).toThrow(/twice/);
    expect(() => readSourcePlan("kraken+", symbols)).toThrow(/names no source/);
    expect(() => startMarket({ ...context, config: { ...context.config, marketQuorum: 3 } })).toThrow(
      /MARKET_QUORUM: BTCUSD/,
    );
  });
});
