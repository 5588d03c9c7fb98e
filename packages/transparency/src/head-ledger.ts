import {
  batchRoot,
  concatBytes,
  equalBytes,
  formerBatchRoot,
  merkleTreeOfHashes,
  type Hashes,
  type Instant,
  type Tick,
} from "@fairtick/domain";
import { FIRST_SLOT_HEAD, slotHead, slotLine } from "./acceptance.ts";
import { createBoundBatches, type BoundBatches } from "./bound-batches.ts";
import type { LogEntryOf } from "./log-entry.ts";
import type { SettledOrder } from "./order-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";

/** A minute's prices follow their heads at once; this is for a market that catches up. */
const PRICES_WITHIN_MS = 30_000n;
/** Heads are written in the minute after their ticks at the earliest, or in the same one where the market catches up. */
const AHEAD_MS = 120_000n;
/** Of a head that does not say whose prices follow: they come with their minute. */
const UNTIMED_PRICES_WITHIN_MS = 600_000n;
/** No order is accepted on a price that is older (PRICE_STALE), and the newest one before the binding head was public by then. */
const ACCEPTED_WITHIN_MS = 2_000n;
/** A batch is bound by the next tick's head: one that is so much older than a logged tick was left out. */
const BOUND_WITHIN_MS = 10_000n;

interface Slot {
  readonly index: number;
  readonly k: number;
  readonly hash: Uint8Array;
  readonly through: number;
  /** Symbol, first tick, how many. By symbol. */
  readonly ticks: readonly (readonly [symbol: string, first: bigint, count: number])[];
  /** When its prices are owed; null: the log has told of no moment since. Before the head it may have stood still for long. */
  owed: bigint | null;
}

/** Slot heads: each made again from the batches and prices of the log. */
export interface HeadLedger {
  /** Before its head. */
  accept(index: number, entry: LogEntryOf<"orders.accept">): void;
  add(index: number, entry: LogEntryOf<"heads">): void;
  /** An entry tick must come after what was public when the order was bound. */
  settle(index: number, order: SettledOrder): void;
  /** The log tells of a moment: from the first one after a head that tells of none its prices are waited for. */
  tell(moment: bigint): void;
  /** A minute has come into the book: makes the heads that were waiting for it. */
  pricesAdded(): void;
  /** `latest`: what the log tells of; `at`: when it was cosigned, 0 where nobody did. */
  finish(latest: bigint, at: bigint): void;
  /** Heads that were made again. */
  count(): number;
}

export function createHeadLedger(hashes: Hashes, report: Report, book: PriceBook): HeadLedger {
  return new LoggedHeads(hashes, report, book);
}

class LoggedHeads implements HeadLedger {
  readonly #hashes: Hashes;
  readonly #report: Report;
  readonly #book: PriceBook;
  readonly #bound: BoundBatches;
  readonly #roots = new Map<number, Uint8Array>();
  /** Batches with orders, until their head was made again. */
  readonly #accepted = new Map<number, { readonly index: number; readonly at: Instant }>();
  /** Batches that no head named yet, with their times. */
  readonly #unbound = new Map<number, Instant>();
  /** Of each symbol the tick that the next head has to begin with. */
  readonly #following = new Map<string, bigint>();
  /** Heads whose prices are not all there yet. */
  #queue: Slot[] = [];
  /** The number that the next head has to have. */
  #next = 1;
  #last: { readonly hash: Uint8Array; readonly through: number } = { hash: FIRST_SLOT_HEAD, through: 0 };
  #made = 0;
  /** Time of the newest tick of the heads that were made again. */
  #newestTick = 0n;
  /** Of all heads that say until when their prices come. */
  #furthest = { index: 0, time: 0n };

  constructor(hashes: Hashes, report: Report, book: PriceBook) {
    this.#hashes = hashes;
    this.#report = report;
    this.#book = book;
    this.#bound = createBoundBatches(report);
  }

  accept(index: number, entry: LogEntryOf<"orders.accept">): void {
    const told = this.#queue.at(-1)?.through ?? this.#last.through;
    if (entry.batch <= told) {
      this.#fault(index, `batch ${entry.batch} stands behind a head that binds all up to ${told}`);
    }
    this.#unbound.set(entry.batch, entry.acceptedAt);
    if (entry.v === 2 && entry.commitments.length > 0) this.#accepted.set(entry.batch, { index, at: entry.acceptedAt });
    this.#bound.accept(entry);
    this.#roots.set(entry.batch, rootOf(this.#hashes, entry));
  }

  add(index: number, entry: LogEntryOf<"heads">): void {
    const { from, time } = entry;
    if (from !== this.#next) this.#fault(index, `head ${from} follows ${this.#next - 1}`);
    this.#next = entry.to + 1;
    if (time !== undefined && time > this.#furthest.time) this.#furthest = { index, time };
    const symbols = [...entry.ticks].sort(([left], [right]) => (left < right ? -1 : 1));
    const firsts = new Map(symbols.map(([symbol, [first = 0]]) => [symbol, BigInt(first)]));
    this.#checkGoesOn(index, from, firsts);
    const owed = time === undefined ? null : time + PRICES_WITHIN_MS;
    for (const [place, hash] of entry.heads.entries()) {
      const through = entry.batches[place] ?? 0;
      this.#bound.bind(through, () => new Map([...this.#following, ...firsts]));
      const ticks = takeTicks(symbols, firsts, place);
      this.#queue.push({ index, k: from + place, hash, through, ticks, owed });
    }
    for (const [symbol, first] of firsts) this.#following.set(symbol, first);
    const through = entry.batches.at(-1) ?? 0;
    for (const number of this.#unbound.keys()) if (number <= through) this.#unbound.delete(number);
    this.pricesAdded();
  }

  settle(index: number, order: SettledOrder): void {
    this.#bound.settle(index, order);
  }

  tell(moment: bigint): void {
    for (let place = this.#queue.length - 1; place >= 0; place -= 1) {
      const slot = this.#queue[place];
      if (slot === undefined || slot.owed !== null) break;
      slot.owed = moment + UNTIMED_PRICES_WITHIN_MS;
    }
  }

  pricesAdded(): void {
    let done = 0;
    for (const slot of this.#queue) {
      const lines = this.#linesOf(slot);
      if (lines === null) break;
      this.#makeAgain(slot, lines);
      done += 1;
    }
    if (done > 0) this.#queue = this.#queue.slice(done);
  }

  finish(latest: bigint, at: bigint): void {
    const now = maxOf(latest, at);
    const [first] = this.#queue;
    if (first !== undefined && first.owed !== null && now > first.owed) {
      this.#fault(first.index, `head ${first.k} names prices that the log does not have`);
    }
    if (at > 0n && this.#furthest.time > now + AHEAD_MS) {
      this.#fault(this.#furthest.index, `its prices are put off until ${this.#furthest.time}`);
    }
    this.#checkAllTicksBound();
    this.#checkAllBatchesBound();
  }

  count(): number {
    return this.#made;
  }

  /** Checks that each symbol's first tick is the one after the last tick of the head before. */
  #checkGoesOn(index: number, from: number, firsts: ReadonlyMap<string, bigint>): void {
    for (const [symbol, first] of firsts) {
      const due = this.#following.get(symbol);
      if (due === undefined || first === due) continue;
      this.#fault(index, `head ${from} goes on with tick ${first} of ${symbol}, not with ${due}`);
    }
  }

  /** Null: not all there yet. */
  #linesOf(slot: Slot): string | null {
    const lines: string[] = [];
    for (const [symbol, first, count] of slot.ticks) {
      const ticks = ticksFrom(this.#book.ticks(symbol), first, count);
      if (ticks === null) return null;
      for (const tick of ticks) lines.push(slotLine(symbol, tick));
    }
    return lines.join("\n");
  }

  #makeAgain(slot: Slot, lines: string): void {
    const before = this.#last;
    this.#last = { hash: slot.hash, through: slot.through };
    const numbers = [...this.#roots.keys()].filter((number) => number <= slot.through);
    numbers.sort((left, right) => left - right);
    const held = numbers.flatMap((number) => this.#roots.get(number) ?? []);
    for (const number of numbers) {
      this.#roots.delete(number);
      this.#checkMoment(number, slot);
    }
    for (const [symbol, first, count] of slot.ticks) {
      for (const { time } of ticksFrom(this.#book.ticks(symbol), first, count) ?? [])
        this.#newestTick = maxOf(this.#newestTick, time);
    }
    this.#made += 1;
    if (!equalBytes(slotHead(this.#hashes, before.hash, held, lines), slot.hash)) {
      this.#fault(slot.index, `head ${slot.k} is not made of the log's batches and prices`);
    }
  }

  /** Said to be later than it was, an order would get an entry that its house chose among those to come. */
  #checkMoment(number: number, slot: Slot): void {
    const batch = this.#accepted.get(number);
    this.#accepted.delete(number);
    const newest = this.#newestTick;
    if (batch === undefined || newest === 0n || batch.at <= newest + ACCEPTED_WITHIN_MS) return;
    const late = `${batch.at - newest} ms after the newest price before head ${slot.k}`;
    this.#fault(batch.index, `batch ${number} was accepted ${late}`);
  }

  #checkAllTicksBound(): void {
    for (const symbol of this.#book.symbols()) {
      const due = this.#following.get(symbol) ?? 0n;
      // A minute's heads are written before its prices.
      const open = this.#book.ticks(symbol).find((tick) => tick.seq >= due && tick.time > 0n);
      if (open === undefined) continue;
      this.#fault(null, `tick ${open.seq} of ${symbol} and what came after it stand in no head`);
      return;
    }
  }

  /** A batch is bound by the next tick: as long as there is none, none can bind it. */
  #checkAllBatchesBound(): void {
    const newest = this.#book
      .symbols()
      .reduce((found, symbol) => maxOf(found, this.#book.ticks(symbol).at(-1)?.time ?? 0n), 0n);
    for (const [number, acceptedAt] of this.#unbound) {
      if (acceptedAt + BOUND_WITHIN_MS >= newest) continue;
      this.#fault(null, `batch ${number} and those after it are bound by no head`);
      return;
    }
  }

  #fault(index: number | null, what: string): void {
    faultAt(this.#report, "heads", index, what);
  }
}

/** Answers the ticks of the entry's head at `place`, and moves each symbol's first tick on behind them. */
function takeTicks(
  symbols: readonly (readonly [symbol: string, counts: readonly number[]])[],
  firsts: Map<string, bigint>,
  place: number,
): Slot["ticks"] {
  return symbols.flatMap(([symbol, counts]) => {
    const count = counts[place + 1] ?? 0;
    const first = firsts.get(symbol) ?? 0n;
    firsts.set(symbol, first + BigInt(count));
    return count === 0 ? [] : [[symbol, first, count] as const];
  });
}

/** The root that the batch's acceptances were signed under. */
function rootOf(
  hashes: Hashes,
  { v, batch, acceptedAt, commitments, refusals }: LogEntryOf<"orders.accept">,
): Uint8Array {
  const { root } = merkleTreeOfHashes(hashes, concatBytes(commitments, refusals));
  const number = BigInt(batch);
  return v === 1
    ? formerBatchRoot(hashes, number, acceptedAt, root)
    : batchRoot(hashes, number, acceptedAt, commitments.length / 32, root);
}

function maxOf(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/** Ticks are numbered without gaps. Null where they are not all there. */
function ticksFrom(ticks: readonly Tick[], first: bigint, count: number): readonly Tick[] | null {
  const start = ticks[0] === undefined ? -1 : Number(first - ticks[0].seq);
  const found = start < 0 ? [] : ticks.slice(start, start + count);
  return found.length === count && found[0]?.seq === first ? found : null;
}
