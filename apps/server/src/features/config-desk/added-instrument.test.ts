import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Instant, SM1_EPOCH_MS, type TradingConfig } from "@fairtick/domain";
import { waitUntil } from "@fairtick/testkit";
import { run } from "@fairtick/transparency/cli";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";
import { addLogPages, type RunningLog, startLog } from "../log/index.ts";
import { findDryInstruments, type Market, startMarket } from "../market/index.ts";
import { listCandles } from "../market/list-candles.ts";
import { createInstrumentLister } from "../market/list-instruments.ts";
import { openMarketClock } from "../market/market-clock.ts";
import { readParamsEntry } from "../market/sm1-params.ts";
import { storeCandles } from "../market/store-candles.ts";

// Adds an instrument while the real console, market, log and verifier run. Only the market's time is controlled by the test.

const LITECOIN = {
  symbol: "LTCUSD",
  name: "LTC/USD",
  title: "Litecoin",
  titles: { de: "Litecoin auf Deutsch" },
  kind: "crypto",
  decimals: 3,
  termsOf: "BTCUSD",
  prices: { source: "simulated", anchor: "85.000", volatility: "0.80", spread: "0.020", jump: 18 },
};
let world: ConsoleWorld;
let folder: string;
let market: Market;
let log: RunningLog;
let pages: FastifyInstance;
let logUrl: string;
let ahead = 0n;
const cookies = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "added-"));
  world = await createConsoleWorld({ dataDir: folder });
  for (const login of ["admin-1", "admin-2"]) cookies.set(login, await world.logIn(login));
  const context = { ...world.context, clock: { ...world.context.clock, ...systemClock } };
  log = await startLog(context);
  pages = fastify();
  addLogPages(pages, context, log.files);
  await pages.listen({ port: 0, host: "127.0.0.1" });
  logUrl = `http://127.0.0.1:${(pages.server.address() as AddressInfo).port}/log`;
  market = startMarket(context, undefined, async (queryable, clock) => {
    const real = await openMarketClock(queryable, clock);
    const moved = () => (real.now() + ahead) as Instant;
    return { ...real, now: moved, msUntil: (at) => real.msUntil((at - ahead) as Instant) };
  });
  await market.started;
  await waitUntil("the first prices", async () => (await newest("EURUSD")) > 0n || null, 30_000);
}, 120_000);
afterAll(async () => {
  await market.stop();
  await pages.close();
  await log.stop();
  await world.close();
  rmSync(folder, { recursive: true });
});

const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  world.context.databases.reader.query<Row>(text, values);
const now = () => (BigInt(Date.now()) + ahead) as Instant;

async function newest(symbol: string): Promise<bigint> {
  const [row] = await sql<{ time: bigint | null }>(
    "SELECT max(time) AS time FROM ticks WHERE symbol = $1 AND NOT pre_genesis",
    [symbol],
  );
  return row?.time ?? 0n;
}

interface Answered {
  readonly proposalId: string;
  readonly differences: readonly { readonly what: string }[];
  readonly fields?: Readonly<Record<string, string>>;
}

async function call(path: string, body: object, login: string) {
  const { status, body: answer } = await world.call(path, body, cookies.get(login));
  return { status, data: answer.data as Answered };
}

/** Moves the market's time forward by `ms`, and waits until it has caught up and opened the epoch after the current one. */
async function passBy(ms: bigint): Promise<void> {
  ahead += ms;
  const at = now();
  await waitUntil("the market to catch up", async () => (await newest("EURUSD")) >= at || null, 120_000);
  const opened = "SELECT 1 FROM sm1_epochs WHERE start_at > $1";
  await waitUntil("the next epoch", async () => (await sql(opened, [now()]))[0], 30_000);
}

async function newestConfig(): Promise<TradingConfig> {
  const [row] = await sql<{ version: number }>("SELECT max(version) AS version FROM trading_configs");
  await world.configs.know(row!.version);
  return world.configs.current(((await databaseNow()) + 3_600_000n) as Instant);
}

async function databaseNow(): Promise<bigint> {
  const [row] = await sql<{ now: bigint }>("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now");
  return row!.now;
}

async function shown(symbol: string) {
  const lister = createInstrumentLister(world.context.databases.reader, world.context.config.marketSources);
  return (await lister.list(await newestConfig(), now())).find(({ terms }) => terms.symbol === symbol)!;
}

describe("an instrument that is added to a running house", { timeout: 400_000 }, () => {
  it("is refused with the name of a wrong field", async () => {
    for (const [add, field] of [
      [{ ...LITECOIN, symbol: "EURUSD", decimals: 2 }, "symbol"],
      [{ ...LITECOIN, name: "BTC/USD" }, "name"],
      [{ ...LITECOIN, decimals: 9 }, "decimals"],
      [{ ...LITECOIN, prices: { ...LITECOIN.prices, anchor: "85,00" } }, "anchor"],
      [{ ...LITECOIN, prices: { ...LITECOIN.prices, volatility: "9" } }, "volatility"],
      [{ ...LITECOIN, prices: { source: "outside", names: { kraken: "LTC/USD" } } }, "source"],
      [{ ...LITECOIN, title: undefined }, "title"],
    ] as const) {
      const { status, data } = await call("config/propose", { add, reason: "a test" }, "admin-1");
      expect([status, Object.keys(data.fields ?? {})]).toEqual([400, [field]]);
    }
  });

  it("takes two people, and is in the log before its params, which precede the commit that names them", async () => {
    const made = await call("config/propose", { add: LITECOIN, reason: "Members ask for it" }, "admin-1");
    expect(made.status).toBe(200);
    const what = made.data.differences.map((each) => each.what);
    for (const each of ["name", "title", "decimals", "anchor", "volatility", "sigma", "spread", "jump", "feeRate"]) {
      expect(what).toContain(`LTCUSD ${each}`);
    }
    // Of two proposals for the same symbol, the second one to be approved is refused.
    const other = await call("config/propose", { add: { ...LITECOIN, decimals: 4 }, reason: "Mine" }, "admin-2");
    const decision = { proposalId: made.data.proposalId, reason: "Read and agreed" };
    expect((await call("config/approve", decision, "admin-1")).status).toBe(403);
    expect((await call("config/approve", decision, "admin-2")).status).toBe(200);
    const late = { proposalId: other.data.proposalId, reason: "Read and agreed" };
    expect((await call("config/approve", late, "admin-1")).status).toBe(409);
    expect((await call("config/proposeAgain", late, "admin-1")).data.fields).toHaveProperty("symbol");

    const stated = "SELECT since FROM instrument_sources WHERE symbol = 'LTCUSD'";
    await waitUntil("the market to take it up", async () => (await sql(stated))[0], 15_000);
    const second = await waitUntil("the new params", async () => (await paramsEntries())[1], 15_000);
    expect(readParamsEntry(second.entry).instruments).toHaveLength(13);
    const [config] = await sql<{ place: bigint }>("SELECT max(outbox_id) AS place FROM outbox WHERE kind = 'config'");
    expect(config!.place).toBeLessThan(second.place);
  });

  it("keeps its identity, whoever writes the next version", async () => {
    const put = (change: string) =>
      world.builder.client.query(
        `INSERT INTO trading_configs (version, effective_at, body, body_hash)
         SELECT version + 1, effective_at + 1, ${change}, '' FROM trading_configs ORDER BY version DESC LIMIT 1`,
      );
    await expect(put("jsonb_set(body, '{instruments,12,decimals}', '2')")).rejects.toThrow(/LTCUSD/);
    await expect(put("jsonb_set(body, '{instruments,12,prices,anchor}', '1')")).rejects.toThrow(/LTCUSD/);
    await expect(put("body #- '{instruments,0}'")).rejects.toThrow(/EURUSD/);
    await world.builder.client.query("BEGIN");
    await put("jsonb_set(body, '{instruments,12,suspended}', 'true')");
    await world.builder.client.query("ROLLBACK");
  });

  it("is listed as closed with the time at which it opens, and its missing price raises no alarm", async () => {
    const { open, newest: price, nextChange, terms } = await shown("LTCUSD");
    expect([open, price, terms.title]).toEqual([false, null, "Litecoin"]);
    const wait = nextChange! - now();
    expect(wait).toBeGreaterThan(SM1_EPOCH_MS);
    expect(wait).toBeLessThan(5n * SM1_EPOCH_MS);
    const health = await findDryInstruments(world.context.databases.reader, await newestConfig(), now());
    expect(health.cause).toBeUndefined();
  });

  it("opens with the announced epoch, at its anchor and with candles, while other instruments continue", async () => {
    const announced = (await shown("LTCUSD")).nextChange!;
    const ends = announced - now() + 65_000n;
    for (let passed = 0n; passed < ends; passed += 300_000n) await passBy(300_000n);
    await passBy(65_000n);
    const { open, newest: last } = await shown("LTCUSD");
    expect(open).toBe(true);
    expect(last!.time).toBeGreaterThan(announced);
    const [first] = await sql<{ seq: bigint; time: bigint; price: bigint }>(
      "SELECT seq, time, price FROM ticks WHERE symbol = 'LTCUSD' ORDER BY time LIMIT 1",
    );
    expect([first!.seq, first!.time]).toEqual([1n, announced]);
    expect(Math.abs(Number(first!.price) / 85_000 - 1)).toBeLessThan(0.01);
    await storeCandles(world.context.databases.jobs);
    const candles = await listCandles(world.context.databases.reader, { symbol: "LTCUSD", interval: "1m", limit: 500 });
    expect(candles[0]!.time).toBe((announced / 60_000n) * 60_000n);
    // All ticks are half a second apart, so none was lost while the market added the instrument.
    const holes = await sql(
      `SELECT * FROM (SELECT symbol, time - lag(time) OVER (PARTITION BY symbol ORDER BY time) AS gap FROM ticks
       WHERE NOT pre_genesis) t WHERE gap <> 500`,
    );
    expect(holes).toEqual([]);
  });

  it("is in a log in which the verifier finds no fault, and its prices are recomputed", async () => {
    await waitUntil(
      "the seed of its first epoch",
      async () => {
        await passBy(120_000n);
        return (await sql("SELECT 1 FROM sm1_epochs WHERE starts_from ? 'LTCUSD'"))[0];
      },
      200_000,
    );
    await passBy(65_000n);
    await market.stop();
    const lines = await examined();
    expect(lines.filter((line) => line.startsWith("fault"))).toEqual([]);
    const [row] = await sql<{ count: bigint }>("SELECT count(*) FROM price_minutes WHERE symbol = 'LTCUSD'");
    expect(row!.count).toBeGreaterThan(8n);
  });
});

async function paramsEntries() {
  return sql<{ place: bigint; entry: string }>(
    "SELECT outbox_id AS place, entry FROM outbox WHERE kind = 'params' ORDER BY outbox_id",
  );
}

async function examined(): Promise<readonly string[]> {
  const keys = join(folder, "keys");
  writeFileSync(keys, `${(await run(["keys", "--log", logUrl])).lines.join("\n")}\n`);
  const sizes = () =>
    sql<{ size: bigint; all: bigint }>(
      "SELECT (SELECT count(*) FROM log_entries) AS size, (SELECT count(*) FROM outbox) AS all",
    );
  await waitUntil("the log", async () => {
    const [row] = await sizes();
    return row?.size === row?.all || null;
  });
  return waitUntil("a checkpoint of all", async () => {
    const { lines } = await run(["verify", "--log", logUrl, "--keys", keys]);
    const [row] = await sizes();
    return lines.some((line) => line.includes(`examined ${row?.size} entries`)) ? lines : null;
  });
}
