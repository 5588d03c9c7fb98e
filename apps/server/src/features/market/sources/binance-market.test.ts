import { type FakeBinance, startFakeBinance, waitUntil } from "@fairtick/testkit";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BusEvents } from "../../../platform/bus.ts";
import { systemClock } from "../../../platform/clock.ts";
import { ConfigError } from "../../../platform/config.ts";
import { createTestContext, type TestContext } from "../../../platform/test-context.ts";
import { type Market, startMarket } from "../index.ts";
import { createUpdateCount } from "./update-count.ts";

let context: TestContext;
let binance: FakeBinance;
let market: Market;
const ticks: BusEvents["ticks"]["ticks"][number][] = [];

beforeAll(async () => {
  binance = await startFakeBinance();
  context = await createTestContext({
    marketSources: "simulated,BTCUSD=binance,ETHUSD=binance",
    binanceUrl: binance.url,
    dataDir: mkdtempSync(join(tmpdir(), "market-")),
  });
  context.bus.subscribe("ticks", (slot) => {
    ticks.push(...slot.ticks.filter((tick) => tick.symbol === "BTCUSD"));
  });
  market = startMarket({ ...context, clock: systemClock });
  await market.started;
  await binance.subscribed();
});
afterAll(async () => {
  await market.stop();
  await binance.close();
  await context.close();
});

function say(bid: string, ask = bid, update?: bigint | string) {
  binance.book("BTCUSDT", { bid: `"${bid}"`, ask: `"${ask}"`, ...(update !== undefined && { update }) });
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
describe("a market priced by Binance's protocol", () => {
  it("subscribes to what it needs, and takes the mid of the first quote", async () => {
    expect([...binance.streams()]).toEqual(["btcusdt@bookTicker", "ethusdt@bookTicker"]);
    expect(await context.databases.reader.query("SELECT 1 FROM ticks WHERE symbol = 'BTCUSD'")).toEqual([]);
    say("97000.10000000", "97000.30000000");
    expect(await nextTick()).toBe(9_700_020n);
  });

  it("gives at most ten ticks a second", async () => {
    const timer = setInterval(() => {
      say("97000.10", "97000.30");
    }, 10);
    const began = performance.now();
    const count = await quiet(1_200);
    const lasted = performance.now() - began;
    clearInterval(timer);
    // This holds however late this process hears of them.
    expect(count).toBeGreaterThan(2);
    // One more tick may have been on its way when counting began.
    expect(count).toBeLessThanOrEqual(lasted / 100 + 1);
    await quiet(300);
  });

  it.each<[string, () => void]>([
    ["zero", () => say("0.00000000")],
    ["a negative price", () => say("-97000")],
    ["NaN", () => say("NaN")],
    ["NaN, which is no JSON", () => binance.book("BTCUSDT", { bid: "NaN", ask: "NaN" })],
    ["an empty side of the book", () => binance.book("BTCUSDT", { bid: "null", ask: '"97000"' })],
    ["an exponent", () => say("9.7e4")],
    ["a crossed quote", () => say("97009", "97008")],
    ["a spike", () => say("150000")],
    ["an old quote", () => say("97009", "97009", binance.lastUpdate() - 5n)],
    ["an invalid update id", () => say("97009", "97009", '"latest"')],
    ["no JSON", () => binance.raw("hello")],
    ["an unknown message", () => binance.raw('{"e":"trade","s":"BTCUSDT","p":"97009"}')],
    [
      "a pair that was not requested, under our own name",
      () => binance.raw('{"u":999,"s":"BTCUSD","b":"97009","B":"1","a":"97009","A":"1"}'),
    ],
    ["a refusal", () => binance.raw('{"error":{"code":2,"msg":"Invalid request"},"id":1}')],
  ])("makes no tick of %s, and continues with the next good quote", async (_what, misbehave) => {
    misbehave();
    expect(await quiet(250)).toBe(0);
    // Use an update id above all earlier ones, even if a test's old update moved the fake exchange's count back.
    say("97001.00", "97001.00", binance.lastUpdate() + 100n);
    expect(await nextTick()).toBe(9_700_100n);
  });

  it("makes one tick of a repeated quote", async () => {
    say("97002");
    expect(await nextTick()).toBe(9_700_200n);
    const update = binance.lastUpdate();
    for (let copy = 0; copy < 5; copy += 1) say("97002", "97002", update);
    expect(await quiet(300)).toBe(0);
  });

  it("loses nothing else when updates are skipped", async () => {
    say("97002.50", "97002.50", binance.lastUpdate() + 1_000_000n);
    expect(await nextTick()).toBe(9_700_250n);
  });

  it("comes back after an announced shutdown, a lost connection and a frozen source", async () => {
    const before = binance.connections();
    binance.announceShutdown();
    await waitUntil("a connection after the shutdown", () => binance.connections() > before);
    await binance.subscribed();
    binance.drop();
    await waitUntil("a connection after the cut", () => binance.connections() > before + 1);
    await binance.subscribed();
    say("97003.00");
    expect(await nextTick()).toBe(9_700_300n);
    binance.freeze();
    await waitUntil("a connection after the freeze", () => binance.connections() > before + 2, 15_000);
    binance.thaw();
    await waitUntil("another subscription", async () => {
      say("97004.00");
      return (await quiet(100)) > 0;
    });
    expect(ticks.at(-1)!.price).toBe(9_700_400n);
  });

  it("keeps sealing while the source says nothing, and stores nothing at or below a seal", async () => {
    await quiet(1_300);
    const wrong = await context.databases.reader.query(
      `SELECT * FROM (SELECT seq - lag(seq) OVER w AS step, time - lag(time) OVER w AS gap, time, seal_before FROM ticks
         WHERE symbol = 'BTCUSD' WINDOW w AS (ORDER BY time)) t WHERE step <> 1 OR gap < 100 OR time <= seal_before`,
    );
    expect(wrong).toEqual([]);
  });

  it("is refused for instruments that it doesn't price", () => {
    const refused = (settings: object) => () => startMarket({ ...context, config: { ...context.config, ...settings } });
    expect(refused({ marketSources: "binance" })).toThrow(ConfigError);
    expect(refused({ marketSources: "simulated,EURUSD=binance" })).toThrow(/binance does not price EURUSD/);
  });
});

describe("a source's own count", () => {
  it("orders updates that are behind as old, and starts over when they stay behind", () => {
    const count = createUpdateCount();
    const first = count.orderOf(100n, 0);
    expect(count.orderOf(101n, 1)).toBeGreaterThan(first);
    const far = count.orderOf(9_000_000n, 2);
    expect(count.orderOf(102n, 3)).toBeLessThan(far);
    expect(count.orderOf(103n, 10_002)).toBeLessThan(far);
    const anew = count.orderOf(104n, 10_003);
    expect(anew).toBeGreaterThan(far);
    expect(count.orderOf(105n, 10_004)).toBeGreaterThan(anew);
    expect(count.orderOf(103n, 10_005)).toBeLessThan(anew);
  });
});
