import { type FakeKraken, startFakeKraken, startPriceScript, waitUntil } from "@fairtick/testkit";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BusEvents } from "../../../platform/bus.ts";
import { systemClock } from "../../../platform/clock.ts";
import { ConfigError } from "../../../platform/config.ts";
import { createTestContext, type TestContext } from "../../../platform/test-context.ts";
import { type Market, startMarket } from "../index.ts";

let context: TestContext;
let kraken: FakeKraken;
let market: Market;
const ticks: BusEvents["ticks"]["ticks"][number][] = [];
const seals: bigint[] = [];

beforeAll(async () => {
  kraken = await startFakeKraken();
  context = await createTestContext({
    marketSources: "kraken",
    krakenUrl: kraken.url,
    dataDir: mkdtempSync(join(tmpdir(), "market-")),
  });
  context.bus.subscribe("ticks", (slot) => {
    ticks.push(...slot.ticks.filter((tick) => tick.symbol === "BTCUSD"));
    seals.push(...slot.sealedThrough.filter((seal) => seal.symbol === "BTCUSD").map((seal) => seal.time));
  });
  context.bus.subscribe("seals", (slot) => {
    seals.push(...slot.sealedThrough.filter((seal) => seal.symbol === "BTCUSD").map((seal) => seal.time));
  });
  market = startMarket({ ...context, clock: systemClock });
  await market.started;
  await kraken.subscribed();
});
afterAll(async () => {
  await market.stop();
  await kraken.close();
  await context.close();
});

function say(bid: string, ask = bid) {
  kraken.ticker("BTC/USD", { bid, ask });
}

async function nextTick() {
  const before = ticks.length;
  await waitUntil("a tick", () => ticks.length > before);
  return ticks.at(-1)!.price;
}

async function quiet(ms: number) {
  const before = ticks.length;
  await new Promise((resolve) => setTimeout(resolve, ms));
  return ticks.length - before;
}

// Each test leaves the source working and continues from the quotes of the one before.
describe("a market priced by Kraken's protocol", () => {
  it("has no history, and takes the mid of the first quote", async () => {
    expect(await context.databases.reader.query("SELECT 1 FROM ticks")).toEqual([]);
    say("97000.10", "97000.30");
    expect(await nextTick()).toBe(9_700_020n);
  });

  it("gives at most ten ticks a second", async () => {
    const timer = setInterval(() => {
      say("97000.10", "97000.30");
    }, 10);
    const count = await quiet(1_500);
    clearInterval(timer);
    expect(count).toBeGreaterThan(8);
    expect(count).toBeLessThanOrEqual(15);
    await quiet(300);
  });

  it.each<[string, () => void]>([
    ["zero", () => say("0", "0")],
    ["a negative price", () => say("-1", "-1")],
    ["NaN, which is no JSON", () => say("NaN")],
    ["NaN as a text", () => say('"NaN"')],
    ["an exponent", () => say("9.7e4")],
    ["a crossed quote", () => say("97001", "97000")],
    ["a spike", () => say("150000")],
    ["an old quote", () => kraken.ticker("BTC/USD", { bid: "97009", ask: "97009", timestamp: "2026-01-01T00:00:00Z" })],
    [
      "a quote from the future",
      () => kraken.ticker("BTC/USD", { bid: "97009", ask: "97009", timestamp: "2099-01-01T00:00:00Z" }),
    ],
    ["no JSON", () => kraken.raw("hello")],
    ["an unknown message", () => kraken.raw('{"channel":"ticker","data":7}')],
    [
      "an instrument that was not requested",
      () => kraken.raw('{"channel":"ticker","type":"update","data":[{"symbol":"PEPE/USD","bid":1,"ask":2}]}'),
    ],
  ])("makes no tick of %s, and continues with the next good quote", async (_what, misbehave) => {
    misbehave();
    expect(await quiet(250)).toBe(0);
    say("97001.00");
    expect(await nextTick()).toBe(9_700_100n);
  });

  it("makes one tick of a repeated quote", async () => {
    const timestamp = new Date().toISOString();
    kraken.ticker("BTC/USD", { bid: "97002", ask: "97002", timestamp });
    expect(await nextTick()).toBe(9_700_200n);
    for (let copy = 0; copy < 5; copy += 1) kraken.ticker("BTC/USD", { bid: "97002", ask: "97002", timestamp });
    expect(await quiet(300)).toBe(0);
  });

  it("uses trades while there is no fresh quote", async () => {
    kraken.trade("BTC/USD", "97100");
    expect(await quiet(250)).toBe(0);
    await quiet(2_000);
    kraken.trade("BTC/USD", "97005.5");
    expect(await nextTick()).toBe(9_700_550n);
  });

  it("comes back after a lost connection and after a frozen source", async () => {
    const before = kraken.connections();
    kraken.drop();
    await waitUntil("a new connection", () => kraken.connections() > before);
    await kraken.subscribed();
    say("97003.00");
    expect(await nextTick()).toBe(9_700_300n);
    kraken.freeze();
    await waitUntil("a connection after the freeze", () => kraken.connections() > before + 1, 15_000);
    kraken.thaw();
    await waitUntil("another subscription", async () => {
      say("97004.00");
      return (await quiet(100)) > 0;
    });
    expect(ticks.at(-1)!.price).toBe(9_700_400n);
  });

  it("keeps sealing while the source says nothing, and stores nothing at or below a seal", async () => {
    const before = seals.length;
    await quiet(2_300);
    expect(seals.length).toBeGreaterThanOrEqual(before + 2);
    expect(seals).toEqual(seals.toSorted((left, right) => Number(left - right)));
    const wrong = await context.databases.reader.query(
      `SELECT * FROM (SELECT seq - lag(seq) OVER w AS step, time - lag(time) OVER w AS gap, time, seal_before FROM ticks
         WHERE symbol = 'BTCUSD' WINDOW w AS (ORDER BY time)) t WHERE step <> 1 OR gap < 100 OR time <= seal_before`,
    );
    expect(wrong).toEqual([]);
  });
});

describe("a market priced by a script", () => {
  it("follows the script's prices and silences, and shows full charts", async () => {
    const script = await startPriceScript();
    const scripted = await createTestContext({
      marketSources: "simulated,EURUSD=scripted",
      marketScriptUrl: script.url,
      dataDir: mkdtempSync(join(tmpdir(), "market-")),
    });
    const euros: bigint[] = [];
    scripted.bus.subscribe("ticks", (slot) => {
      euros.push(...slot.ticks.filter((tick) => tick.symbol === "EURUSD").map((tick) => tick.price));
    });
    const running = startMarket({ ...scripted, clock: systemClock });
    try {
      await running.started;
      await waitUntil("the first price", () => euros.at(-1) === 1_085_000n);
      const answer = await fetch(`${script.httpUrl}/prices`, { method: "POST", body: '{"EURUSD":"1.200001"}' });
      expect(await answer.json()).toMatchObject({ EURUSD: "1.200001", GBPUSD: "1.270000" });
      await waitUntil("the pushed price", () => euros.at(-1) === 1_200_001n);
      script.set({ EURUSD: null });
      await waitUntil("silence", async () => {
        const before = euros.length;
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        return euros.length === before;
      });
      script.set({ EURUSD: "1.100000" });
      await waitUntil("a price again", () => euros.at(-1) === 1_100_000n);
      const [row] = await scripted.databases.reader.query<{ count: bigint }>(
        "SELECT count(*) FROM candles WHERE symbol = 'EURUSD' AND pre_genesis",
      );
      expect(row?.count).toBeGreaterThanOrEqual(1_380n);
    } finally {
      await running.stop();
      await script.close();
      await scripted.close();
    }
  });

  it("is refused without a script, in live, and for unknown instruments", () => {
    const refused = (settings: object) => () => startMarket({ ...context, config: { ...context.config, ...settings } });
    expect(refused({ marketSources: "scripted" })).toThrow(ConfigError);
    expect(refused({ marketSources: "scripted", marketScriptUrl: "ws://127.0.0.1:1", deployment: "live" })).toThrow(
      ConfigError,
    );
    expect(refused({ marketSources: "simulated", deployment: "live" })).toThrow(/live/);
    expect(refused({ marketSources: "kraken,XYZ=kraken" })).toThrow(/XYZ/);
    expect(refused({ marketSources: "nasdaq" })).toThrow(/nasdaq/);
  });
});
