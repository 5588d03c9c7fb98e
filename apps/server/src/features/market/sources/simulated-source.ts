import { setImmediate as turn } from "node:timers/promises";
import { equalBytes, SM1_EPOCH_MS, SM1_TICK_MS, sm1Commit, type Instant, type Sm1Params } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { SIMULATED } from "@fairtick/transparency";
import type { Database } from "../../../platform/database.ts";
import type { Log } from "../../../platform/log.ts";
import { createMixDesk, type MixDesk } from "../epoch-mix.ts";
import type { InstrumentClock } from "../market-rows.ts";
import { createRoundKeeper, type MarketBeacon, roundedEpoch } from "../round-keeper.ts";
import { type DecidedRounds, readRounds } from "../round-rows.ts";
import { type SeedVault, statesFromJson } from "../seed-vault.ts";
import { openSm1Epoch, type Sm1Epoch, type Sm1EpochSecret, type Sm1States } from "../sm1-epoch.ts";
import { paramsEntry, readParamsEntry } from "../sm1-params.ts";
import { asWriter, type EpochRow, readEpochs, storeCommit, storeOpen, storeParams, storeReveal } from "../sm1-rows.ts";
import { gapSince, leastOf, startOfNext, statesFromPrices } from "./epoch-starts.ts";
import type { DueTick, SourceSlot, TickSource } from "./source.ts";

export interface SimulatedSourceParts {
  readonly database: Database;
  readonly log: Log;
  readonly vault: SeedVault;
  readonly instruments: readonly Sm1Params[];
  /** Gives epochs their mix. Without it, there is no public log. */
  readonly mixes?: MixDesk;
  /** The beacon that new epochs also use (SM2). Without it, they are made from their seeds alone (SM1). */
  readonly beacon?: MarketBeacon | null;
  /** Returns the epoch of the writer that runs this source. */
  readonly writerEpoch: () => bigint;
  /** Returns the market's time, which is never ahead of the database's. */
  readonly now: () => Instant;
}

/**
 * How many epochs are committed but not yet open at any time. It is as many as are opened at once after a gap, so that even
 * those were committed to before it. With more, a new instrument would have to wait longer.
 */
const COMMITTED_AHEAD = 2;
/** Steps in one slot when catching up, with a tick of every instrument each. */
const CATCH_UP_STEPS = 50;
/** How soon to look again for a round that is awaited. */
const ROUND_LOOK_MS = 10n;

/**
 * Creates the simulated market: it commits, opens and reveals epochs of SM1 and SM2 through the outbox and computes their ticks.
 * The next epoch is opened as soon as one starts, so that a market that was down for up to ten minutes continues in an opened
 * epoch.
 */
export function createSimulatedSource(parts: SimulatedSourceParts): TickSource {
  const { database, log, vault } = parts;
  const mixes = parts.mixes ?? createMixDesk();
  const beacon = parts.beacon ?? null;
  const params = paramsEntry(parts.instruments, beacon?.chain ?? null);
  const rounds = createRoundKeeper({ ...parts, beacon });
  const symbols = parts.instruments.map((one) => one.symbol);
  const mine = new Set(symbols);

  let paramsStored = false;
  let current: Sm1Epoch | undefined;
  /** Opened epochs after `current`, in order. */
  let opened: Sm1EpochSecret[] = [];
  let complete: Sm1Epoch[] = [];
  /** Committed epochs that are not opened. Their seeds are available. */
  let committed: EpochRow[] = [];
  let newestEpoch = 0n;
  let lastEnd = 0n as Instant;
  /** Start of an epoch that is being opened. Until that is done, no seal may pass it. */
  let openingAt: Instant | null = null;
  let handedOut = 0n as Instant;
  let storedThrough = 0n as Instant;
  /** Seals at the start. Steps continue from the lowest. A new instrument's seal is higher, and it gets no ticks at or below it. */
  let sealedAtStart: ReadonlyMap<string, Instant> = new Map();
  /** Starting states of the next epoch if they can't be computed from the epochs before. */
  let brokenChainFrom: Sm1States | null = null;

  /** Moves to the next opened epoch once the current one is complete. */
  function advance(): void {
    if (current && !current.isComplete()) return;
    if (current) complete.push(current);
    const secret = opened.shift();
    const from = secret && (vault.readStart(secret.epoch) ?? current?.states() ?? brokenChainFrom ?? new Map());
    if (current && !secret) brokenChainFrom = current.states();
    current = secret && from ? openSm1Epoch(secret, from) : undefined;
  }

  function isNew(symbol: string, time: Instant): boolean {
    return mine.has(symbol) && time > (sealedAtStart.get(symbol) ?? 0n);
  }

  function nextDueAt(): Instant | null {
    return current?.nextTime() ?? opened[0]?.start ?? openingAt;
  }

  function seedOf(row: EpochRow): Uint8Array | null {
    const seed = row.seed ?? vault.read(row.epoch);
    if (seed && equalBytes(sm1Commit(nodeHashes, row.epoch, seed, row.params_hash), row.commit)) return seed;
    return null;
  }

  function secretOf(row: EpochRow): Sm1EpochSecret | null {
    const seed = seedOf(row);
    if (!seed || row.start_at === null || !row.mix) return null;
    const { instruments, beacon: chain } = readParamsEntry(row.entry);
    return { epoch: row.epoch, start: row.start_at, seed, mix: row.mix, instruments, beacon: chain };
  }

  /** Returns the round that the next tick is made from; undefined while that is undecided. */
  function roundOf(epoch: Sm1Epoch): Uint8Array | null | undefined {
    const round = epoch.nextRound();
    return round === null ? null : rounds.decided(epoch.epoch, round);
  }

  /** Stores an epoch's start while holding off takeovers, so that it can't replace another writer's start. */
  async function keepStart(epoch: bigint, from: Sm1States): Promise<void> {
    await asWriter(database, parts.writerEpoch(), () => vault.keepStart(epoch, from));
  }

  async function commitAhead(): Promise<void> {
    const writerEpoch = parts.writerEpoch();
    if (!paramsStored) {
      await storeParams(database, writerEpoch, params);
      paramsStored = true;
    }
    while (committed.length < COMMITTED_AHEAD) {
      const epoch = newestEpoch + 1n;
      // A seed that a crash left without a commitment can still be used, since no one has seen it.
      const seed = await vault.create(epoch);
      const commit = sm1Commit(nodeHashes, epoch, seed, params.hash);
      const witness = await mixes.witness();
      await storeCommit(database, writerEpoch, { epoch, commit, paramsHash: params.hash, witness });
      newestEpoch = epoch;
      const row = { epoch, commit, params_hash: params.hash, entry: params.text };
      committed.push({ ...row, mix: null, start_at: null, starts_from: null, seed: null });
    }
  }

  /** Opens an epoch, so that one beyond the running one is always open. */
  async function openNext(): Promise<void> {
    while (opened.length + (current ? 1 : 0) < 2) {
      const row = committed[0];
      const seed = row && seedOf(row);
      if (!row || !seed) return;
      const wanted = startOfNext(lastEnd, parts.now());
      const mixed = await mixes.mixFor(row.epoch, row.commit, wanted, parts.now());
      if (mixed === null) return;
      const { mix, checkpoint } = mixed;
      const start = startOfNext(lastEnd, parts.now());
      openingAt = start;
      try {
        if (!current && opened.length === 0 && brokenChainFrom) await keepStart(row.epoch, brokenChainFrom);
        const gap = gapSince(lastEnd, parts.now());
        const opening = { epoch: row.epoch, start, mix, checkpoint, gap };
        if (!(await storeOpen(database, parts.writerEpoch(), opening))) return;
        committed.shift();
        lastEnd = (start + SM1_EPOCH_MS) as Instant;
        const { instruments, beacon: chain } = readParamsEntry(row.entry);
        const secret = { epoch: row.epoch, start, seed, mix, instruments, beacon: chain };
        opened.push(secret);
        for (const rounded of roundedEpoch(secret)) rounds.add(rounded);
        advance();
        log.info({ epoch: row.epoch.toString(), start: start.toString() }, "an epoch of the simulated market is open");
      } finally {
        openingAt = null;
      }
    }
  }

  async function revealEnded(): Promise<void> {
    if (current?.isComplete()) advance();
    for (const epoch of complete) {
      if (epoch.end > parts.now() || storedThrough < epoch.end - SM1_TICK_MS) return;
      await storeReveal(database, parts.writerEpoch(), epoch);
      complete = complete.filter((one) => one !== epoch);
      vault.forget(epoch.epoch);
      rounds.forget(epoch.epoch);
    }
  }

  function resumeCommitted(row: EpochRow): void {
    if (seedOf(row)) committed.push(row);
    else log.error({ epoch: row.epoch.toString() }, "the seed of a committed epoch is lost; the epoch is skipped");
  }

  /** Restores the epochs from the tables. Opened ones are computed up to the seal, below which no later tick may lie. */
  async function resumeEpochs(rows: readonly EpochRow[], clocks: ReadonlyMap<string, InstrumentClock>): Promise<void> {
    let lost = false;
    newestEpoch = rows.at(-1)?.epoch ?? 0n;
    lastEnd = 0n as Instant;
    for (const row of rows) {
      if (row.start_at === null) {
        resumeCommitted(row);
        continue;
      }
      lastEnd = (row.start_at + SM1_EPOCH_MS) as Instant;
      const secret = secretOf(row);
      if (!secret) {
        log.error({ epoch: row.epoch.toString() }, "the seed of an opened epoch is lost; its ticks cannot be made");
        brokenChainFrom = statesFromPrices(clocks);
        lost = true;
      } else if (row.seed) {
        const used = await readRounds(database, [row.epoch]);
        brokenChainFrom = await endOf(openSm1Epoch(secret, statesFromJson(row.starts_from)), used.get(row.epoch));
      } else {
        opened.push(secret);
      }
    }
    await rounds.resume(opened.flatMap(roundedEpoch), storedThrough);
    const first = opened[0];
    if (lost && first && brokenChainFrom && !vault.readStart(first.epoch)) {
      await keepStart(first.epoch, brokenChainFrom);
    }
    advance();
    await catchUp();
  }

  /** Computes sealed steps. Undecided rounds there had no ticks. */
  async function catchUp(): Promise<void> {
    for (let steps = 1; current && current.nextTime() <= storedThrough; steps += 1) {
      current.step(roundOf(current) ?? null);
      // Let the writer's lease be renewed.
      if (steps % CATCH_UP_STEPS === 0) await turn();
      if (current.isComplete()) advance();
    }
  }

  return {
    symbols,
    madeBy: () => SIMULATED,
    async resume(clocks) {
      current = undefined;
      opened = [];
      complete = [];
      committed = [];
      brokenChainFrom = null;
      openingAt = null;
      const own = [...clocks].filter(([symbol]) => mine.has(symbol));
      sealedAtStart = new Map(own.map(([symbol, { sealedThrough }]) => [symbol, sealedThrough]));
      storedThrough = leastOf([...sealedAtStart.values()]);
      await resumeEpochs(await readEpochs(database), clocks);
      handedOut = storedThrough;
    },
    next(now): SourceSlot {
      const ticks: DueTick[] = [];
      if (current?.isComplete()) advance();
      for (let steps = 0; steps < CATCH_UP_STEPS && current && current.nextTime() <= now; steps += 1) {
        const time = current.nextTime();
        const signature = roundOf(current);
        if (signature === undefined) break;
        for (const { symbol, price } of current.step(signature))
          if (isNew(symbol, time)) ticks.push({ symbol, time, price });
        handedOut = time;
        if (current.isComplete()) advance();
      }
      const dueAt = nextDueAt();
      const through = dueAt !== null && dueAt <= now ? ((dueAt - 1n) as Instant) : now;
      return {
        ticks,
        seals: symbols.filter((symbol) => isNew(symbol, through)).map((symbol) => ({ symbol, time: through })),
      };
    },
    stored() {
      storedThrough = handedOut;
    },
    nextDueAt(now) {
      const isWaiting = current !== undefined && current.nextTime() <= now && roundOf(current) === undefined;
      return isWaiting ? ((now + ROUND_LOOK_MS) as Instant) : nextDueAt();
    },
    async tend() {
      await commitAhead();
      await openNext();
      await commitAhead();
      await revealEnded();
    },
    stop: () => rounds.stop(),
  };
}

/** Computes the final states of a finished epoch from the rounds that it used. */
async function endOf(epoch: Sm1Epoch, used: DecidedRounds = new Map()): Promise<Sm1States> {
  while (!epoch.isComplete()) {
    const round = epoch.nextRound();
    epoch.step(round === null ? null : (used.get(round) ?? null));
    if (epoch.nextTick() % CATCH_UP_STEPS === 0) await turn();
  }
  return epoch.states();
}
