import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIRST_SM1_PARAMS, firstTradingConfig, type Instant } from "@fairtick/domain";
import { type FakeKraken, startFakeKraken, waitUntil } from "@fairtick/testkit";
import { run } from "@fairtick/transparency/cli";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addLogPages, type RunningLog, startLog } from "../../log/index.ts";
import { makeHistory } from "../genesis.ts";
import { openMarketClock } from "../market-clock.ts";
import { type Market, runMarket, type WriterDesk } from "../run-market.ts";
import { openSeedVault, type SeedVault } from "../seed-vault.ts";
import { openRealSources, planRealMarket } from "./open-real-sources.ts";
import { createRetiredEpochs } from "./retired-epochs.ts";
import { createSimulatedSource } from "./simulated-source.ts";
import type { TickSource } from "./source.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../../platform/test-context.ts";

// An instrument switches from the simulated market to an exchange and back, then all do. Verifiers must find no fault in that.

const PARAMS = FIRST_SM1_PARAMS.filter((params) => ["EURUSD", "BTCUSD"].includes(params.symbol));
const TERMS = firstTradingConfig(0n as Instant).instruments.filter(({ symbol }) =>
  ["EURUSD", "BTCUSD"].includes(symbol),
);
let context: TestContext;
let folder: string;
let kraken: FakeKraken;
let speaking: NodeJS.Timeout;
let vault: SeedVault;
let log: RunningLog;
let pages: FastifyInstance;
let logUrl: string;
let ahead = 0n;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sources-"));
  kraken = await startFakeKraken();
  context = await createTestContext({ dataDir: folder, krakenUrl: kraken.url });
  context = { ...context, clock: { ...context.clock, ...systemClock } };
  vault = openSeedVault(join(folder, "market"));
  log = await startLog(context);
  pages = fastify();
  addLogPages(pages, context, log.files);
  await pages.listen({ port: 0, host: "127.0.0.1" });
  logUrl = `http://127.0.0.1:${(pages.server.address() as AddressInfo).port}/log`;
  let said = 0;
  speaking = setInterval(() => {
    said += 1;
    const cents = String(said % 100).padStart(2, "0");
    kraken.ticker("BTC/USD", { bid: `97000.${cents}`, ask: `97000.${cents}` });
    kraken.ticker("EUR/USD", { bid: `1.0850${cents}`, ask: `1.0850${cents}` });
  }, 100);
});
afterAll(async () => {
  clearInterval(speaking);
  await pages.close();
  await log.stop();
  await kraken.close();
  await context.close();
  rmSync(folder, { recursive: true });
});

/** Starts a market in which the `outside` instruments come from Kraken and the others are simulated. */
function startMarket(outside: readonly string[]): Market {
  const database = context.databases.market;
  const isOutside = ({ symbol }: { readonly symbol: string }) => outside.includes(symbol);
  const simulated = PARAMS.filter((one) => !isOutside(one));
  const plan = new Map(outside.map((symbol) => [symbol, ["kraken"] as const]));
  const real = planRealMarket(TERMS.filter(isOutside), plan, 1);
  const openSources = (desk: WriterDesk): TickSource[] => [
    simulated.length === 0
      ? createRetiredEpochs({ database, log: context.log, vault, ...desk })
      : createSimulatedSource({ database, log: context.log, vault, instruments: simulated, ...desk }),
    openRealSources(real, { settings: context.config, database, clock: systemClock, log: context.log, now: desk.now }),
  ];
  return runMarket({
    database,
    bus: context.bus,
    log: context.log,
    clock: systemClock,
    openClock: async (queryable, clock) => {
      const opened = await openMarketClock(queryable, clock);
      const now = () => (opened.now() + ahead) as Instant;
      return { ...opened, now, msUntil: (at) => opened.msUntil((at - ahead) as Instant) };
    },
    openSources,
    genesis: (symbol, end) =>
      makeHistory(
        PARAMS.find((params) => params.symbol === symbol)!,
        end,
      ),
  });
}

async function newest(symbol: string): Promise<bigint> {
  const [row] = await context.databases.reader.query<{ time: bigint | null }>(
    "SELECT max(time) AS time FROM ticks WHERE symbol = $1 AND NOT pre_genesis",
    [symbol],
  );
  return row?.time ?? 0n;
}

/** Runs the market with this plan through each of these moments of its time, then stops it. */
async function live(outside: readonly string[], steps: readonly bigint[]): Promise<void> {
  const market = startMarket(outside);
  await market.started;
  for (const step of steps) {
    ahead += step;
    const now = BigInt(Date.now()) + ahead;
    for (const { symbol } of PARAMS) {
      await waitUntil(`ticks of ${symbol}`, async () => (await newest(symbol)) >= now || null, 120_000);
    }
  }
  await waitUntil(
    "the seeds of past epochs and the minutes' entries",
    async () => {
      const now = BigInt(Date.now()) + ahead;
      const [row] = await context.databases.reader.query<{ hidden: bigint; minute: bigint | null }>(
        `SELECT (SELECT count(*) FROM sm1_epochs WHERE start_at + 600000 < $1 AND seed IS NULL) AS hidden,
         (SELECT min(time) FROM (SELECT max(time) AS time FROM price_minutes GROUP BY symbol) newest) AS minute`,
        [now],
      );
      return (row?.hidden === 0n && (row.minute ?? 0n) + 120_000n > now) || null;
    },
    120_000,
  );
  await market.stop();
}

async function examined(): Promise<readonly string[]> {
  const keys = join(folder, "keys");
  writeFileSync(keys, `${(await run(["keys", "--log", logUrl])).lines.join("\n")}\n`);
  const [waiting] = [
    () =>
      context.databases.reader.query<{ size: bigint; all: bigint }>(
        "SELECT (SELECT count(*) FROM log_entries) AS size, (SELECT count(*) FROM outbox) AS all",
      ),
  ];
  await waitUntil("the log", async () => {
    const [row] = await waiting();
    return row?.size === row?.all || null;
  });
  return waitUntil("a checkpoint of all", async () => {
    const { lines } = await run(["verify", "--log", logUrl, "--keys", keys]);
    const [row] = await waiting();
    return lines.some((line) => line.includes(`examined ${row?.size} entries`)) ? lines : null;
  });
}

const faultsOf = (lines: readonly string[]) => lines.filter((line) => line.startsWith("fault"));
const sourcesOf = (lines: readonly string[]) =>
  lines.flatMap((line) => /sources at entry [0-9]+: ([A-Z]+ comes from \S+)/.exec(line)?.[1] ?? []);

describe("an instrument's source", { timeout: 400_000 }, () => {
  it("changes to an exchange and back to the simulated market, and the log verifies", async () => {
    await live([], [0n, 65_000n]);
    await live(["BTCUSD"], [5_000n, 65_000n]);
    await live([], [5_000n, 300_000n, 400_000n, 65_000n]);
    const lines = await examined();
    expect(faultsOf(lines)).toEqual([]);
    expect(sourcesOf(lines)).toEqual(["BTCUSD comes from kraken", "BTCUSD comes from SM1"]);
    expect(lines.join("\n")).toMatch(/, [1-9][0-9]* epochs,/);
  });

  it("changes for all of them, and the seeds of abandoned epochs are revealed", async () => {
    await live(["EURUSD", "BTCUSD"], [5_000n, 600_000n, 65_000n, 600_000n, 65_000n]);
    const lines = await examined();
    expect(faultsOf(lines)).toEqual([]);
    expect(sourcesOf(lines).slice(2).toSorted()).toEqual(["BTCUSD comes from kraken", "EURUSD comes from kraken"]);
    const open = await context.databases.reader.query(
      "SELECT 1 FROM sm1_epochs WHERE start_at IS NOT NULL AND seed IS NULL",
    );
    expect(open).toEqual([]);
  });

  it("names the source in every minute of prices", async () => {
    const rows = await context.databases.reader.query<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind = 'ticks'",
    );
    const named = rows.map(({ entry }) => (JSON.parse(entry) as { sources?: { source: string }[] }).sources ?? []);
    expect(named.filter((sources) => sources.length === 0)).toEqual([]);
    expect(new Set(named.flat().map(({ source }) => source))).toEqual(new Set(["SM1", "kraken"]));
  });

  // Only this order distinguishes an honest house from one that withholds something, however far a market had to catch
  // up.
  it("has seeds in the log before prices from after their epochs, and heads before all prices", async () => {
    const rows = await context.databases.reader.query<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind IN ('heads', 'ticks', 'epoch.open', 'epoch.reveal') ORDER BY outbox_id",
    );
    const named = new Map<string, number>();
    const hidden = new Map<number, number>();
    const early: string[] = [];
    const seen = { prices: 0, seeds: 0 };
    for (const { entry } of rows) {
      const one = JSON.parse(entry) as Written;
      if (one.kind === "heads") {
        for (const [symbol, [first = 0, ...counts]] of Object.entries(one.ticks)) {
          named.set(symbol, first + counts.reduce((sum, count) => sum + count, 0));
        }
      } else if (one.kind === "epoch.open") hidden.set(one.e, one.start + 600_000);
      else if (one.kind === "epoch.reveal") seen.seeds += Number(hidden.delete(one.e));
      else {
        seen.prices += 1;
        if (one.to >= (named.get(one.symbol) ?? 0)) early.push(`${one.symbol} ${one.to} before its head`);
        const isSimulated = one.sources.every(({ source }) => source === "SM1");
        const due = [...hidden].filter(([, end]) => isSimulated && end <= one.time);
        for (const [e] of due) early.push(`${one.symbol} ${one.time} before the seed of ${e}`);
      }
    }
    expect(early).toEqual([]);
    expect(seen.prices).toBeGreaterThan(10);
    expect(seen.seeds).toBeGreaterThan(2);
  });
});

type Written =
  | { readonly kind: "heads"; readonly ticks: Readonly<Record<string, readonly number[]>> }
  | { readonly kind: "epoch.open"; readonly e: number; readonly start: number }
  | { readonly kind: "epoch.reveal"; readonly e: number }
  | {
      readonly kind: "ticks";
      readonly symbol: string;
      readonly time: number;
      readonly to: number;
      readonly sources: readonly { readonly source: string }[];
    };
