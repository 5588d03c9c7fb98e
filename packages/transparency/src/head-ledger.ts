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
import { createBoundBatches } from "./bound-batches.ts";
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
  const roots = new Map<number, Uint8Array>();
  /** Batches with orders, until their head was made again. */
  const accepted = new Map<number, { readonly index: number; readonly at: Instant }>();
  /** Time of the newest tick of the heads that were made again. */
  let newestTick = 0n;
  const bound = createBoundBatches(report);
  /** Batches that no head named yet, with their times. */
  const unbound = new Map<number, Instant>();
  /** Of each symbol the tick that the next head has to begin with. */
  const following = new Map<string, bigint>();
  let queue: Slot[] = [];
  let next = 1;
  let last: { readonly hash: Uint8Array; readonly through: number } = { hash: FIRST_SLOT_HEAD, through: 0 };
  let made = 0;
  /** Of all heads that say until when their prices come. */
  let furthest = { index: 0, time: 0n };

  /** Null: not all there yet. */
  function linesOf(slot: Slot): string | null {
    const lines: string[] = [];
    for (const [symbol, first, count] of slot.ticks) {
      const ticks = ticksFrom(book.ticks(symbol), first, count);
      if (ticks === null) return null;
      for (const tick of ticks) lines.push(slotLine(symbol, tick));
    }
    return lines.join("\n");
  }

  function check(slot: Slot, lines: string): void {
    const before = last;
    last = { hash: slot.hash, through: slot.through };
    const numbers = [...roots.keys()].filter((number) => number <= slot.through).sort((left, right) => left - right);
    const held = numbers.flatMap((number) => roots.get(number) ?? []);
    for (const number of numbers) {
      roots.delete(number);
      checkMoment(number, slot);
    }
    for (const [symbol, first, count] of slot.ticks) {
      for (const { time } of ticksFrom(book.ticks(symbol), first, count) ?? []) newestTick = maxOf(newestTick, time);
    }
    made += 1;
    if (!equalBytes(slotHead(hashes, before.hash, held, lines), slot.hash)) {
      faultAt(report, "heads", slot.index, `head ${slot.k} is not made of the log's batches and prices`);
    }
  }

  /** Said to be later than it was, an order would get an entry that its house chose among those to come. */
  function checkMoment(number: number, slot: Slot): void {
    const batch = accepted.get(number);
    accepted.delete(number);
    if (batch === undefined || newestTick === 0n || batch.at <= newestTick + ACCEPTED_WITHIN_MS) return;
    const late = batch.at - newestTick;
    faultAt(
      report,
      "heads",
      batch.index,
      `batch ${number} was accepted ${late} ms after the newest price before head ${slot.k}`,
    );
  }

  function advance(): void {
    let done = 0;
    for (const slot of queue) {
      const lines = linesOf(slot);
      if (lines === null) break;
      check(slot, lines);
      done += 1;
    }
    if (done > 0) queue = queue.slice(done);
  }

  return {
    accept(index, entry) {
      const told = queue.at(-1)?.through ?? last.through;
      if (entry.batch <= told) {
        faultAt(report, "heads", index, `batch ${entry.batch} stands behind a head that binds all up to ${told}`);
      }
      unbound.set(entry.batch, entry.acceptedAt);
      if (entry.v === 2 && entry.commitments.length > 0) accepted.set(entry.batch, { index, at: entry.acceptedAt });
      bound.accept(entry);
      roots.set(entry.batch, rootOf(hashes, entry));
    },
    add(index, entry) {
      if (entry.from !== next) faultAt(report, "heads", index, `head ${entry.from} follows ${next - 1}`);
      next = entry.to + 1;
      if (entry.time !== undefined && entry.time > furthest.time) furthest = { index, time: entry.time };
      const symbols = [...entry.ticks].sort(([left], [right]) => (left < right ? -1 : 1));
      const firsts = new Map(symbols.map(([symbol, [first = 0]]) => [symbol, BigInt(first)]));
      for (const [symbol, first] of firsts) {
        const due = following.get(symbol);
        if (due !== undefined && first !== due) {
          faultAt(
            report,
            "heads",
            index,
            `head ${entry.from} goes on with tick ${first} of ${symbol}, not with ${due}`,
          );
        }
      }
      for (const [place, hash] of entry.heads.entries()) {
        bound.bind(entry.batches[place] ?? 0, () => new Map([...following, ...firsts]));
        const ticks = symbols.flatMap(([symbol, counts]) => {
          const count = counts[place + 1] ?? 0;
          const first = firsts.get(symbol) ?? 0n;
          firsts.set(symbol, first + BigInt(count));
          return count === 0 ? [] : [[symbol, first, count] as const];
        });
        queue.push({
          index,
          k: entry.from + place,
          hash,
          through: entry.batches[place] ?? 0,
          ticks,
          owed: entry.time === undefined ? null : entry.time + PRICES_WITHIN_MS,
        });
      }
      for (const [symbol, first] of firsts) following.set(symbol, first);
      const through = entry.batches.at(-1) ?? 0;
      for (const number of unbound.keys()) if (number <= through) unbound.delete(number);
      advance();
    },
    settle: (index, order) => bound.settle(index, order),
    tell(moment) {
      for (let place = queue.length - 1; place >= 0; place -= 1) {
        const slot = queue[place];
        if (slot === undefined || slot.owed !== null) break;
        slot.owed = moment + UNTIMED_PRICES_WITHIN_MS;
      }
    },
    pricesAdded: advance,
    finish(latest, at) {
      const [first] = queue;
      if (first !== undefined && first.owed !== null && maxOf(latest, at) > first.owed) {
        faultAt(report, "heads", first.index, `head ${first.k} names prices that the log does not have`);
      }
      if (at > 0n && furthest.time > maxOf(latest, at) + AHEAD_MS) {
        faultAt(report, "heads", furthest.index, `its prices are put off until ${furthest.time}`);
      }
      let [newest, isLeftOut] = [0n, false];
      for (const symbol of book.symbols()) {
        const due = following.get(symbol) ?? 0n;
        const ticks = book.ticks(symbol);
        newest = maxOf(newest, ticks.at(-1)?.time ?? 0n);
        const open = ticks.find((tick) => tick.seq >= due && tick.time > 0n);
        // A minute's heads are written before its prices.
        if (isLeftOut || open === undefined) continue;
        isLeftOut = true;
        faultAt(report, "heads", null, `tick ${open.seq} of ${symbol} and what came after it stand in no head`);
      }
      // A batch is bound by the next tick: as long as there is none, none can bind it.
      for (const [number, acceptedAt] of unbound) {
        if (acceptedAt + BOUND_WITHIN_MS >= newest) continue;
        faultAt(report, "heads", null, `batch ${number} and those after it are bound by no head`);
        return;
      }
    },
    count: () => made,
  };
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
