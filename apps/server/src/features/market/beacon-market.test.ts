import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beaconRoundTime, type Clock, FIRST_SM1_PARAMS, firstTradingConfig, type Instant } from "@fairtick/domain";
import { waitUntil } from "@fairtick/testkit";
import { run } from "@fairtick/transparency/cli";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addLogPages, type RunningLog, startLog } from "../log/index.ts";
import { findBeaconTrouble } from "./find-beacon-trouble.ts";
import { makeHistory } from "./genesis.ts";
import { createInstrumentLister } from "./list-instruments.ts";
import { openMarketClock } from "./market-clock.ts";
import { type Market, runMarket } from "./run-market.ts";
import { openSeedVault, type SeedVault } from "./seed-vault.ts";
import { createSimulatedSource } from "./sources/simulated-source.ts";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { runPython } from "../../testing/second-verifier/run-python.ts";
import { startTestBeacon, type TestBeacon } from "../../testing/test-beacon.ts";

// A house on SM1 switches to a beacon, loses it, gets it back and is down for a while. Both verifiers have to accept its log.

const PARAMS = FIRST_SM1_PARAMS.filter((params) => params.symbol === "EURUSD");
let context: TestContext;
let folder: string;
let vault: SeedVault;
let log: RunningLog;
let pages: FastifyInstance;
let logUrl: string;
let beacon: TestBeacon;
/** How far the time of market and beacon is ahead of the database's, in ms. */
let ahead = 0n;
const moved: Clock = { ...systemClock, now: () => (systemClock.now() + ahead) as Instant };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "beacon-market-"));
  context = await createTestContext({ dataDir: folder });
  context = { ...context, clock: { ...context.clock, ...systemClock } };
  vault = openSeedVault(join(folder, "market"));
  beacon = await startTestBeacon(folder, moved);
  log = await startLog(context);
  pages = fastify();
  addLogPages(pages, context, log.files);
  await pages.listen({ port: 0, host: "127.0.0.1" });
  logUrl = `http://127.0.0.1:${(pages.server.address() as AddressInfo).port}/log`;
});
afterAll(async () => {
  await pages.close();
  await log.stop();
  await beacon.end();
  await context.close();
  rmSync(folder, { recursive: true });
});

function startMarket(isSm2: boolean): Market {
  const database = context.databases.market;
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
    openSources: (desk) => [
      createSimulatedSource({
        database,
        log: context.log,
        vault,
        instruments: PARAMS,
        beacon: isSm2 ? beacon.market : null,
        ...desk,
      }),
    ],
    genesis: (_symbol, end) => makeHistory(PARAMS[0]!, end),
  });
}

interface Row {
  readonly time: bigint;
  readonly late: boolean;
}

const ticksSince = (time: bigint) =>
  context.databases.reader.query<Row>(
    "SELECT time, late FROM ticks WHERE NOT pre_genesis AND time >= $1 ORDER BY time",
    [time],
  );

interface Clocks {
  readonly time: bigint;
  readonly sealed_through: bigint;
}

async function clock(): Promise<Clocks> {
  const [row] = await context.databases.reader.query<Clocks>("SELECT time, sealed_through FROM instrument_clock");
  return row!;
}

const present = () => BigInt(Date.now()) + ahead;
const untilTicks = (of = present()) => waitUntil("ticks", async () => (await clock()).time >= of || null, 60_000);

/** Reads the epochs of SM2 that have begun. */
const beaconEpochs = () =>
  context.databases.reader.query<{ epoch: bigint; start_at: bigint }>(
    `SELECT epoch, start_at FROM sm1_epochs JOIN sm1_params USING (params_hash)
     WHERE entry LIKE '%"model":"SM2"%' AND start_at IS NOT NULL ORDER BY epoch`,
  );

/** Returns what members see that the instrument waits for, and what operators see. */
async function told() {
  const { reader } = context.databases;
  const now = present() as Instant;
  const all = await createInstrumentLister(reader, "simulated").list(firstTradingConfig(0n as Instant), now);
  return {
    waitsFor: all.find(({ terms }) => terms.symbol === "EURUSD")?.waitsFor,
    trouble: await findBeaconTrouble(reader, now),
  };
}

const rounds = () =>
  context.databases.reader.query<{ epoch: bigint; round: bigint; signature: Uint8Array | null }>(
    "SELECT epoch, round, signature FROM sm2_rounds ORDER BY epoch, round",
  );

/** Moves the market's time on until the first epoch of SM2 runs. Returns its start. */
async function untilBeaconEpoch(): Promise<bigint> {
  const [first] = await beaconEpochs();
  if (first !== undefined && first.start_at <= present()) return first.start_at;
  ahead += first === undefined ? 300_000n : first.start_at - present() + 1_000n;
  await untilTicks();
  return untilBeaconEpoch();
}

async function seedsRevealed(): Promise<void> {
  await waitUntil(
    "the seeds of past epochs and the minutes' entries",
    async () => {
      const [row] = await context.databases.reader.query<{ hidden: bigint; minute: bigint | null }>(
        `SELECT (SELECT count(*) FROM sm1_epochs WHERE start_at + 600000 < $1 AND seed IS NULL) AS hidden,
           (SELECT max(time) FROM price_minutes) AS minute`,
        [present()],
      );
      return (row?.hidden === 0n && (row.minute ?? 0n) + 120_000n > present()) || null;
    },
    120_000,
  );
}

/** Returns what both verifiers say about the whole log. */
async function examined(): Promise<{ readonly here: readonly string[]; readonly there: readonly string[] }> {
  const keys = join(folder, "keys");
  const lines = (await run(["keys", "--log", logUrl])).lines;
  writeFileSync(keys, `${lines.join("\n")}\n`);
  const sizes = async () => {
    const [row] = await context.databases.reader.query<{ size: bigint; all: bigint }>(
      "SELECT (SELECT count(*) FROM log_entries) AS size, (SELECT count(*) FROM outbox) AS all",
    );
    return row!;
  };
  await waitUntil("the log", async () => {
    const { size, all } = await sizes();
    return size === all || null;
  });
  const here = await waitUntil("a checkpoint of all", async () => {
    const answer = await run(["verify", "--log", logUrl, "--keys", keys]);
    const { size } = await sizes();
    return answer.lines.some((line) => line.includes(`examined ${size} entries`)) ? answer.lines : null;
  });
  const there = await runPython(["verify-log", "--keys", keys, logUrl]);
  return { here, there: there.lines };
}

const faultsOf = (lines: readonly string[]) => lines.filter((line) => line.startsWith("fault"));

// These tests follow one house: each continues with the tables as the one before left them.
describe("a market with a beacon", { timeout: 400_000 }, () => {
  let since = 0n;

  it("switches from SM1 with the first epoch that it commits to, and uses each round in its own time", async () => {
    const former = startMarket(false);
    await former.started;
    await untilTicks();
    await former.stop();
    expect(await beaconEpochs()).toEqual([]);
    const market = startMarket(true);
    since = await untilBeaconEpoch();
    await untilTicks(since + 20_000n);
    await market.stop();
    const used = await rounds();
    for (const { round, signature } of used) {
      expect(signature).toHaveLength(48);
      expect(beaconRoundTime(beacon.market.chain, round)).toBeLessThanOrEqual(present());
    }
    const ticks = await ticksSince(since);
    expect(ticks.map(({ time }) => time)).toEqual(ticks.map((_, place) => since + BigInt(place) * 500n));
    const late = ticks.filter((tick) => tick.late).length;
    expect(late).toBeLessThan(ticks.length / 2);
  });

  it("stops the ticks while the beacon is away, keeps sealing, and continues once it is back", async () => {
    const market = startMarket(true);
    await untilTicks();
    await beacon.end();
    const away = present();
    await waitUntil("the seal to move on without ticks", async () => {
      const { time, sealed_through: sealed } = await clock();
      return sealed - time > 4_000n || null;
    });
    await waitUntil("members to be told why", async () => (await told()).waitsFor === "beacon" || null);
    expect((await told()).trouble).toContain("the randomness beacon does not answer: no round from");
    const missed = (await rounds()).find(({ signature }) => signature === null);
    const dueAt = beaconRoundTime(beacon.market.chain, missed!.round);
    expect(dueAt).toBeGreaterThan(away - 3_000n);
    await beacon.begin();
    await untilTicks();
    expect(await told()).toEqual({ waitsFor: null, trouble: undefined });
    await market.stop();
    expect((await ticksSince(dueAt)).filter(({ time }) => time < dueAt + 3_000n)).toEqual([]);
    await expect(
      context.databases.market.query("UPDATE sm2_rounds SET signature = $1 WHERE signature IS NULL", [
        Buffer.alloc(48),
      ]),
    ).rejects.toThrow("sm2_rounds");
  });

  it("computes what it missed while it was down, with the rounds of that time", async () => {
    const before = await clock();
    ahead += 40_000n;
    const market = startMarket(true);
    await untilTicks();
    await market.stop();
    const ticks = await ticksSince(before.time + 1n);
    const missed = ticks.filter(({ time }) => time < before.time + 40_000n);
    expect(missed).toHaveLength(79);
    expect(missed.slice(1, 70).every(({ late }) => late)).toBe(true);
  });

  it("has no ticks for the time when neither ran, and the beacon's return doesn't change that", async () => {
    const before = await clock();
    await beacon.end();
    ahead += 30_000n;
    const market = startMarket(true);
    await waitUntil("the seal", async () => (await clock()).sealed_through > before.time + 31_000n || null, 60_000);
    await beacon.begin();
    await untilTicks();
    await market.stop();
    const ticks = await ticksSince(before.time + 3_000n);
    expect(ticks.filter(({ time }) => time < before.time + 29_000n)).toEqual([]);
  });

  it("leaves a log that both verifiers accept, and names the rounds that did not come", async () => {
    const market = startMarket(true);
    await untilTicks();
    for (const step of [300_000n, 300_000n, 65_000n]) {
      ahead += step;
      await untilTicks();
    }
    await seedsRevealed();
    await market.stop();
    const { here, there } = await examined();
    expect([faultsOf(here), faultsOf(there)]).toEqual([[], []]);
    for (const lines of [here, there]) {
      expect(lines.filter((line) => /^note.*rounds of the beacon never came/.test(line)).length).toBeGreaterThan(0);
    }
    // Rounds of epochs that are revealed and followed by another one remain only in the log.
    const kept = new Set((await rounds()).map(({ epoch }) => epoch));
    expect(kept.size).toBeLessThanOrEqual(3);
  });
});
