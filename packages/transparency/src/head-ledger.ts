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
import { ACCEPTED_WITHIN_MS, createBoundBatches, type BoundBatches } from "./bound-batches.ts";
import type { LogEntryOf } from "./log-entry.ts";
import type { SettledOrder } from "./order-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";

/** How long after its minute a head's prices may come, ms. They usually follow at once; this allows for catching up. */
const PRICES_WITHIN_MS = 30_000n;
/** How far a head's `time`, the end of its newest tick's minute, may lie in the future, ms. */
const AHEAD_MS = 120_000n;
/** How long the prices of a head without `time` may take, ms. */
const UNTIMED_PRICES_WITHIN_MS = 600_000n;
/**
 * The head of the next tick binds a batch. One that is unbound and this much older than a logged tick was left out, ms.
 */
const BOUND_WITHIN_MS = 10_000n;

interface Slot {
  readonly index: number;
  readonly k: number;
  readonly hash: Uint8Array;
  readonly through: number;
  /** First tick and number of ticks for each symbol, sorted by symbol. */
  readonly ticks: readonly (readonly [symbol: string, first: bigint, count: number])[];
  /** Deadline for its prices, ms; null until the log has a moment after the head, since it may have stood still. */
  owed: bigint | null;
}

/** Checks slot heads by recomputing each from the batches and prices of the log. */
export interface HeadLedger {
  /** Adds a batch. It must come before the head that binds it. */
  accept(index: number, entry: LogEntryOf<"orders.accept">): void;
  add(index: number, entry: LogEntryOf<"heads">): void;
  /** Checks that the order's entry was not public yet when a head bound the order, and that it was not post-dated. */
  settle(index: number, order: SettledOrder): void;
  /**
   * Called for each moment of the log, ms. The first one after a head without `time` starts the wait for its prices.
   */
  tell(moment: bigint): void;
  /** Called after a minute was added to the book; recomputes the heads that were waiting for it. */
  pricesAdded(): void;
  /** Reports what is missing at the end. `latest`: newest moment, ms; `at`: when the log was cosigned, ms, 0 if never. */
  finish(latest: bigint, at: bigint): void;
  /** Returns the number of recomputed heads. */
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
  /** Batches with orders, until their head is recomputed. */
  readonly #accepted = new Map<number, { readonly index: number; readonly at: Instant }>();
  /** Acceptance times of batches that no head has bound yet, by number. */
  readonly #unbound = new Map<number, Instant>();
  /** For each symbol, the tick that the next head must begin with. */
  readonly #following = new Map<string, bigint>();
  /** Heads whose prices are not all in the log yet. */
  #queue: Slot[] = [];
  /** The number that the next head must have. */
  #next = 1;
  #last: { readonly hash: Uint8Array; readonly through: number } = { hash: FIRST_SLOT_HEAD, through: 0 };
  #made = 0;
  /** Time of each symbol's newest tick in the recomputed heads, ms. */
  readonly #newest = new Map<string, bigint>();
  /** The latest `time` of all entries of heads, ms, and the index of its entry. */
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

  /** Returns the lines of the slot's ticks; null while not all of them are in the book. */
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
    // All batches of a head share one copy, so that batches don't cost memory by symbol.
    if (numbers.length > 0) this.#bound.price(numbers, { k: slot.k, newest: new Map(this.#newest) });
    for (const number of numbers) {
      this.#roots.delete(number);
      this.#checkMoment(number, slot);
    }
    for (const [symbol, first, count] of slot.ticks) {
      const times = (ticksFrom(this.#book.ticks(symbol), first, count) ?? []).map(({ time }) => time);
      this.#newest.set(symbol, times.reduce(maxOf, this.#newest.get(symbol) ?? 0n));
    }
    this.#made += 1;
    if (!equalBytes(slotHead(this.#hashes, before.hash, held, lines), slot.hash)) {
      this.#fault(slot.index, `head ${slot.k} is not made of the log's batches and prices`);
    }
  }

  /** Checks that a batch is not post-dated, which would let the house choose its orders' entry among later ticks. */
  #checkMoment(number: number, slot: Slot): void {
    const batch = this.#accepted.get(number);
    this.#accepted.delete(number);
    const newest = [...this.#newest.values()].reduce(maxOf, 0n);
    if (batch === undefined || newest === 0n || batch.at <= newest + ACCEPTED_WITHIN_MS) return;
    const late = `${batch.at - newest} ms after the newest price before head ${slot.k}`;
    this.#fault(batch.index, `batch ${number} was accepted ${late}`);
  }

  #checkAllTicksBound(): void {
    for (const symbol of this.#book.symbols()) {
      const due = this.#following.get(symbol) ?? 0n;
      // A minute's heads are written before its prices, so a price that is in no head was left out.
      const open = this.#book.ticks(symbol).find((tick) => tick.seq >= due && tick.time > 0n);
      if (open === undefined) continue;
      this.#fault(null, `tick ${open.seq} of ${symbol} and what came after it stand in no head`);
      return;
    }
  }

  /** Reports batches that no head binds. A batch may be unbound only until the next tick. */
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

/** Returns the ticks of the entry's head at `place`, and advances each symbol's first tick past them. */
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

/** Calculates the batch root that the house signed. */
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

/** Returns `count` ticks from number `first` on; null unless all are there. Relies on tick numbers having no gaps. */
function ticksFrom(ticks: readonly Tick[], first: bigint, count: number): readonly Tick[] | null {
  const start = ticks[0] === undefined ? -1 : Number(first - ticks[0].seq);
  const found = start < 0 ? [] : ticks.slice(start, start + count);
  return found.length === count && found[0]?.seq === first ? found : null;
}
