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
import { createAcceptedBatches, SETTLED_WITHIN_MS, type AcceptedBatches } from "./accepted-batches.ts";
import type { BoardReveal } from "./board.ts";
import { createBoardLedger, type BoardLedger } from "./board-ledger.ts";
import { createConfigBook, type ConfigBook } from "./config-book.ts";
import { decideOrder, SILENCE_MS, type Decided } from "./decide-order.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { nameOfOrder, type SettledOrder } from "./order-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";
import type { IncidentLedger } from "./incident-ledger.ts";
import { stretchOf, type VoidLedger } from "./void-ledger.ts";
import type { LogReader } from "./tile-tree.ts";

/**
 * How late a batch or its settlements may enter the log, ms: no entry before them may have a moment more than this after
 * `acceptedAt` or `settledAt`.
 */
const LATE_ENTRY_MS = 30_000n;
/** Parts of the house whose incidents excuse a late settlement. */
const PAUSES = ["house", "prices", "settlement"] as const;

/** A settled order that must be decided again. */
interface Settlement {
  readonly index: number;
  readonly order: SettledOrder;
  readonly staleExitMs: bigint;
  readonly settledAt: Instant;
}

/** Checks acceptances and settlements. It decides every settled order again from the log's prices. */
export interface OrderLedger {
  config(index: number, entry: LogEntryOf<"config">, latest: bigint): Promise<void>;
  accept(index: number, entry: LogEntryOf<"orders.accept">, latest: bigint): void;
  settle(index: number, entry: LogEntryOf<"orders.settle">, latest: bigint): Promise<void>;
  /** Called after a minute was added to the price book; decides the orders that were waiting for it. */
  pricesAdded(symbol: string): void;
  /** Decides orders that waited for a price that never came, and reports accepted orders that were never settled. */
  finish(latest: bigint): void;
  /** Returns the moment before which prices are no longer needed, late settlements aside; null if there is none. */
  neededFrom(latest: bigint): bigint | null;
  /** Returns `staleExitMs` of the configuration in force at `at`; null if it has no rules for the symbol. */
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
  return new LoggedOrders(parts);
}

class LoggedOrders implements OrderLedger {
  readonly #parts: OrderLedgerParts;
  readonly #boards: BoardLedger;
  readonly #configs: ConfigBook;
  readonly #batches: AcceptedBatches;
  /** Settlements that wait for a price, by symbol. */
  readonly #waiting = new Map<string, Settlement[]>();
  #accepted = 0;
  #refused = 0;
  #settled = 0;

  constructor(parts: OrderLedgerParts) {
    const { hashes, reader, report } = parts;
    this.#parts = parts;
    this.#boards = createBoardLedger(hashes, parts.reveals);
    this.#configs = createConfigBook(hashes, reader, report);
    this.#batches = createAcceptedBatches(hashes, report);
  }

  config(index: number, entry: LogEntryOf<"config">, latest: bigint): Promise<void> {
    return this.#configs.add(index, entry, latest);
  }

  accept(index: number, entry: LogEntryOf<"orders.accept">, latest: bigint): void {
    this.#batches.add(index, entry);
    if (latest > entry.acceptedAt + LATE_ENTRY_MS) {
      const late = latest - entry.acceptedAt;
      faultAt(this.#parts.report, "acceptances", index, `batch ${entry.batch} was written ${late} ms late`);
    }
    this.#configs.checkNamed(index, entry);
    this.#accepted += entry.commitments.length / 32;
    for (const each of entry.reasons.values()) this.#refused += each;
  }

  async settle(index: number, entry: LogEntryOf<"orders.settle">, latest: bigint): Promise<void> {
    // Otherwise a settlement could be held back for days and dated to when it was due.
    if (latest > entry.settledAt + LATE_ENTRY_MS)
      this.#fault(index, `the settlements of ${entry.settledAt} were written ${latest - entry.settledAt} ms late`);
    for (const order of entry.orders) {
      this.#batches.settle(index, order);
      const rules = this.#configs.rulesAt(order.symbol, order.acceptedAt);
      if (rules === null) {
        this.#fault(index, `${nameOfOrder(order)}: no configuration has rules for it`);
        continue;
      }
      const one = { index, order, staleExitMs: rules.staleExitMs, settledAt: entry.settledAt };
      if (order.acceptedAt + SETTLED_WITHIN_MS < entry.settledAt) await this.#decideLate(one);
      else if (this.#decide(one) === "waiting") this.#wait(one);
    }
  }

  pricesAdded(symbol: string): void {
    const queue = this.#waiting.get(symbol);
    if (queue === undefined) return;
    this.#waiting.set(
      symbol,
      queue.filter((each) => this.#decide(each) === "waiting"),
    );
  }

  finish(latest: bigint): void {
    for (const [symbol, queue] of this.#waiting) {
      this.#waiting.set(
        symbol,
        queue.filter((each) => this.#decide(each, latest) === "waiting"),
      );
    }
    this.#batches.finish(latest);
  }

  neededFrom(latest: bigint): bigint | null {
    let oldest: bigint | null = this.#batches.oldestDue(latest);
    for (const queue of this.#waiting.values()) {
      for (const { order } of queue) if (oldest === null || order.acceptedAt < oldest) oldest = order.acceptedAt;
    }
    return oldest;
  }

  staleExitMs(symbol: string, at: Instant): bigint | null {
    return this.#configs.rulesAt(symbol, at)?.staleExitMs ?? null;
  }

  counts(): ReturnType<OrderLedger["counts"]> {
    return {
      accepted: this.#accepted,
      refused: this.#refused,
      settled: this.#settled,
      waiting: [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, 0),
    };
  }

  #wait(one: Settlement): void {
    const queue = this.#waiting.get(one.order.symbol);
    if (queue === undefined) this.#waiting.set(one.order.symbol, [one]);
    else queue.push(one);
  }

  /** Decides an order that was settled late, such as one revealed after days. Reads dropped prices again. */
  async #decideLate(one: Settlement): Promise<void> {
    const { index, order } = one;
    const end = (order.acceptedAt + ENTRY_WINDOW_MS + BigInt(order.duration) * 1_000n) as Instant;
    const ticks = await this.#parts.book.readAgain(order.symbol, order.acceptedAt, end);
    if (ticks === null || this.#decide(one, end + SILENCE_MS + 1n, ticks) === "waiting")
      this.#fault(index, `${nameOfOrder(order)}: its prices are not there any more`);
  }

  /** Decides a settled order from the log's prices and reports any difference. `waiting`: a price is still to come. */
  #decide(
    one: Settlement,
    toldThrough: bigint | null = null,
    ticks: readonly Tick[] = this.#parts.book.ticks(one.order.symbol),
  ): "done" | "waiting" {
    const { index, order, staleExitMs } = one;
    const decision = decideOrder(termsOf(order), staleExitMs, ticks, toldThrough);
    if (decision.state === "waiting") return "waiting";
    this.#settled += 1;
    if (decision.state === "gap") {
      this.#fault(index, `${nameOfOrder(order)}: a price beside its ${decision.beside} is missing`);
      return "done";
    }
    const { decided } = decision;
    if (order.outcome === "unrevealed") this.#checkUnrevealed(one, decided.entry);
    this.#checkPunctual(one, decided);
    const stretch = stretchOf(decided, order.acceptedAt, staleExitMs, ticks);
    if (stretch !== null) this.#parts.voids.add(index, { name: nameOfOrder(order), symbol: order.symbol, ...stretch });
    this.#checkResult(index, order, decided);
    return "done";
  }

  /** Checks that an unrevealed order's time to reveal was over, and that no board had its reveal by then. */
  #checkUnrevealed({ index, order, settledAt }: Settlement, entry: Tick | null): void {
    const revealBy = entry === null ? 0n : expiryOf(entry, order.duration) + REVEAL_WITHIN_MS;
    const what = `${nameOfOrder(order)} counts as unrevealed`;
    if (settledAt < revealBy) this.#fault(index, `${what}, and may be revealed until ${revealBy}`);
    const posted = this.#boards.find(order, settledAt, revealBy);
    if (posted !== null) this.#fault(index, `${what}; ${posted}`);
  }

  /** Checks that an order was settled in time, or that an incident explains the delay. */
  #checkPunctual({ index, order, settledAt }: Settlement, decided: Decided): void {
    const { incidents } = this.#parts;
    const agreed = { acceptedAt: order.acceptedAt, durationSeconds: order.duration };
    const dueAt = settlementDueAt(agreed, decided, this.#revealKnownAt(order));
    if (settledAt <= dueAt + SETTLE_WITHIN_MS || !incidents.isBound(index)) return;
    if (settledAt <= incidents.dueAt(dueAt, index, PAUSES, SETTLE_WITHIN_MS) + SETTLE_WITHIN_MS) return;
    const late = `${settledAt - dueAt} ms after it was due`;
    this.#fault(index, `${nameOfOrder(order)} was settled ${late}, and no incident says why`);
  }

  /** Returns when the house knew the reveal, ms: as it says, or earlier if a board had it. Null if it was never revealed. */
  #revealKnownAt(order: SettledOrder): bigint | null {
    const revealedAt = order.opening?.revealedAt ?? null;
    const knownBy = revealedAt === null ? null : this.#boards.knownBy(order);
    return revealedAt !== null && knownBy !== null && knownBy < revealedAt ? knownBy : revealedAt;
  }

  #checkResult(index: number, order: SettledOrder, { entry, exit, outcome, voidReason }: Decided): void {
    const right = `${voidReason ?? outcome} on ticks ${entry?.seq ?? "none"} and ${exit?.seq ?? "none"}`;
    const given = `${order.voidReason ?? order.outcome} on ticks ${order.entrySeq ?? "none"} and ${order.exitSeq ?? "none"}`;
    if (right !== given) this.#fault(index, `${nameOfOrder(order)} was settled as ${given}; right is ${right}`);
  }

  #fault(index: number, what: string): void {
    faultAt(this.#parts.report, "settlements", index, what);
  }
}

function termsOf(order: SettledOrder): EntryTerms {
  return {
    acceptedAt: order.acceptedAt,
    direction: order.direction,
    limitPrice: order.limitPrice as Points | null,
    durationSeconds: order.duration,
  };
}
