import { equalBytes, SM1_EPOCH_MS, SM1_TICK_MS, sm1Commit, type Instant, type Sm1Params } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { SIMULATED } from "@fairtick/transparency";
import type { Database } from "../../../platform/database.ts";
import type { Log } from "../../../platform/log.ts";
import { createMixDesk, type EpochMix, type MixDesk } from "../epoch-mix.ts";
import type { InstrumentClock } from "../market-rows.ts";
import { createRoundKeeper, type MarketBeacon, roundedEpoch, type RoundKeeper } from "../round-keeper.ts";
import { readRounds } from "../round-rows.ts";
import { type SeedVault, statesFromJson } from "../seed-vault.ts";
import { openSm1Epoch, type Sm1States } from "../sm1-epoch.ts";
import { type ParamsEntry, paramsEntry, readParamsEntry } from "../sm1-params.ts";
import {
  asWriter,
  type EpochRow,
  epochSecret,
  readEpochs,
  storeCommit,
  storeOpen,
  storeParams,
  storeReveal,
} from "../sm1-rows.ts";
import { gapSince, leastOf, startOfNext, statesFromPrices } from "./epoch-starts.ts";
import { CATCH_UP_STEPS, computeFinalStates, createEpochRun, type EpochRun } from "./epoch-run.ts";
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
/** How soon to look again for a round that is awaited. */
const ROUND_LOOK_MS = 10n;

/**
 * Creates the simulated market: it commits, opens and reveals epochs of SM1 and SM2 through the outbox and computes their ticks.
 * The next epoch is opened as soon as one starts, so that a market that was down for up to ten minutes continues in an opened
 * epoch.
 */
export function createSimulatedSource(parts: SimulatedSourceParts): TickSource {
  return new SimulatedSource(parts);
}

class SimulatedSource implements TickSource {
  readonly symbols: readonly string[];
  readonly #mine: ReadonlySet<string>;
  readonly #parts: SimulatedSourceParts;
  readonly #mixes: MixDesk;
  readonly #params: ParamsEntry;
  readonly #rounds: RoundKeeper;
  #run: EpochRun;
  #areParamsStored = false;
  /** Committed epochs that are not opened. Their seeds are available. */
  #committed: EpochRow[] = [];
  #newestEpoch = 0n;
  #lastEnd = 0n as Instant;
  /** Start of an epoch that is being opened. Until that is done, no seal may pass it. */
  #openingAt: Instant | null = null;
  #handedOut = 0n as Instant;
  #storedThrough = 0n as Instant;
  /** Seals at the start. Steps continue from the lowest. A new instrument's seal is higher, and it gets no ticks at or below it. */
  #sealedAtStart: ReadonlyMap<string, Instant> = new Map();

  constructor(parts: SimulatedSourceParts) {
    const beacon = parts.beacon ?? null;
    this.symbols = parts.instruments.map((one) => one.symbol);
    this.#mine = new Set(this.symbols);
    this.#parts = parts;
    this.#mixes = parts.mixes ?? createMixDesk();
    this.#params = paramsEntry(parts.instruments, beacon?.chain ?? null);
    this.#rounds = createRoundKeeper({ ...parts, beacon });
    this.#run = this.#createRun();
  }

  madeBy(): string {
    return SIMULATED;
  }

  async resume(clocks: ReadonlyMap<string, InstrumentClock>): Promise<void> {
    this.#run = this.#createRun();
    this.#committed = [];
    this.#openingAt = null;
    const own = [...clocks].filter(([symbol]) => this.#mine.has(symbol));
    this.#sealedAtStart = new Map(own.map(([symbol, { sealedThrough }]) => [symbol, sealedThrough]));
    this.#storedThrough = leastOf([...this.#sealedAtStart.values()]);
    await this.#resumeEpochs(await readEpochs(this.#parts.database), clocks);
    this.#handedOut = this.#storedThrough;
  }

  next(now: Instant): SourceSlot {
    const ticks: DueTick[] = [];
    this.#run.advance();
    for (let steps = 0; steps < CATCH_UP_STEPS; steps += 1) {
      const step = this.#run.step(now);
      if (step === null) break;
      const { time } = step;
      for (const { symbol, price } of step.ticks) if (this.#isNew(symbol, time)) ticks.push({ symbol, time, price });
      this.#handedOut = time;
    }
    const dueAt = this.#nextStepAt();
    const through = dueAt !== null && dueAt <= now ? ((dueAt - 1n) as Instant) : now;
    const unsealed = this.symbols.filter((symbol) => this.#isNew(symbol, through));
    return { ticks, seals: unsealed.map((symbol) => ({ symbol, time: through })) };
  }

  stored(): void {
    this.#storedThrough = this.#handedOut;
  }

  nextDueAt(now: Instant): Instant | null {
    return this.#run.isWaiting(now) ? ((now + ROUND_LOOK_MS) as Instant) : this.#nextStepAt();
  }

  async tend(): Promise<void> {
    await this.#commitAhead();
    await this.#openNext();
    await this.#commitAhead();
    await this.#revealEnded();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  #createRun(): EpochRun {
    return createEpochRun(this.#parts.vault, (epoch, round) => this.#rounds.decided(epoch, round));
  }

  /** Whether the symbol is this source's and was not sealed at this time before the start. */
  #isNew(symbol: string, time: Instant): boolean {
    return this.#mine.has(symbol) && time > (this.#sealedAtStart.get(symbol) ?? 0n);
  }

  #nextStepAt(): Instant | null {
    return this.#run.nextDueAt() ?? this.#openingAt;
  }

  #seedOf(row: EpochRow): Uint8Array | null {
    const seed = row.seed ?? this.#parts.vault.read(row.epoch);
    if (seed && equalBytes(sm1Commit(nodeHashes, row.epoch, seed, row.params_hash), row.commit)) return seed;
    return null;
  }

  /** Stores an epoch's start while holding off takeovers, so that it can't replace another writer's start. */
  async #keepStart(epoch: bigint, from: Sm1States): Promise<void> {
    const { database, vault, writerEpoch } = this.#parts;
    await asWriter(database, writerEpoch(), () => vault.keepStart(epoch, from));
  }

  async #commitAhead(): Promise<void> {
    const { database, vault } = this.#parts;
    const params = this.#params;
    const writerEpoch = this.#parts.writerEpoch();
    if (!this.#areParamsStored) {
      await storeParams(database, writerEpoch, params);
      this.#areParamsStored = true;
    }
    while (this.#committed.length < COMMITTED_AHEAD) {
      const epoch = this.#newestEpoch + 1n;
      // A seed that a crash left without a commitment can still be used, since no one has seen it.
      const seed = await vault.create(epoch);
      const commit = sm1Commit(nodeHashes, epoch, seed, params.hash);
      const witness = await this.#mixes.witness();
      await storeCommit(database, writerEpoch, { epoch, commit, paramsHash: params.hash, witness });
      this.#newestEpoch = epoch;
      const row = { epoch, commit, params_hash: params.hash, entry: params.text };
      this.#committed.push({ ...row, mix: null, start_at: null, starts_from: null, seed: null });
    }
  }

  /** Opens epochs until one beyond the running one is open, or until none can be opened yet. */
  async #openNext(): Promise<void> {
    const { now } = this.#parts;
    while (this.#run.openCount() < 2) {
      const row = this.#committed[0];
      const seed = row && this.#seedOf(row);
      if (!row || !seed) return;
      const wanted = startOfNext(this.#lastEnd, now());
      const mixed = await this.#mixes.mixFor(row.epoch, row.commit, wanted, now());
      if (mixed === null) return;
      const start = startOfNext(this.#lastEnd, now());
      this.#openingAt = start;
      try {
        if (!(await this.#open(row, seed, start, mixed))) return;
      } finally {
        this.#openingAt = null;
      }
    }
  }

  /** Opens a committed epoch. Returns false if its start has passed meanwhile. */
  async #open(row: EpochRow, seed: Uint8Array, start: Instant, { mix, checkpoint }: EpochMix): Promise<boolean> {
    const { database, log, now, writerEpoch } = this.#parts;
    const { epoch } = row;
    const brokenChainFrom = this.#run.brokenChainFrom();
    if (this.#run.openCount() === 0 && brokenChainFrom) await this.#keepStart(epoch, brokenChainFrom);
    const gap = gapSince(this.#lastEnd, now());
    if (!(await storeOpen(database, writerEpoch(), { epoch, start, mix, checkpoint, gap }))) return false;
    this.#committed.shift();
    this.#lastEnd = (start + SM1_EPOCH_MS) as Instant;
    const { instruments, beacon } = readParamsEntry(row.entry);
    const secret = { epoch, start, seed, mix, instruments, beacon };
    this.#run.add(secret);
    for (const rounded of roundedEpoch(secret)) this.#rounds.add(rounded);
    this.#run.advance();
    log.info({ epoch: epoch.toString(), start: start.toString() }, "an epoch of the simulated market is open");
    return true;
  }

  async #revealEnded(): Promise<void> {
    const { database, vault, now, writerEpoch } = this.#parts;
    this.#run.advance();
    for (const epoch of this.#run.complete()) {
      if (epoch.end > now() || this.#storedThrough < epoch.end - SM1_TICK_MS) return;
      await storeReveal(database, writerEpoch(), epoch);
      this.#run.drop(epoch);
      vault.forget(epoch.epoch);
      this.#rounds.forget(epoch.epoch);
    }
  }

  /** Restores the epochs from the tables. Opened ones are computed up to the seal, below which no later tick may lie. */
  async #resumeEpochs(rows: readonly EpochRow[], clocks: ReadonlyMap<string, InstrumentClock>): Promise<void> {
    const run = this.#run;
    let isLost = false;
    this.#newestEpoch = rows.at(-1)?.epoch ?? 0n;
    this.#lastEnd = 0n as Instant;
    for (const row of rows) {
      if (row.start_at === null) this.#resumeCommitted(row);
      else {
        this.#lastEnd = (row.start_at + SM1_EPOCH_MS) as Instant;
        if (!(await this.#resumeOpened(row))) {
          run.breakChain(statesFromPrices(clocks));
          isLost = true;
        }
      }
    }
    await this.#rounds.resume(run.upcoming().flatMap(roundedEpoch), this.#storedThrough);
    const first = run.upcoming()[0];
    const brokenChainFrom = run.brokenChainFrom();
    if (isLost && first && brokenChainFrom && !this.#parts.vault.readStart(first.epoch)) {
      await this.#keepStart(first.epoch, brokenChainFrom);
    }
    run.advance();
    await run.catchUp(this.#storedThrough);
  }

  #resumeCommitted(row: EpochRow): void {
    if (this.#seedOf(row)) this.#committed.push(row);
    else {
      this.#parts.log.error(
        { epoch: row.epoch.toString() },
        "the seed of a committed epoch is lost; the epoch is skipped",
      );
    }
  }

  /** Continues an opened epoch, or computes how a revealed one ended. Returns false if its seed is lost. */
  async #resumeOpened(row: EpochRow): Promise<boolean> {
    const { database, log } = this.#parts;
    const secret = epochSecret(row, this.#seedOf(row));
    if (!secret) {
      log.error({ epoch: row.epoch.toString() }, "the seed of an opened epoch is lost; its ticks cannot be made");
      return false;
    }
    if (row.seed) {
      const used = await readRounds(database, [row.epoch]);
      const epoch = openSm1Epoch(secret, statesFromJson(row.starts_from));
      this.#run.breakChain(await computeFinalStates(epoch, used.get(row.epoch)));
    } else this.#run.add(secret);
    return true;
  }
}
