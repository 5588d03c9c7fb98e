import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firstTradingConfig, type Instant } from "@fairtick/domain";
import { type Builder, createBuilder, type FakeKraken, startFakeKraken, waitUntil } from "@fairtick/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../../platform/test-context.ts";
import { configToJson, seedTradingConfig } from "../../trading-config/index.ts";
import { type Market, startMarket } from "../index.ts";

let folder: string;
let kraken: FakeKraken;
let context: TestContext;
let build: Builder;
let market: Market;
let speaking: NodeJS.Timeout;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "added-outside-"));
  kraken = await startFakeKraken();
  const base = await createTestContext({ dataDir: folder, marketSources: "kraken", krakenUrl: kraken.url });
  context = { ...base, clock: { ...base.clock, ...systemClock } };
  build = await createBuilder(context.database.url);
  await seedTradingConfig(context);
  market = startMarket(context);
  let said = 0;
  speaking = setInterval(() => {
    said += 1;
    const cents = String(said % 100).padStart(2, "0");
    kraken.ticker("BTC/USD", { bid: `97000.${cents}`, ask: `97000.${cents}` });
    kraken.ticker("XLTC/ZUSD", { bid: `85.0${cents}`, ask: `85.0${cents}` });
  }, 100);
}, 60_000);
afterAll(async () => {
  clearInterval(speaking);
  await market.stop();
  await kraken.close();
  await build.end();
  await context.close();
  rmSync(folder, { recursive: true });
});

async function ticksOf(symbol: string) {
  return context.databases.reader.query<{ seq: bigint; time: bigint; price: bigint }>(
    "SELECT seq, time, price FROM ticks WHERE symbol = $1 ORDER BY time",
    [symbol],
  );
}

it("prices an instrument that is added while the market runs, under the source's own name for it", async () => {
  const before = await waitUntil("prices of the first ones", async () => (await ticksOf("BTCUSD")).at(-1), 60_000);
  expect(await ticksOf("LTCUSD")).toEqual([]);
  const [first] = await context.databases.reader.query<{ effective_at: bigint }>(
    "SELECT effective_at FROM trading_configs",
  );
  const config = firstTradingConfig((first!.effective_at + 1n) as Instant);
  const like = config.instruments.find(({ symbol }) => symbol === "BTCUSD")!;
  const body = configToJson({
    ...config,
    version: 2,
    instruments: [
      ...config.instruments,
      {
        ...like,
        symbol: "LTCUSD",
        name: "LTC/USD",
        title: "Litecoin",
        decimals: 3,
        prices: { source: "outside", names: { kraken: "XLTC/ZUSD" } },
      },
    ],
  });
  await build.client.query("INSERT INTO trading_configs VALUES (2, $1, $2, '')", [config.effectiveAt, body]);
  const [tick] = await waitUntil(
    "its first prices",
    async () => {
      const ticks = await ticksOf("LTCUSD");
      return ticks.length > 3 ? ticks : null;
    },
    60_000,
  );
  expect(tick!.seq).toBe(1n);
  expect(Number(tick!.price) / 1_000).toBeCloseTo(85, 0);
  const [said] = await context.databases.reader.query<{ since: bigint; source: string }>(
    "SELECT since, source FROM instrument_sources WHERE symbol = 'LTCUSD'",
  );
  expect(said!.source).toBe("kraken");
  expect(said!.since).toBeLessThanOrEqual(tick!.time);
  // The other instruments continue without a gap in their numbers.
  const others = await ticksOf("BTCUSD");
  expect(others.at(-1)!.time).toBeGreaterThan(before.time);
  expect(others.map(({ seq }) => seq)).toEqual(others.map((_tick, index) => BigInt(index + 1)));
}, 150_000);
