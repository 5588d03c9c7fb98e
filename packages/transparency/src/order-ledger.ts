import {
  ENTRY_WINDOW_MS,
  expiryOf,
  REVEAL_WITHIN_MS,
  SETTLE_WITHIN_MS,
  settlementDueAt,
  type EntryTerms,
  type Hashes,
  type Instant,
  type Points,
  type Tick,
} from "@fairtick/domain";
import type { BoardReveal } from "./board.ts";
import { createBoardLedger } from "./board-ledger.ts";
import { createConfigBook } from "./config-book.ts";
import { decideOrder, SILENCE_MS, type Decided } from "./decide-order.ts";
import type { LogEntryOf } from "./log-entry.ts";
import type { SettledOrder } from "./order-entry.ts";
import { opensCommitment } from "./settled-opening.ts";
import { faultAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";
import type { IncidentLedger } from "./incident-ledger.ts";
import { stretchOf, type VoidLedger } from "./void-ledger.ts";
import type { LogReader } from "./tile-tree.ts";

/** An acceptance has to be in the log before any entry whose moment is later than this after it. */
const LATE_ACCEPTANCE_MS = 30_000n;
/** The longest duration and the entry window, and ten minutes more for an order that is being settled. */
const SETTLED_WITHIN_MS = 3_600_000n + 10_000n + 600_000n;
/** The parts of a house that a settlement needs. */
const PAUSES = ["house", "prices", "settlement"] as const;

interface Batch {
  readonly index: number;
  readonly version: 1 | 2;
  readonly acceptedAt: Instant;
  readonly commitments: Uint8Array;
  readonly settled: Uint8Array;
  /** How many orders are not settled, and how many of those are not sealed. */
  left: number;
  open: number;
}

interface Waiting {
  readonly index: number;
  readonly order: SettledOrder;
  readonly staleExitMs: bigint;
  readonly settledAt: Instant;
}

/** Checks acceptances and settlements: it decides every settlement again on the prices of the log. */
export interface OrderLedger {
  config(index: number, entry: LogEntryOf<"config">, latest: bigint): Promise<void>;
  accept(index: number, entry: LogEntryOf<"orders.accept">, latest: bigint): void;
  settle(index: number, entry: LogEntryOf<"orders.settle">): Promise<void>;
  /** To be called when the price book has got a minute: decides what was waiting for it. */
  pricesAdded(symbol: string): void;
  /** Decides what waited for a price that never came; reports what was accepted long ago and never settled. */
  finish(latest: bigint): void;
  /** Answers the moment before which prices are needed no more, except for orders that are settled late. */
  neededFrom(latest: bigint): bigint | null;
  /** Answers the figure of the configuration in force then; null where it has no rules for the symbol. */
  staleExitMs(symbol: string, at: Instant): bigint | null;
  counts(): { readonly accepted: number; readonly refused: number; readonly settled: number; readonly waiting: number };
}

export interface OrderLedgerParts {
  readonly hashes: Hashes;
  readonly reader: LogReader;
  readonly report: Report;
  readonly book: PriceBook;
  readonly incidents: IncidentLedger;
  readonly voids: VoidLedger;
  /** The reveals on witnesses' boards. */
  readonly reveals: readonly BoardReveal[];
}

export function createOrderLedger(parts: OrderLedgerParts): OrderLedger {
  const { hashes, reader, report, book, incidents, voids } = parts;
  const boards = createBoardLedger(hashes, parts.reveals);
  const configs = createConfigBook(hashes, reader, report);
  const batches = new Map<number, Batch>();
  /** Numbers of batches that hold nothing but refusals. */
  const refusedOnly = new Set<number>();
  const waiting = new Map<string, Waiting[]>();
  let [accepted, refused, settled] = [0, 0, 0];

  /** Reads prices again that were forgotten meanwhile: an order may be revealed a week after its expiry. */
  async function decideLate(one: Waiting): Promise<void> {
    const { index, order } = one;
    const end = (order.acceptedAt + ENTRY_WINDOW_MS + BigInt(order.duration) * 1_000n) as Instant;
    const ticks = await book.readAgain(order.symbol, order.acceptedAt, end);
    if (ticks === null || decide(one, end + SILENCE_MS + 1n, ticks) === "waiting")
      faultAt(report, "settlements", index, `${nameOf(order)}: its prices are not there any more`);
  }

  /** Checks that an order was settled in time, or that an incident explains why not: a late house knows the result already. */
  function checkPunctual(index: number, order: SettledOrder, decided: Decided, settledAt: Instant): void {
    const agreed = { acceptedAt: order.acceptedAt, durationSeconds: order.duration };
    const dueAt = settlementDueAt(agreed, decided, order.opening?.revealedAt ?? null);
    if (settledAt <= dueAt + SETTLE_WITHIN_MS || !incidents.isBound(index)) return;
    if (settledAt <= incidents.dueAt(dueAt, index, PAUSES, SETTLE_WITHIN_MS) + SETTLE_WITHIN_MS) return;
    const what = `${nameOf(order)} was settled ${settledAt - dueAt} ms after it was due, and no incident says why`;
    faultAt(report, "settlements", index, what);
  }

  function decide(
    { index, order, staleExitMs, settledAt }: Waiting,
    toldThrough: bigint | null = null,
    ticks: readonly Tick[] = book.ticks(order.symbol),
  ): "done" | "waiting" {
    const terms: EntryTerms = {
      acceptedAt: order.acceptedAt,
      direction: order.direction,
      limitPrice: order.limitPrice as Points | null,
      durationSeconds: order.duration,
    };
    const decision = decideOrder(terms, staleExitMs, ticks, toldThrough);
    if (decision.state === "waiting") return "waiting";
    settled += 1;
    if (decision.state === "gap") {
      faultAt(report, "settlements", index, `${nameOf(order)}: a price beside its ${decision.beside} is missing`);
      return "done";
    }
    const { entry, exit, outcome, voidReason } = decision.decided;
    const revealBy = entry === null ? 0n : expiryOf(entry, order.duration) + REVEAL_WITHIN_MS;
    if (order.outcome === "unrevealed" && settledAt < revealBy)
      faultAt(
        report,
        "settlements",
        index,
        `${nameOf(order)} counts as unrevealed, and may be revealed until ${revealBy}`,
      );
    const posted = order.outcome === "unrevealed" ? boards.find(order, settledAt, revealBy) : null;
    if (posted !== null) faultAt(report, "settlements", index, `${nameOf(order)} counts as unrevealed; ${posted}`);
    checkPunctual(index, order, decision.decided, settledAt);
    const stretch = stretchOf(decision.decided, order.acceptedAt, staleExitMs, ticks);
    if (stretch !== null) voids.add(index, { name: nameOf(order), symbol: order.symbol, ...stretch });
    const right = `${voidReason ?? outcome} on ticks ${entry?.seq ?? "none"} and ${exit?.seq ?? "none"}`;
    const given = `${order.voidReason ?? order.outcome} on ticks ${order.entrySeq ?? "none"} and ${order.exitSeq ?? "none"}`;
    if (right !== given)
      faultAt(report, "settlements", index, `${nameOf(order)} was settled as ${given}; right is ${right}`);
    return "done";
  }

  /** Answers the batch that the order is from, if it can be settled there; otherwise what is wrong has been reported. */
  function take(index: number, order: SettledOrder): void {
    const batch = batches.get(order.batch);
    if (batch === undefined) {
      faultAt(report, "settlements", index, `${nameOf(order)} was never accepted`);
      return;
    }
    if (batch.settled[order.place] === undefined || batch.acceptedAt !== order.acceptedAt) {
      faultAt(report, "settlements", index, `${nameOf(order)} is not what its batch holds`);
    } else if (batch.settled[order.place] === 1) {
      faultAt(report, "settlements", index, `${nameOf(order)} is settled twice`);
    } else if (!isAgreed(hashes, batch, order)) {
      faultAt(report, "settlements", index, `${nameOf(order)} was settled on other terms than its batch binds`);
    } else {
      batch.settled[order.place] = 1;
      batch.left -= 1;
      if ((order.opening?.seal ?? null) === null) batch.open -= 1;
    }
    if (batch.left === 0) batches.delete(order.batch);
  }

  return {
    config: (index, entry, latest) => configs.add(index, entry, latest),
    accept(index, entry, latest) {
      const count = entry.commitments.length / 32;
      if (batches.has(entry.batch) || refusedOnly.has(entry.batch))
        faultAt(report, "acceptances", index, `batch ${entry.batch} stands twice`);
      if (latest > entry.acceptedAt + LATE_ACCEPTANCE_MS) {
        faultAt(report, "acceptances", index, `batch ${entry.batch} was written ${latest - entry.acceptedAt} ms late`);
      }
      configs.checkNamed(index, entry);
      accepted += count;
      for (const each of entry.reasons.values()) refused += each;
      if (count === 0) {
        refusedOnly.add(entry.batch);
        return;
      }
      const { acceptedAt, commitments, open, v: version } = entry;
      const settledPlaces = new Uint8Array(count);
      batches.set(entry.batch, { index, version, acceptedAt, commitments, settled: settledPlaces, left: count, open });
    },
    async settle(index, entry) {
      for (const order of entry.orders) {
        take(index, order);
        const rules = configs.rulesAt(order.symbol, order.acceptedAt);
        if (rules === null) {
          faultAt(report, "settlements", index, `${nameOf(order)}: no configuration has rules for it`);
          continue;
        }
        const one = { index, order, staleExitMs: rules.staleExitMs, settledAt: entry.settledAt };
        if (order.acceptedAt + SETTLED_WITHIN_MS < entry.settledAt) {
          await decideLate(one);
          continue;
        }
        if (decide(one) === "done") continue;
        const queue = waiting.get(order.symbol);
        if (queue === undefined) waiting.set(order.symbol, [one]);
        else queue.push(one);
      }
    },
    pricesAdded(symbol) {
      const queue = waiting.get(symbol);
      if (queue === undefined) return;
      waiting.set(
        symbol,
        queue.filter((each) => decide(each) === "waiting"),
      );
    },
    finish(latest) {
      for (const [symbol, queue] of waiting) {
        waiting.set(
          symbol,
          queue.filter((each) => decide(each, latest) === "waiting"),
        );
      }
      for (const [number, batch] of batches) {
        const missing = missingOf(batch, latest);
        if (missing === 0) continue;
        faultAt(report, "settlements", batch.index, `${missing} of batch ${number} were accepted and never settled`);
      }
    },
    neededFrom(latest) {
      let oldest: bigint | null = null;
      for (const { acceptedAt } of batches.values()) {
        const isLate = acceptedAt + SETTLED_WITHIN_MS < latest;
        if (!isLate && (oldest === null || acceptedAt < oldest)) oldest = acceptedAt;
      }
      for (const queue of waiting.values()) {
        for (const { order } of queue) if (oldest === null || order.acceptedAt < oldest) oldest = order.acceptedAt;
      }
      return oldest;
    },
    staleExitMs: (symbol, at) => configs.rulesAt(symbol, at)?.staleExitMs ?? null,
    counts: () => ({
      accepted,
      refused,
      settled,
      waiting: [...waiting.values()].reduce((sum, queue) => sum + queue.length, 0),
    }),
  };
}

/** Counts the batch's orders that should have been settled by now. A sealed order may be revealed for a week. */
function missingOf({ acceptedAt, left, open }: Batch, latest: bigint): number {
  const due = acceptedAt + SETTLED_WITHIN_MS;
  if (due + REVEAL_WITHIN_MS < latest) return left;
  return due < latest ? open : 0;
}

/**
 * Says whether the settled terms are those that the batch binds. In a batch from before there were openings, only the
 * orders' receipts can show it.
 */
function isAgreed(hashes: Hashes, { version, commitments }: Batch, order: SettledOrder): boolean {
  if (order.opening === null || version === 1) return order.opening === null && version === 1;
  return opensCommitment(hashes, order, commitments.subarray(order.place * 32, order.place * 32 + 32));
}

function nameOf(order: SettledOrder): string {
  return `order ${order.batch}/${order.place}`;
}
