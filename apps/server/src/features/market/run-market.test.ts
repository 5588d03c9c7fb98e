import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  FIRST_SM1_PARAMS,
  type Instant,
  SM1_TICKS_PER_EPOCH,
  sm1Bytes,
  sm1Commit,
  sm1EpochKey,
  sm1InstrumentKey,
  sm1Quote,
  sm1Start,
  type Sm1State,
  sm1Step,
  toHex,
  utf8,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { waitUntil } from "@fairtick/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createLocalBus, type BusEvents } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { makeHistory } from "./genesis.ts";
import { openMarketClock } from "./market-clock.ts";
import { readClocks, StaleWriterError, takeMarket } from "./market-rows.ts";
import { type Market, runMarket } from "./run-market.ts";
import { openSeedVault, type SeedVault } from "./seed-vault.ts";
import { createRetiredEpochs } from "./sources/retired-epochs.ts";
import { createSimulatedSource } from "./sources/simulated-source.ts";

/** Two instruments with a history are enough to test epochs. */
const PARAMS = FIRST_SM1_PARAMS.filter((params) => ["EURUSD", "BTCUSD"].includes(params.symbol));
let context: TestContext;
let folder: string;
let vault: SeedVault;
/** How far the market's time is ahead of the database's, in ms. Tests move it to let epochs pass. */
let ahead = 0n;
let running: Market | undefined;

beforeAll(async () => {
  context = await createTestContext();
  folder = mkdtempSync(join(tmpdir(), "seeds-"));
  vault = openSeedVault(folder);
});
afterEach(() => running?.stop());
afterAll(async () => {
  await context.close();
  rmSync(folder, { recursive: true });
});

function start(instruments = PARAMS) {
  const bus = createLocalBus((error) => {
    throw error;
  });
  const slots: (BusEvents["ticks"] & { readonly heardAt: number })[] = [];
  bus.subscribe("ticks", (slot) => slots.push({ ...slot, heardAt: Date.now() }));
  const database = context.databases.market;
  const market = runMarket({
    database,
    bus,
    log: context.log,
    clock: systemClock,
    openClock: async (queryable, clock) => {
      const real = await openMarketClock(queryable, clock);
      return {
        ...real,
        now: () => (real.now() + ahead) as Instant,
        msUntil: (at) => real.msUntil((at - ahead) as Instant),
      };
    },
    openSources: (desk) => [createSimulatedSource({ database, log: context.log, vault, instruments, ...desk })],
    genesis: (symbol, end) =>
      makeHistory(
        instruments.find((params) => params.symbol === symbol)!,
        end,
      ),
  });
  running = market;
  return { market, slots };
}

interface Row {
  readonly seq: bigint;
  readonly time: bigint;
  readonly price: bigint;
  readonly seal_before: bigint;
  readonly late: boolean;
}

function ticksOf(symbol: string): Promise<Row[]> {
  return context.databases.reader.query<Row>(
    "SELECT seq, time, price, seal_before, late FROM ticks WHERE symbol = $1 AND NOT pre_genesis ORDER BY time",
    [symbol],
  );
}

interface Epoch {
  readonly epoch: bigint;
  readonly commit: Uint8Array;
  readonly params_hash: Uint8Array;
  readonly mix: Uint8Array | null;
  readonly start_at: bigint | null;
  readonly starts_from: Record<string, [string, 0 | 1 | 2]> | null;
  readonly seed: Uint8Array | null;
  readonly digests: Record<string, string> | null;
}

const epochs = () => context.databases.reader.query<Epoch>("SELECT * FROM sm1_epochs ORDER BY epoch");

/** Computes an opened epoch's ticks by the published rule alone, from its seed and starting state. */
function recompute(epoch: Epoch, symbol: string, from: Sm1State) {
  const params = PARAMS.find((one) => one.symbol === symbol)!;
  const seed = epoch.seed ?? vault.read(epoch.epoch)!;
  const key = sm1InstrumentKey(nodeHashes, sm1EpochKey(nodeHashes, epoch.epoch, seed, epoch.mix!), params.name);
  const ticks: { time: bigint; price: bigint }[] = [];
  const lines: string[] = [];
  let state = from;
  for (let t = 0; t < SM1_TICKS_PER_EPOCH; t += 1) {
    state = sm1Step(params, state, sm1Bytes(nodeHashes, key, t));
    const { bid, mid, ask } = sm1Quote(params, state);
    ticks.push({ time: epoch.start_at! + BigInt(t) * 500n, price: mid });
    lines.push(`${epoch.epoch},${t},${bid},${mid},${ask},${state.regime}`);
  }
  return { ticks, end: state, digest: toHex(nodeHashes.sha256(utf8(lines.join("\n")))) };
}

/** Computes all opened epochs in order, each continuing from the last. */
async function recomputeAll(symbol: string) {
  const params = PARAMS.find((one) => one.symbol === symbol)!;
  let state = sm1Start(params);
  const all: { epoch: Epoch; ticks: { time: bigint; price: bigint }[]; from: Sm1State; digest: string }[] = [];
  for (const epoch of await epochs()) {
    if (epoch.start_at === null) continue;
    const { ticks, end, digest } = recompute(epoch, symbol, state);
    all.push({ epoch, ticks, from: state, digest });
    state = end;
  }
  return all;
}

async function expectTicksToBeTheRule(): Promise<void> {
  for (const { symbol } of PARAMS) {
    const stored = await ticksOf(symbol);
    const rule = (await recomputeAll(symbol)).flatMap((one) => one.ticks);
    expect(stored.map(({ time, price }) => ({ time, price }))).toEqual(rule.slice(0, stored.length));
    expect(stored.map((tick) => tick.seq)).toEqual(stored.map((_tick, index) => stored[0]!.seq + BigInt(index)));
    for (const tick of stored) expect(tick.time).toBeGreaterThan(tick.seal_before);
  }
}

async function caughtUp(): Promise<void> {
  await waitUntil("the seals to be at the present", async () => {
    const now = BigInt(Date.now()) + ahead;
    return (await readClocks(context.databases.reader)).every((clock) => now - clock.sealedThrough < 1_500n);
  });
}

// These tests follow one market: each continues with the tables as the one before left them.
describe("the simulated market", () => {
  it("starts on empty tables with a history, commitments and an epoch that is opened before its start", async () => {
    const { market, slots } = start();
    await market.started;
    await waitUntil("eight slots", () => slots.length >= 8, 20_000);
    await market.stop();

    const [history] = await context.databases.reader.query<{ candles: bigint; ticks: bigint; newest: bigint }>(
      `SELECT (SELECT count(*) FROM candles WHERE symbol = 'EURUSD' AND pre_genesis) AS candles,
         count(*) AS ticks, max(time) AS newest FROM ticks WHERE symbol = 'EURUSD' AND pre_genesis`,
    );
    // A day or two, back to a midnight.
    expect(history?.candles).toBeGreaterThanOrEqual(1_380n);
    expect(history?.ticks).toBeGreaterThanOrEqual(7_200n);
    const all = await epochs();
    expect(all.filter((epoch) => epoch.start_at === null).length).toBe(2);
    expect(all.every((epoch) => epoch.seed === null && epoch.starts_from === null)).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(all.map((epoch) => `epoch-${epoch.epoch}.seed`));
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(all[0]!.start_at).toBeGreaterThan(history!.newest);
    for (const epoch of all) {
      const seed = vault.read(epoch.epoch)!;
      expect(toHex(sm1Commit(nodeHashes, epoch.epoch, seed, epoch.params_hash))).toBe(toHex(epoch.commit));
    }
    const outbox = await context.databases.jobs.query<{ kind: string; entry: string }>(
      "SELECT kind, entry FROM outbox ORDER BY outbox_id",
    );
    expect(outbox.map((row) => row.kind).slice(0, 6)).toEqual([
      "source",
      "source",
      "params",
      "epoch.commit",
      "epoch.commit",
      "epoch.open",
    ]);
    expect(toHex(nodeHashes.sha256(utf8(outbox[2]!.entry)))).toBe(toHex(all[0]!.params_hash));
    for (const { entry } of outbox) expect(JSON.stringify(sorted(JSON.parse(entry)))).toBe(entry);
    expect(outbox.map((row) => row.entry).join("\n")).not.toContain(toHex(vault.read(1n)!));
  });

  it("stores the ticks of the published rule and publishes none before it is due", async () => {
    const { market, slots } = start();
    await waitUntil("ten slots", () => slots.length >= 10);
    await market.stop();
    await expectTicksToBeTheRule();
    for (const slot of slots.slice(1)) {
      for (const tick of slot.ticks) expect(slot.heardAt).toBeGreaterThanOrEqual(Number(tick.time));
      for (const seal of slot.sealedThrough) expect(Number(seal.time)).toBeLessThanOrEqual(slot.heardAt);
    }
  });

  it("computes the ticks it missed after a stop inside an epoch, marks them late and seals only after them", async () => {
    const before = (await ticksOf("EURUSD")).length;
    ahead += 90_000n;
    const { market } = start();
    await market.started;
    await caughtUp();
    await market.stop();
    const ticks = await ticksOf("EURUSD");
    expect(ticks.length - before).toBeGreaterThanOrEqual(180);
    expect(ticks.slice(before + 1, before + 170).every((tick) => tick.late)).toBe(true);
    expect(ticks.at(-1)?.late).toBe(false);
    await expectTicksToBeTheRule();
  });

  it("reveals an epoch at its end and continues in the next one without a gap", async () => {
    const { market } = start();
    await market.started;
    ahead += 540_000n;
    const [first] = await epochs();
    await waitUntil("the reveal", async () => (await epochs())[0]?.seed);
    const endAhead = BigInt(Date.now()) + ahead - (first!.start_at! + 600_000n);
    expect(endAhead).toBeLessThan(90_000n);
    await caughtUp();
    await market.stop();
    const [revealed] = await epochs();
    for (const { symbol } of PARAMS) {
      const [one] = await recomputeAll(symbol);
      expect(revealed!.digests?.[symbol]).toBe(one!.digest);
      expect(revealed!.starts_from?.[symbol]).toEqual([one!.from.x.toString(), one!.from.regime]);
    }
    expect(vault.read(1n)).toBeNull();
    expect((await epochs()).filter((epoch) => epoch.start_at === null).length).toBe(2);
    await expectTicksToBeTheRule();
    const ticks = await ticksOf("BTCUSD");
    expect(ticks.every((tick, index) => index === 0 || tick.time - ticks[index - 1]!.time === 500n)).toBe(true);
  });

  it("completes the last opened epoch after a stop past its end, leaves a gap and opens the next one at short notice", async () => {
    const opened = (await epochs()).filter((epoch) => epoch.start_at !== null);
    const end = opened.at(-1)!.start_at! + 600_000n;
    ahead += 3_000_000n;
    const { market } = start();
    await market.started;
    const gone = await waitUntil("a further epoch", async () => {
      const newest = (await epochs()).filter((epoch) => epoch.start_at !== null);
      return newest.length > opened.length ? newest[opened.length] : null;
    });
    await waitUntil("its ticks", async () => (await ticksOf("EURUSD")).at(-1)!.time > gone.start_at! + 2_000n);
    await waitUntil("the reveals", async () => (await epochs())[opened.length - 1]?.seed);
    await market.stop();
    expect(gone.start_at).toBeGreaterThan(end);
    // The incident about the gap goes into the log before the epoch does.
    const told = await context.databases.jobs.query<{ kind: string; entry: string }>(
      "SELECT kind, entry FROM outbox WHERE kind IN ('incident', 'epoch.open') ORDER BY outbox_id",
    );
    const place = told.findIndex(({ entry }) => entry.includes(`"e":${gone.epoch},`));
    const { from, part, to } = JSON.parse(told[place - 1]!.entry) as { from: number; part: string; to: number };
    expect([part, BigInt(from)]).toEqual(["prices", end]);
    expect(Number(gone.start_at) - to).toBeLessThan(10_000);
    expect(told.filter(({ kind }) => kind === "incident")).toHaveLength(1);
    const ticks = await ticksOf("EURUSD");
    expect(ticks.filter((tick) => tick.time >= end && tick.time < gone.start_at!)).toEqual([]);
    expect(ticks.findLast((tick) => tick.time < end)!.time).toBe(end - 500n);
    await expectTicksToBeTheRule();
  });

  it("makes no ticks for epochs whose seeds are lost, then continues from the last price", async () => {
    const last = (await ticksOf("EURUSD")).at(-1)!;
    rmSync(folder, { recursive: true });
    vault = openSeedVault(folder);
    const { market } = start();
    await market.started;
    await caughtUp();
    expect((await ticksOf("EURUSD")).at(-1)).toEqual(last);
    ahead += 1_300_000n;
    await waitUntil("ticks again", async () => (await ticksOf("EURUSD")).at(-1)!.seq > last.seq + 3n, 15_000);
    await market.stop();
    const next = (await ticksOf("EURUSD")).find((tick) => tick.seq === last.seq + 1n)!;
    const drift = Math.abs(Number(next.price - last.price)) / Number(last.price);
    expect(drift).toBeLessThan(0.001);
  });

  it("never stores a tick at or below an earlier seal, and numbers ticks without a gap (I10)", async () => {
    const wrong = await context.databases.reader.query(
      `SELECT * FROM (SELECT symbol, seq - lag(seq) OVER w AS step, time - lag(time) OVER w AS gap, time, seal_before,
           max(seal_before) OVER (PARTITION BY symbol ORDER BY seq) AS sealed FROM ticks
         WINDOW w AS (PARTITION BY symbol ORDER BY seq)) t
       WHERE step <> 1 OR gap <= 0 OR time <= sealed`,
    );
    expect(wrong).toEqual([]);
  });

  it("continues without a gap when an instrument joins that is sealed later than the others", async () => {
    const first = start();
    await first.market.started;
    await caughtUp();
    await first.market.stop();
    const before = await ticksOf("EURUSD");
    ahead += 30_000n;
    const second = start(FIRST_SM1_PARAMS.filter(({ symbol }) => ["EURUSD", "BTCUSD", "GBPUSD"].includes(symbol)));
    await second.market.started;
    await caughtUp();
    await second.market.stop();
    const since = (await ticksOf("EURUSD")).slice(before.length - 1);
    expect(since.length).toBeGreaterThan(60);
    expect(since.slice(1).filter((tick, index) => tick.time - since[index]!.time !== 500n)).toEqual([]);
  });

  it("leaves an epoch's start to the writer that took over", async () => {
    const market = start().market;
    await market.started;
    await caughtUp();
    await market.stop();
    const kept: bigint[] = [];
    const database = context.databases.market;
    const epoch = (await takeMarket(database, 0))!;
    const desk = { writerEpoch: () => epoch, now: () => (BigInt(Date.now()) + ahead + 3_000_000n) as Instant };
    // All epochs are over and revealed, so the start of the next one has to be stored.
    const retired = createRetiredEpochs({ database, log: context.log, vault, ...desk });
    await retired.resume(new Map(), desk.now());
    for (let tended = 0; tended < 4; tended += 1) await retired.tend();
    const late = createSimulatedSource({
      database,
      log: context.log,
      vault: { ...vault, keepStart: (of) => Promise.resolve(void kept.push(of)) },
      instruments: PARAMS,
      // Another writer takes over between reading and writing.
      mixes: {
        witness: () => Promise.resolve(null),
        async mixFor(_epoch, commit) {
          // The lease runs by the database's clock, which this file's clock is ahead of.
          expect(await takeMarket(database, -Number(ahead) - 60_000)).toBeGreaterThan(epoch);
          return { mix: commit, checkpoint: null };
        },
      },
      ...desk,
    });
    await late.resume(new Map((await readClocks(database)).map((clock) => [clock.symbol, clock])), desk.now());
    await expect(late.tend()).rejects.toThrow(StaleWriterError);
    expect(kept).toEqual([]);
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  );
}
