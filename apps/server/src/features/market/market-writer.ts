import { type Instant, type Points, toHex } from "@fairtick/domain";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Bus, SignedHead } from "../../platform/bus.ts";
import type { Database } from "../../platform/database.ts";
import {
  type InstrumentClock,
  readClocks,
  type Seal,
  type SlotHead,
  storeSlot,
  type StoredTick,
} from "./market-rows.ts";
import { storeIncidents } from "./sm1-rows.ts";
import type { SourcePauses } from "./source-pauses.ts";
import type { DueTick, SourceSlot, TickSource } from "./sources/source.ts";

/** Delays of the last ticks, in ms after they were due. */
export interface Punctuality {
  /** Delays until the tick was committed and published on the bus. */
  readonly publishedMs: readonly number[];
  /** Delays until the tick's transaction was sent. */
  readonly sentMs: readonly number[];
}

export interface MarketWriter {
  /** Reads the clocks and lets the sources continue from there. */
  resume(): Promise<void>;
  /** Stores and publishes what is due by now. Returns true if something was stored and more may already be due. */
  writeSlot(): Promise<boolean>;
  /** Returns when the next slot or seal is due. */
  nextDueAt(): Instant;
  clocks(): ReadonlyMap<string, InstrumentClock>;
  punctuality(): Punctuality;
}

export interface WriterParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly now: () => Instant;
  readonly epoch: bigint;
  readonly sources: readonly TickSource[];
  /** The earliest time of ticks for each instrument whose source has changed. */
  readonly notBefore?: ReadonlyMap<string, Instant>;
  /** Signs each slot's head before it is pushed. */
  readonly signer?: AcceptanceSigner | undefined;
  /** Finds the outages of outside sources that a slot's ticks end, so that they are reported. Without it, none are. */
  readonly pauses?: SourcePauses;
}

/** Seals move at least this often, with or without ticks. */
const SEAL_EVERY_MS = 1_000n;
/** A tick stored this long after it was due is marked late, because the next one was already due. */
const LATE_MS = 500n;
const SAMPLES = 2_400;

/** Creates the writer, which stores, seals and publishes the sources' due slots, one at a time. */
export function createMarketWriter(parts: WriterParts): MarketWriter {
  return new SlotWriter(parts);
}

class SlotWriter implements MarketWriter {
  readonly #parts: WriterParts;
  /** Symbols that a source serves. */
  readonly #sourced: ReadonlySet<string>;
  readonly #sentMs: number[] = [];
  readonly #publishedMs: number[] = [];
  #clocks = new Map<string, InstrumentClock>();

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#sourced = new Set(parts.sources.flatMap((source) => source.symbols));
  }

  async resume(): Promise<void> {
    const { database, now, sources, pauses } = this.#parts;
    this.#clocks = new Map((await readClocks(database)).map((clock) => [clock.symbol, clock]));
    pauses?.resume(this.#clocks);
    for (const source of sources) await source.resume(this.#clocks, now());
  }

  async writeSlot(): Promise<boolean> {
    const { now, sources } = this.#parts;
    const at = now();
    const slots = sources.map((source) => source.next(at));
    const due = this.#dueTicks(slots);
    const seals = this.#dueSeals(slots, due, at);
    if (seals.length === 0) return false;
    const ticks = this.#numbered(due, at);
    const sentAt = now();
    const head = await this.#store(ticks, seals, sentAt);
    for (const source of sources) source.stored();
    this.#moveClocks(ticks, seals);
    this.#publish(ticks, seals, head);
    this.#keepDelays(ticks, sentAt, now());
    return true;
  }

  nextDueAt(): Instant {
    const { now, sources } = this.#parts;
    const at = now();
    let next = ((this.#oldestSeal() ?? at) + SEAL_EVERY_MS) as Instant;
    for (const source of sources) {
      const dueAt = source.nextDueAt(at);
      if (dueAt !== null && dueAt < next) next = dueAt;
    }
    return next;
  }

  clocks(): ReadonlyMap<string, InstrumentClock> {
    return this.#clocks;
  }

  punctuality(): Punctuality {
    return { sentMs: this.#sentMs, publishedMs: this.#publishedMs };
  }

  #dueTicks(slots: readonly SourceSlot[]): DueTick[] {
    const { notBefore } = this.#parts;
    const made = slots.flatMap((slot) => slot.ticks);
    return made.filter(({ symbol, time }) => time >= (notBefore?.get(symbol) ?? 0n));
  }

  /** Returns the seals to store. They are stored along with ticks; without ticks they move once a second. */
  #dueSeals(slots: readonly SourceSlot[], due: readonly DueTick[], at: Instant): Seal[] {
    const withTicks = new Set(due.map((tick) => tick.symbol));
    return [...slots.flatMap((slot) => slot.seals), ...this.#sealsOfOthers(at)].filter(({ symbol, time }) => {
      const sealed = this.#clocks.get(symbol)?.sealedThrough ?? time;
      return withTicks.has(symbol) || (due.length > 0 ? time > sealed : time - sealed >= SEAL_EVERY_MS);
    });
  }

  /** Seals instruments that no source serves any more, so that their orders don't stay open. */
  #sealsOfOthers(at: Instant): Seal[] {
    const others = [...this.#clocks.keys()].filter((symbol) => !this.#sourced.has(symbol));
    return others.map((symbol) => ({ symbol, time: at }));
  }

  #numbered(ticks: readonly DueTick[], at: Instant): StoredTick[] {
    const seqs = new Map<string, bigint>();
    return ticks.map(({ symbol, time, price, quotes }) => {
      const seq = (seqs.get(symbol) ?? this.#clocks.get(symbol)?.seq ?? 0n) + 1n;
      seqs.set(symbol, seq);
      return { symbol, seq, time, price, late: at - time >= LATE_MS, ...(quotes && { quotes }) };
    });
  }

  /**
   * Stores a slot together with the incidents about the outages that it ends. Both are in one transaction, so that a
   * crash can't leave an outage unreported.
   */
  #store(ticks: readonly StoredTick[], seals: readonly Seal[], at: Instant): Promise<SlotHead | null> {
    const { database, epoch, pauses } = this.#parts;
    const incidents = pauses?.endedBy(ticks, this.#clocks, at) ?? [];
    if (incidents.length === 0) return storeSlot(database, epoch, ticks, seals);
    return database.transaction(async (transaction) => {
      await storeIncidents(transaction, incidents);
      return storeSlot(transaction, epoch, ticks, seals);
    });
  }

  #moveClocks(ticks: readonly StoredTick[], seals: readonly Seal[]): void {
    for (const { symbol, time } of seals) this.#patch(symbol, { sealedThrough: time });
    for (const { symbol, seq, time, price } of ticks) this.#patch(symbol, { seq, time, price });
  }

  #patch(symbol: string, change: Partial<InstrumentClock>): void {
    const before = this.#clocks.get(symbol);
    if (before) this.#clocks.set(symbol, { ...before, ...change });
  }

  #publish(ticks: readonly StoredTick[], seals: readonly Seal[], head: SlotHead | null): void {
    const { bus, signer } = this.#parts;
    const signed = head && signer && signedHead(signer, head);
    if (ticks.length > 0)
      bus.publish("ticks", { ticks: ticks.map(published), sealedThrough: seals, ...(signed && { head: signed }) });
    else bus.publish("seals", { sealedThrough: seals });
  }

  #keepDelays(ticks: readonly StoredTick[], sentAt: Instant, doneAt: Instant): void {
    for (const { time, late } of ticks) {
      if (late) continue;
      keep(this.#sentMs, Number(sentAt - time));
      keep(this.#publishedMs, Number(doneAt - time));
    }
  }

  #oldestSeal(): Instant | null {
    let oldest: Instant | null = null;
    for (const { sealedThrough } of this.#clocks.values())
      if (oldest === null || sealedThrough < oldest) oldest = sealedThrough;
    return oldest;
  }
}

function published({ symbol, seq, time, price }: StoredTick): {
  symbol: string;
  seq: bigint;
  time: Instant;
  price: Points;
} {
  return { symbol, seq, time, price };
}

function signedHead(signer: AcceptanceSigner, { k, hash }: SlotHead): SignedHead {
  return { k, hash: toHex(hash), signature: signer.signHead(k, hash).toString("base64"), key: signer.keyId };
}

function keep(samples: number[], value: number): void {
  samples.push(value);
  if (samples.length > SAMPLES) samples.shift();
}
