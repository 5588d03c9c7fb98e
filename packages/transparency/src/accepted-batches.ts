import { REVEAL_WITHIN_MS, type Hashes, type Instant } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import { nameOfOrder, type SettledOrder } from "./order-entry.ts";
import { opensCommitment } from "./settled-opening.ts";

/**
 * Time within which an order must be settled, ms: the longest duration, the entry window, and ten minutes to settle it.
 */
export const SETTLED_WITHIN_MS = 3_600_000n + 10_000n + 600_000n;

interface Batch {
  readonly index: number;
  readonly version: 1 | 2;
  readonly acceptedAt: Instant;
  readonly commitments: Uint8Array;
  readonly settled: Uint8Array;
  /** Number of orders that aren't settled yet, and of those among them that aren't sealed. */
  left: number;
  open: number;
}

/** Keeps the log's batches until all their orders are settled, each once and on the terms that were accepted. */
export interface AcceptedBatches {
  /** Adds a batch. Reports a fault if its number was used before. */
  add(index: number, entry: LogEntryOf<"orders.accept">): void;
  /** Marks an order as settled. Reports a fault if no batch binds it on these terms, or if it was settled before. */
  settle(index: number, order: SettledOrder): void;
  /**
   * Reports a fault for each batch with orders that should have been settled by `latest`, the newest moment of the log.
   */
  finish(latest: bigint): void;
  /** Returns when the oldest batch was accepted whose orders can still be settled in time; null if there is none. */
  oldestDue(latest: bigint): Instant | null;
}

export function createAcceptedBatches(hashes: Hashes, report: Report): AcceptedBatches {
  return new UnsettledBatches(hashes, report);
}

class UnsettledBatches implements AcceptedBatches {
  readonly #hashes: Hashes;
  readonly #report: Report;
  readonly #batches = new Map<number, Batch>();
  /** Numbers of batches that hold nothing but refusals. */
  readonly #refusedOnly = new Set<number>();

  constructor(hashes: Hashes, report: Report) {
    this.#hashes = hashes;
    this.#report = report;
  }

  add(index: number, entry: LogEntryOf<"orders.accept">): void {
    if (this.#batches.has(entry.batch) || this.#refusedOnly.has(entry.batch))
      faultAt(this.#report, "acceptances", index, `batch ${entry.batch} stands twice`);
    const left = entry.commitments.length / 32;
    if (left === 0) {
      this.#refusedOnly.add(entry.batch);
      return;
    }
    const { acceptedAt, commitments, open, v: version } = entry;
    const settled = new Uint8Array(left);
    this.#batches.set(entry.batch, { index, version, acceptedAt, commitments, settled, left, open });
  }

  settle(index: number, order: SettledOrder): void {
    const batch = this.#batches.get(order.batch);
    if (batch === undefined) {
      this.#fault(index, `${nameOfOrder(order)} was never accepted`);
      return;
    }
    if (batch.settled[order.place] === undefined || batch.acceptedAt !== order.acceptedAt) {
      this.#fault(index, `${nameOfOrder(order)} is not what its batch holds`);
    } else if (batch.settled[order.place] === 1) {
      this.#fault(index, `${nameOfOrder(order)} is settled twice`);
    } else if (!isAgreed(this.#hashes, batch, order)) {
      this.#fault(index, `${nameOfOrder(order)} was settled on other terms than its batch binds`);
    } else {
      batch.settled[order.place] = 1;
      batch.left -= 1;
      if ((order.opening?.seal ?? null) === null) batch.open -= 1;
    }
    if (batch.left === 0) this.#batches.delete(order.batch);
  }

  finish(latest: bigint): void {
    for (const [number, batch] of this.#batches) {
      const missing = missingOf(batch, latest);
      if (missing === 0) continue;
      this.#fault(batch.index, `${missing} of batch ${number} were accepted and never settled`);
    }
  }

  oldestDue(latest: bigint): Instant | null {
    let oldest: Instant | null = null;
    for (const { acceptedAt } of this.#batches.values()) {
      const isLate = acceptedAt + SETTLED_WITHIN_MS < latest;
      if (!isLate && (oldest === null || acceptedAt < oldest)) oldest = acceptedAt;
    }
    return oldest;
  }

  #fault(index: number, what: string): void {
    faultAt(this.#report, "settlements", index, what);
  }
}

/** Counts the batch's orders that should have been settled by `latest`. A sealed order can be revealed for a week. */
function missingOf({ acceptedAt, left, open }: Batch, latest: bigint): number {
  const due = acceptedAt + SETTLED_WITHIN_MS;
  if (due + REVEAL_WITHIN_MS < latest) return left;
  return due < latest ? open : 0;
}

/**
 * Returns whether the settled terms are those that the batch binds. Batches of version 1 have no openings; for them
 * only the orders' receipts can show it.
 */
function isAgreed(hashes: Hashes, { version, commitments }: Batch, order: SettledOrder): boolean {
  if (order.opening === null || version === 1) return order.opening === null && version === 1;
  return opensCommitment(hashes, order, commitments.subarray(order.place * 32, order.place * 32 + 32));
}
