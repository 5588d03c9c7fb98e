import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import type { Clock, Instant } from "@fairtick/domain";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Bus } from "../../platform/bus.ts";
import { isConnectionLost } from "../../platform/database-errors.ts";
import type { Database } from "../../platform/database.ts";
import type { Log } from "../../platform/log.ts";
import { registerKey } from "../log/index.ts";
import { type MarketClock, openMarketClock, SKEW_MAX_MS } from "./market-clock.ts";
import {
  ensureTickPartitions,
  type Genesis,
  giveBackMarket,
  readClocks,
  renewLease,
  StaleWriterError,
  storeGenesis,
  takeMarket,
} from "./market-rows.ts";
import { historyFrom } from "./genesis.ts";
import { createMarketWriter, type MarketWriter, type Punctuality } from "./market-writer.ts";
import { endOfMinutes, logFinished } from "./price-log.ts";
import { type IsOpenThrough, type PauseOf, watchSourcePauses } from "./source-pauses.ts";
import { stateSources } from "./source-rows.ts";
import type { TickSource } from "./sources/source.ts";

/** What a source needs to know about the writer that runs it. */
export interface WriterDesk {
  readonly now: () => Instant;
  readonly writerEpoch: () => bigint;
}

export interface MarketParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly clock: Clock;
  /** Opens the sources of all instruments. Called at each takeover and when instruments were added. */
  readonly openSources: (desk: WriterDesk) => readonly TickSource[] | Promise<readonly TickSource[]>;
  /** Whether instruments were added since the sources were opened. Asked each second. Without it, none ever is. */
  readonly hasNews?: () => Promise<boolean>;
  /** Whether an instrument's market is open during a whole period. Without it, markets never close. */
  readonly isOpenThrough?: IsOpenThrough;
  readonly pauseOf?: PauseOf;
  /** Makes the history of an instrument that has no clock yet. */
  readonly genesis: (symbol: string, end: Instant) => Genesis;
  /** Signs slot heads. Without it, they are stored unsigned. */
  readonly signer?: AcceptanceSigner;
  /** Opens the market's clock. Tests hand in one that they can move. */
  readonly openClock?: typeof openMarketClock;
  /** Called with the reason when the market gets into trouble, and with undefined when it is in order again. */
  readonly onTrouble?: (reason: string | undefined) => void;
}

export interface Market {
  /** Resolves once ticks are being stored by this process. */
  readonly started: Promise<void>;
  punctuality(): Punctuality;
  skewMs(): number;
  /** Stops writing and gives up the lease, so that the next writer needn't wait. */
  stop(): Promise<void>;
}

/** A writer that has not renewed its lease for this long counts as gone. A takeover then takes less than two seconds. */
export const LEASE_MS = 1_500;
/**
 * How long a writer may be silent while it makes an instrument's history. That keeps the processor for a while, and on a busy machine
 * for longer than the usual lease: the next writer would begin again, be taken over as well, and no price would ever come.
 */
const HISTORY_LEASE_MS = 60_000;
/** How often a starting writer renews its lease. Once it writes, every slot renews it. */
const RENEW_EVERY_MS = 300;
const ASK_AGAIN_MS = 100;
const RETRY_MS = 200;
const TEND_EVERY_MS = 1_000;
const MEASURE_EVERY_MS = 5_000;
const PARTITIONS_EVERY_MS = 3_600_000;
/** The longest time between two looks at the sources, since real ones may have a quote at any moment. */
const WAKE_MS = 100;

/** Runs the market until it is stopped: waits for the lease, writes slots and starts over after a failure. */
export function runMarket(parts: MarketParts): Market {
  return new RunningMarket(parts);
}

class RunningMarket implements Market {
  readonly started: Promise<void>;
  readonly #parts: MarketParts;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #announceStarted: () => void = () => undefined;
  #marketClock: MarketClock | undefined;
  #writer: MarketWriter | undefined;

  constructor(parts: MarketParts) {
    this.#parts = parts;
    this.started = new Promise<void>((resolve) => (this.#announceStarted = resolve));
    this.#running = this.#loop();
  }

  punctuality(): Punctuality {
    return this.#writer?.punctuality() ?? { sentMs: [], publishedMs: [] };
  }

  skewMs(): number {
    return this.#marketClock?.skewMs() ?? 0;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #loop(): Promise<void> {
    const { database, log, clock, openClock = openMarketClock } = this.#parts;
    let former = 0n;
    while (!this.#stopping.signal.aborted) {
      try {
        this.#marketClock ??= await openClock(database, clock);
        const epoch = await takeMarket(database, LEASE_MS, former);
        if (epoch === null) {
          await this.#pause(ASK_AGAIN_MS);
          continue;
        }
        former = epoch;
        await this.#write(epoch, this.#marketClock);
      } catch (error) {
        this.#parts.onTrouble?.(error instanceof StaleWriterError ? "taken over" : "database");
        if (error instanceof StaleWriterError) log.warn({ err: error }, "another market writer took over");
        else log[isConnectionLost(error) ? "warn" : "error"]({ err: error }, "the market failed, and starts over");
        await this.#pause(RETRY_MS);
      }
    }
  }

  /**
   * Writes as this epoch's writer until it is stopped, taken over or fails, or until an instrument is added. In the last case
   * everything is opened again, as after a takeover, so that there is only one way to start: from the tables.
   */
  async #write(epoch: bigint, time: MarketClock): Promise<void> {
    const { database, log } = this.#parts;
    const desk = { now: () => time.now(), writerEpoch: () => epoch };
    const sources = await this.#whileRenewing(epoch, async () => this.#parts.openSources(desk));
    const ended = new AbortController();
    const over = AbortSignal.any([this.#stopping.signal, ended.signal]);
    try {
      const writer = await this.#whileRenewing(epoch, () => this.#prepare(epoch, desk.now, sources));
      this.#writer = writer;
      log.info({ epoch: epoch.toString(), instruments: writer.clocks().size }, "writing the market");
      const tasks = [this.#writeSlots(writer, time, over), this.#takeCare(sources, writer, time, over)];
      try {
        await Promise.race(tasks);
      } finally {
        ended.abort();
        await Promise.allSettled(tasks);
      }
    } finally {
      await Promise.all(sources.map((source) => source.stop()));
      // Give the lease up, so that the next writer (or this one again) needn't wait for it to run out.
      await giveBackMarket(database, epoch).catch((error: unknown) => {
        log.warn({ err: error }, "the market could not be given back");
      });
    }
  }

  /** Prepares the writer with clocks, sources and everything else that its first slot needs. */
  async #prepare(epoch: bigint, now: () => Instant, sources: readonly TickSource[]): Promise<MarketWriter> {
    const { database, bus, signer, isOpenThrough, pauseOf } = this.#parts;
    const symbols = sources.flatMap((source) => source.symbols);
    const fresh = await this.#giveClocks(epoch, symbols, now());
    const makers = new Map(
      sources.flatMap((source) => source.symbols.map((symbol) => [symbol, source.madeBy(symbol)] as const)),
    );
    const notBefore = await stateSources(database, epoch, makers, fresh, now);
    if (signer) await registerKey(database, "acceptance", signer.verifier);
    const pauses = watchSourcePauses(sources, isOpenThrough, pauseOf);
    const writer = createMarketWriter({ database, bus, now, epoch, sources, notBefore, signer, pauses });
    await writer.resume();
    return writer;
  }

  /** Renews the lease while `work` runs, however long that takes. If the lease is lost, the first write will fail. */
  async #whileRenewing<Value>(epoch: bigint, work: () => Promise<Value>): Promise<Value> {
    const { database, log } = this.#parts;
    const done = new AbortController();
    const renewing = (async () => {
      while (!done.signal.aborted) {
        await this.#pause(RENEW_EVERY_MS, done.signal);
        await renewLease(database, epoch);
      }
    })().catch((error: unknown) => {
      log.warn({ err: error }, "the market's lease could not be renewed");
    });
    try {
      return await work();
    } finally {
      done.abort();
      await renewing;
    }
  }

  /** Creates missing clocks. Returns the symbols that had none. */
  async #giveClocks(epoch: bigint, symbols: readonly string[], now: Instant): Promise<Set<string>> {
    const { database } = this.#parts;
    await ensureTickPartitions(database, historyFrom(now), now);
    const known = new Set((await readClocks(database)).map((one) => one.symbol));
    const fresh = symbols.filter((each) => !known.has(each));
    if (fresh.length === 0) return new Set();
    await renewLease(database, epoch, HISTORY_LEASE_MS);
    const missing: Genesis[] = [];
    for (const symbol of fresh) {
      missing.push(this.#parts.genesis(symbol, now));
      await turn();
    }
    await storeGenesis(database, epoch, missing);
    await renewLease(database, epoch, LEASE_MS);
    return new Set(fresh);
  }

  async #writeSlots(writer: MarketWriter, time: MarketClock, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const stored = await writer.writeSlot();
      if (stored) this.#announceStarted();
      const wait = time.msUntil(writer.nextDueAt());
      if (wait > 0) await this.#pause(Math.min(Math.ceil(wait), WAKE_MS), over);
      else if (!stored) await this.#pause(1, over);
    }
  }

  /** Does the work besides writing slots, about once a second: epochs, partitions, log entries and the clock. */
  async #takeCare(
    sources: readonly TickSource[],
    writer: MarketWriter,
    time: MarketClock,
    over: AbortSignal,
  ): Promise<void> {
    const { database, log, clock, hasNews, onTrouble } = this.#parts;
    let measuredAt = clock.elapsedMs();
    let partitionsAt = clock.elapsedMs();
    const logged = new Map<string, bigint>();
    onTrouble?.(undefined);
    while (!over.aborted) {
      if (await hasNews?.()) {
        log.info("an instrument was added; the market starts it");
        return;
      }
      // Read the seals before tending the sources: the log then has the seeds of finished epochs before their last minutes.
      const sealed = [...writer.clocks().values()].map((one) => [one.symbol, one.sealedThrough] as const);
      for (const source of sources) await source.tend();
      if (clock.elapsedMs() - measuredAt >= MEASURE_EVERY_MS) {
        measuredAt = clock.elapsedMs();
        await time.measure();
        const skew = time.skewMs();
        onTrouble?.(Math.abs(skew) > SKEW_MAX_MS ? `this clock is ${skew} ms off the database's` : undefined);
      }
      if (clock.elapsedMs() - partitionsAt >= PARTITIONS_EVERY_MS) {
        partitionsAt = clock.elapsedMs();
        await ensureTickPartitions(database, time.now(), time.now());
      }
      const finished = sealed.filter(([symbol, through]) => endOfMinutes(through) > (logged.get(symbol) ?? 0n));
      if (finished.length > 0) await logFinished(database, finished);
      for (const [symbol, through] of finished) logged.set(symbol, endOfMinutes(through));
      await this.#pause(TEND_EVERY_MS, over);
    }
  }

  #pause(ms: number, over: AbortSignal = this.#stopping.signal): Promise<void> {
    return sleep(ms, undefined, { signal: over }).catch(() => undefined);
  }
}
