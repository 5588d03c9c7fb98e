import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DAY_MS,
  firstTradingConfig,
  type Instant,
  type MemberId,
  type OrderId,
  parseId,
  utcDay,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  type Builder,
  createBuilder,
  type FakeBinance,
  type FakeHermes,
  type FakeKraken,
  startFakeBinance,
  startFakeHermes,
  startFakeKraken,
  waitUntil,
} from "@fairtick/testkit";
import {
  overallState,
  parseReceipt,
  parseVerifierKey,
  type VerifierPolicy,
  verifyReceipt,
} from "@fairtick/transparency";
import { run } from "@fairtick/transparency/cli";
import { pythMessage, pythTree, pythUpdateHex, signVaa, testGuardians } from "@fairtick/transparency/testing";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addLogPages, registerKey, type RunningLog, startLog } from "../../log/index.ts";
import { logVerifierKeys } from "../../log/log-keys.ts";
import { noHistory } from "../genesis.ts";
import { logFinished } from "../price-log.ts";
import { exportOldQuotes, exportOldTicks, TICKS_KEPT_DAYS } from "../../price-archive/index.ts";
import { openMarketClock } from "../market-clock.ts";
import { readSignedOrders, signedOrder } from "./signed-order.ts";
import { type Market, runMarket } from "../run-market.ts";
import { readSourcePlan } from "../source-plan.ts";
import { openRealSources, planRealMarket } from "./open-real-sources.ts";
import { openDeviceKeys } from "../../order-devices/index.ts";
import { createAcceptanceSwitch, openAcceptance, placeOrder } from "../../orders/index.ts";
import { buildReceipt } from "../../receipts/index.ts";
import { startMarket } from "../index.ts";
import { openRegionBook } from "../../regions/index.ts";
import { startSettlement } from "../../settlement/index.ts";
import { openTradingConfigs, seedTradingConfig } from "../../trading-config/index.ts";
import { type AcceptanceSigner, openAcceptanceSigner } from "../../../platform/acceptance-signer.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../../platform/test-context.ts";
import { runPython } from "../../../testing/second-verifier/run-python.ts";

// Follows three outside sources from the quote to ticks, stored signed quotes, the log, an order's receipt and the
// command.

const ORIGIN = "house.example/log";
const KEY = "a key of the test";
const BITCOIN = "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43";
const house = testGuardians(5, 3);
const TERMS = firstTradingConfig(0n as Instant).instruments.filter(({ symbol }) => symbol === "BTCUSD");
let context: TestContext;
let folder: string;
let build: Builder;
let kraken: FakeKraken;
let binance: FakeBinance;
let hermes: FakeHermes;
let log: RunningLog;
let market: Market;
let pages: FastifyInstance;
let policy: VerifierPolicy;
let signer: AcceptanceSigner;
let place: (memberId: bigint) => Promise<string>;
const closing: (() => unknown)[] = [];
const prices: bigint[] = [];
/** The price that each source quotes ten times a second; null means silence. */
const said = {
  kraken: "97000.00" as string | null,
  binance: "97010.00" as string | null,
  pyth: "97004.00" as string | null,
};
/** How far the market's time is ahead of the database's, in ms; see `faster` for how quickly that grows. */
let ahead = 0n;
let faster = 0n;
let slot = 1n;
const clock = { ...systemClock, now: () => (systemClock.now() + ahead) as Instant };

beforeAll(async () => {
  [kraken, binance, hermes] = await Promise.all([startFakeKraken(), startFakeBinance(), startFakeHermes(KEY)]);
  folder = mkdtempSync(join(tmpdir(), "signed-quotes-"));
  const settings = { dataDir: folder, logOrigin: ORIGIN };
  const base = await createTestContext({
    ...settings,
    krakenUrl: kraken.url,
    binanceUrl: binance.url,
    pyth: { url: hermes.url, key: KEY, signers: house.signers },
    marketSources: "kraken,BTCUSD=kraken+binance+pyth",
  });
  context = { ...base, clock: { ...base.clock, ...systemClock } };
  build = await createBuilder(context.database.url);
  await build.fundPool("practice", 10_000_000_000_000n);
  await seedTradingConfig(context);
  const configs = await openTradingConfigs(context);
  log = await startLog(context);
  signer = openAcceptanceSigner(join(folder, "server.key"), `${ORIGIN}/acceptance`);
  await registerKey(context.databases.log, "acceptance", signer.verifier);
  const open = await openAcceptance(context, {
    configs,
    acceptance: createAcceptanceSwitch(),
    regions: openRegionBook(context),
    signer,
  });
  const { settlement: database } = context.databases;
  const settlement = startSettlement({ database, bus: context.bus, log: context.log, configs, firstStripe: 2 });
  context.bus.subscribe("ticks", (slots) => {
    for (const { price } of slots.ticks) prices.push(price);
  });
  market = openMarket();
  pages = fastify();
  addLogPages(pages, context, log.files);
  await pages.listen({ port: 0, host: "127.0.0.1" });
  const [logKey = ""] = logVerifierKeys(settings);
  policy = {
    origin: ORIGIN,
    logKeys: [parseVerifierKey(logKey)!],
    witnessKeys: [],
    acceptanceKeys: [signer.verifier],
    witnessesNeeded: 0,
  };
  place = async (memberId) => {
    const wish = { wallet: "practice", symbol: "BTCUSD", direction: "up", stake: 10_000_000n, duration: 30 };
    const devices = openDeviceKeys(context.databases.reader);
    const placing = {
      databases: context.databases,
      configs,
      devices,
      collector: open.collector,
      bus: context.bus,
      signer,
    };
    const verdict = await placeOrder(
      placing,
      memberId as MemberId,
      { ...wish, clientOrderId: `client-of-${memberId}` } as Parameters<typeof placeOrder>[2],
    );
    if (!verdict.ok) throw new Error(verdict.refusal.error);
    return verdict.value.orderNo;
  };
  const speaking = setInterval(speak, 100);
  closing.push(
    () => clearInterval(speaking),
    () => pages.close(),
    () => market.stop(),
    () => settlement.close(),
    () => open.close(),
    () => configs.close(),
    () => log.stop(),
    () => Promise.all([kraken.close(), binance.close(), hermes.close()]),
    () => build.end(),
    () => base.close(),
  );
  await market.started;
  await Promise.all([kraken.subscribed(), binance.subscribed(), hermes.subscribed()]);
});
afterAll(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true });
});

function openMarket(): Market {
  const database = context.databases.market;
  const plan = readSourcePlan("BTCUSD=kraken+binance+pyth", ["BTCUSD"]);
  const real = planRealMarket(TERMS, plan, 2);
  return runMarket({
    database,
    bus: context.bus,
    log: context.log,
    clock: systemClock,
    openClock: async (queryable, itsClock) => {
      const own = await openMarketClock(queryable, itsClock);
      const now = () => (own.now() + ahead) as Instant;
      return { ...own, now, msUntil: (at) => own.msUntil((at - ahead) as Instant) };
    },
    openSources: (desk) => [
      openRealSources(real, { settings: context.config, database, clock, log: context.log, now: desk.now }),
    ],
    genesis: noHistory,
  });
}

function speak(): void {
  ahead += faster;
  const timestamp = new Date(Number(clock.now())).toISOString();
  if (said.kraken !== null) kraken.ticker("BTC/USD", { bid: said.kraken, ask: said.kraken, timestamp });
  if (said.binance !== null) binance.book("BTCUSDT", { bid: `"${said.binance}"`, ask: `"${said.binance}"` });
  if (said.pyth === null) return;
  slot += 1n;
  const price = BigInt(said.pyth.replace(".", "")) * 1_000_000n;
  const told = { id: BITCOIN, price, conf: price / 2_000n, expo: -8, publishTime: clock.now() / 1000n };
  const other = { ...told, id: "ab".repeat(32) };
  const { root, leaves } = pythTree([told, other].map(pythMessage));
  hermes.update([pythUpdateHex(signVaa(house, { slot, root }), leaves.slice(0, 1))], [told]);
}

async function reaches(price: bigint): Promise<void> {
  await waitUntil(`a price of ${price}`, () => prices.at(-1) === price);
}

async function checksOf(memberId: bigint, orderNo: string, databases = context.databases) {
  const parts = { databases, files: log.files, signer };
  const verdict = await buildReceipt(parts, memberId as MemberId, parseId("order", orderNo) as OrderId);
  const json: unknown = JSON.parse(JSON.stringify(verdict.ok ? verdict.value : null));
  const parsed = parseReceipt(json);
  if (!parsed.ok) throw new Error(parsed.fault);
  return { json, checks: verifyReceipt(nodeHashes, parsed.receipt, policy) };
}

/** Waits until an order's receipt holds. Returns its checks; throws as soon as one fails. */
async function verified(memberId: bigint, orderNo: string) {
  return waitUntil(
    "a valid receipt",
    async () => {
      const { checks } = await checksOf(memberId, orderNo);
      const failed = checks.filter(({ state }) => state === "failed");
      if (failed.length > 0) throw new Error(failed.map(({ id, why }) => `${id}: ${why}`).join("; "));
      return overallState(checks) === "ok" ? checks : null;
    },
    60_000,
  );
}

describe("an instrument of three sources", () => {
  it("gets the middle price of the three, whichever source that is", async () => {
    await reaches(9_700_400n);
    said.pyth = "97020.00";
    await reaches(9_701_000n);
    said.pyth = "96990.00";
    await reaches(9_700_000n);
    expect(prices.every((price) => price >= 9_700_000n && price <= 9_701_000n)).toBe(true);
  });

  it("continues with two sources when one lies or is gone, and stops if only an unsigned one is left", async () => {
    said.kraken = "99500.00";
    await waitUntil("a tick that tells of the lie, which had no say", async () => {
      const lies = await context.databases.reader.query<{ sources: string }>(
        "SELECT sources FROM tick_quotes WHERE sources LIKE '%kraken~9950000%'",
      );
      return lies.some(({ sources }) => sources === "binance=9701000+kraken~9950000+pyth=9699000") || null;
    });
    await reaches(9_700_000n);
    said.kraken = "97000.00";
    said.pyth = null;
    await reaches(9_700_500n);
    said.binance = null;
    await waitUntil("no more ticks", async () => {
      const before = prices.length;
      await new Promise((resolve) => setTimeout(resolve, 400));
      return prices.length === before;
    });
    Object.assign(said, { binance: "97010.00", pyth: "97004.00" });
    await reaches(9_700_400n);
    const [row] = await context.databases.reader.query<{ all: bigint; quoted: bigint; told: bigint }>(
      `SELECT count(*) AS all, count(q.quote_hash) AS quoted, count(q.seq) AS told
       FROM ticks t LEFT JOIN tick_quotes q USING (symbol, time) WHERE NOT t.pre_genesis`,
    );
    expect(row!.quoted).toBeGreaterThan(10n);
    expect(row!.all).toBeGreaterThan(row!.quoted);
    expect(row!.told).toBe(row!.all);
  });

  it("never goes back behind the newest signed quote, even in another process", async () => {
    const { market: database } = context.databases;
    const of = async () => (await readSignedOrders(database, ["BTCUSD"])).get("BTCUSD")?.get("pyth");
    const before = (await of())!;
    expect(before).toBeGreaterThan(signedOrder(clock.now() / 1000n - 10n, slot - 100n));
    expect(before).toBeLessThanOrEqual(signedOrder(clock.now() / 1000n, slot));
    await waitUntil("a newer one", async () => (await of())! > before);
    expect(await readSignedOrders(database, ["ETHUSD"])).toEqual(new Map());
  });

  it("is refused while no required signers are configured", () => {
    const config = { ...context.config, pyth: { ...context.config.pyth, signers: null } };
    expect(() => startMarket({ ...context, config })).toThrow(/PYTH_GUARDIANS/);
  });
});

describe("the signed quotes of an order", { timeout: 120_000 }, () => {
  let member: bigint;
  let orderNo: string;
  let keys: string;
  let logUrl: string;

  it("are in its receipt and verified once its minutes are over", async () => {
    member = await build.createMember();
    orderNo = await place(member);
    // Run the market's time six times as fast until the order's minutes are over.
    faster = 500n;
    const found = await verified(member, orderNo);
    faster = 0n;
    expect(found.find(({ id }) => id === "quotes")?.values).toEqual({
      signed: 2,
      set: 7,
      quorum: "3/5",
      first: "binance 9701000 + kraken 9700000 + pyth 9700400",
      second: "binance 9701000 + kraken 9700000 + pyth 9700400",
    });
  });

  it("are all that an order needs, since silence of the sources that sign nothing can't be checked", async () => {
    Object.assign(said, { kraken: null, binance: null, pyth: "96980.00" });
    await reaches(9_698_000n);
    const alone = await build.createMember();
    const itsOrder = await place(alone);
    faster = 500n;
    const found = await verified(alone, itsOrder);
    faster = 0n;
    const [settled] = await context.databases.reader.query<{ outcome: string; reason: string | null }>(
      "SELECT outcome, void_reason AS reason FROM settlements WHERE order_id = $1",
      [parseId("order", itsOrder)],
    );
    expect(settled).toEqual({ outcome: "tied", reason: null });
    expect(found.find(({ id }) => id === "quotes")?.values).toMatchObject({
      signed: 2,
      first: "pyth 9698000",
      second: "pyth 9698000",
    });
    Object.assign(said, { kraken: "97000.00", binance: "97010.00", pyth: "97004.00" });
    await reaches(9_700_400n);
  });

  it("are verified by the command for the order and for the whole log", async () => {
    const file = join(folder, "receipt.json");
    keys = join(folder, "keys");
    logUrl = `http://127.0.0.1:${(pages.server.address() as AddressInfo).port}/log`;
    writeFileSync(file, JSON.stringify((await checksOf(member, orderNo)).json));
    writeFileSync(keys, `${(await run(["keys", "--log", logUrl])).lines.join("\n")}\n`);
    const receipt = await run(["verify", file, "--keys", keys]);
    expect([receipt.lines.at(-1), receipt.exitCode]).toEqual(["VERIFIED", 0]);
    expect(receipt.lines.find((line) => line.includes(" quotes"))).toMatch(/^ok +quotes: signed 2, set 7/);
    const whole = await run(["verify", "--log", logUrl, "--keys", keys]);
    expect(whole.lines.filter((line) => line.startsWith("fault"))).toEqual([]);
    expect(whole.lines.join("\n")).toMatch(/\([1-9][0-9]+ with a signed quote\)/);
  });

  it("are named once in the log, however often the market starts again", async () => {
    await market.stop();
    market = openMarket();
    await market.started;
    const rows = await context.databases.reader.query("SELECT 1 FROM outbox WHERE kind = 'params.pyth'");
    expect(rows).toHaveLength(1);
    // The tests below lock the tables that a running market writes.
    await market.stop();
  });

  it.each([
    ["what a tick was composed of", "UPDATE tick_quotes SET sources = replace(sources, 'kraken=', 'kraken=1')"],
    ["a price", "UPDATE pyth_quotes SET message = set_byte(message, 40, (get_byte(message, 40) + 1) % 256)"],
    ["a price's time", "UPDATE pyth_quotes SET message = set_byte(message, 60, (get_byte(message, 60) + 1) % 256)"],
    ["a signature", "UPDATE pyth_updates SET vaa = set_byte(vaa, 30, (get_byte(vaa, 30) + 1) % 256)"],
    ["the way to the root", "UPDATE pyth_quotes SET branch = set_byte(branch, 3, (get_byte(branch, 3) + 1) % 256)"],
    ["that there were any", "DELETE FROM tick_quotes"],
  ])("reveal a house that changes %s in its own database", async (_what, statement) => {
    await build.client.query("BEGIN");
    try {
      for (const table of ["tick_quotes", "pyth_quotes", "pyth_updates"]) {
        await build.client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      }
      await build.client.query(statement);
      const bent = { ...context.databases, reader: { ...context.databases.reader, query: inTransaction } };
      const { checks } = await checksOf(member, orderNo, bent);
      expect(checks.filter(({ state }) => state !== "ok").map(({ id }) => id)).toEqual(["quotes"]);
    } finally {
      await build.client.query("ROLLBACK");
    }
  });

  it.each(["tick_quotes", "pyth_quotes", "pyth_updates"])("are never changed: %s", async (table) => {
    await expect(build.client.query(`DELETE FROM ${table}`)).rejects.toThrow(/written once/);
    await expect(context.databases.market.query(`TRUNCATE ${table}`)).rejects.toThrow(/permission denied/);
  });

  it("stay the same when their ticks are ninety days old and only files have them", async () => {
    const { reader } = context.databases;
    const [newest] = await reader.query<{ time: bigint }>("SELECT max(time) AS time FROM ticks");
    const today = utcDay((newest?.time ?? 0n) as Instant);
    const later = (BigInt(today + 3) * DAY_MS) as Instant;
    await logFinished(context.databases.market, [["BTCUSD", later]]);
    await waitUntil("the last minute's place in the log", async () => {
      const [row] = await reader.query<{ waiting: bigint }>(
        `SELECT (SELECT count(*) FROM price_minutes) - (SELECT count(*) FROM log_entries WHERE kind = 'ticks') AS waiting`,
      );
      return row?.waiting === 0n || null;
    });
    const minutes = await reader.query<{ time: bigint }>("SELECT time FROM price_minutes ORDER BY time");
    const served = () =>
      Promise.all(minutes.map(async ({ time }) => (await fetch(`${logUrl}/quotes/BTCUSD/${time}`)).text()));
    const receipt = async () => {
      const { json } = await checksOf(member, orderNo);
      return JSON.parse(JSON.stringify(json, (name, value) => (name === "proof" ? typeof value : value)));
    };
    const before = [await served(), await receipt()];
    // Act as if the market had run for two more days.
    await build.client.query("UPDATE instrument_clock SET time = $1, sealed_through = $1", [later]);
    const old = (BigInt(today + 1 + TICKS_KEPT_DAYS) * DAY_MS) as Instant;
    expect(await exportOldQuotes(context, log.files)).toEqual([]);
    expect(await exportOldTicks(context, log.files, old)).toContain(today);
    // A file that lacks some ticks doesn't allow the rows to be dropped.
    const [against] = await context.databases.jobs.query<{ against: string | null }>(
      "SELECT drop_filed_quotes($1) AS against",
      [today],
    );
    expect(against?.against).toMatch(/^[1-9][0-9]* ticks, 0 in files$/);
    expect(await exportOldQuotes(context, log.files)).toContain(today);
    const [left] = await reader.query<{ left: bigint }>(
      `SELECT (SELECT count(*) FROM tick_quotes) + (SELECT count(*) FROM pyth_quotes) + (SELECT count(*) FROM pyth_updates) AS left`,
    );
    expect(left?.left).toBe(0n);
    expect([await served(), await receipt()]).toEqual(before);
    expect(before[0]?.join("")).toContain('"vaas":["');
    const whole = await run(["verify", "--log", logUrl, "--keys", keys]);
    expect(whole.lines.filter((line) => line.startsWith("fault"))).toEqual([]);
    const second = await runPython(["verify-log", "--keys", keys, logUrl]);
    expect(second.lines.filter((line) => line.startsWith("fault"))).toEqual([]);
  });

  /** Reads within the open transaction that made a change. Integers are converted as in the product. */
  async function inTransaction<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { types } = context.databases.reader.pool.options;
    const { rows } = await build.client.query({ text, values: [...values], ...(types && { types }) });
    return rows as Row[];
  }
});
