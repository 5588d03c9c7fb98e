import {
  ENTRY_WINDOW_MS,
  equalBytes,
  opensSeal,
  refusalCommitment,
  termsHash,
  termsJson,
  toHex,
  type Direction,
  type Hashes,
  type Instant,
  type Points,
} from "@fairtick/domain";
import { decideOrder } from "./decide-order.ts";
import type { LogEntry, LogEntryOf } from "./log-entry.ts";
import type { PriceBook } from "./price-book.ts";
import { count, hash, listOf, nonce, nullOr, oneOf, record, ShapeError, symbol, whole } from "./shape.ts";
import type { WinCount } from "./win-rates.ts";

/**
 * What a member publishes about a refused wish: enough to find it among the refusals of its batch and to see how the
 * order would have ended. It reveals neither the member nor their stake.
 */
export interface RefusedOpening {
  readonly batch: number;
  readonly place: number;
  readonly symbol: string;
  readonly duration: number;
  readonly direction: Direction;
  /** Points; null for none. */
  readonly limitPrice: bigint | null;
  /** Nonce that opens the terms. */
  readonly nonce: Uint8Array;
  /** Hash of the private part. */
  readonly own: Uint8Array;
  /** Null, like `sealNonce`, for a wish that wasn't sealed. */
  readonly seal: Uint8Array | null;
  readonly sealNonce: Uint8Array | null;
}

const openings = listOf(
  record({
    batch: count,
    direction: oneOf("up", "down"),
    duration: count,
    limitPrice: nullOr(whole),
    nonce,
    own: hash,
    place: count,
    seal: nullOr(hash),
    sealNonce: nullOr(hash),
    symbol,
  }),
  1_000_000,
);

/** Parses a list of openings from JSON. Throws an Error that says what is wrong. */
export function parseRefusedOpenings(text: string): readonly RefusedOpening[] {
  try {
    return openings(JSON.parse(text), "openings");
  } catch (error) {
    if (error instanceof ShapeError)
      throw new Error(`these are no openings of refusals: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Formats openings as the file that the option `--refused` reads. */
export function formatRefusedOpenings(given: readonly RefusedOpening[]): string {
  const rows = given.map(({ limitPrice, nonce: termsNonce, own, seal, sealNonce, ...told }) => ({
    ...told,
    limitPrice: limitPrice === null ? null : Number(limitPrice),
    nonce: toHex(termsNonce),
    own: toHex(own),
    seal: seal && toHex(seal),
    sealNonce: sealNonce && toHex(sealNonce),
  }));
  return `${JSON.stringify(rows, null, 2)}\n`;
}

/** Counts of opened refusals, and of how they would have ended. */
export interface OpenedRefusals extends WinCount {
  /** Number of openings that match a refusal in the log. */
  readonly found: number;
  /** Number of openings that match no refusal of their batch or don't open its seal. */
  readonly wrong: number;
}

/** Finds opened refusals in the log's batches and decides each from the log's prices. */
export interface RefusalBook {
  /** Adds an entry. Called in order, after the price book has added it. */
  add(entry: LogEntry): void;
  /** Returns the moment from which prices are still needed; null if no refusal is waiting for prices. */
  neededFrom(): Instant | null;
  counts(): OpenedRefusals;
}

interface Waiting {
  readonly opening: RefusedOpening;
  readonly at: Instant;
  readonly staleExitMs: bigint;
}

/**
 * Creates the book; null if there are no openings. `staleExitMsOf` returns the figure of the configuration in force at
 * a moment, or null if that has no rules for the symbol.
 */
export function createRefusalBook(
  hashes: Hashes,
  given: readonly RefusedOpening[],
  book: PriceBook,
  staleExitMsOf: (symbol: string, at: Instant) => bigint | null,
): RefusalBook | null {
  if (given.length === 0) return null;
  const byBatch = new Map<number, RefusedOpening[]>();
  for (const opening of given) byBatch.set(opening.batch, [...(byBatch.get(opening.batch) ?? []), opening]);
  let waiting: Waiting[] = [];
  let [right, found, won, decided] = [0, 0, 0, 0];

  function accept({ batch, acceptedAt, commitments, refusals }: LogEntryOf<"orders.accept">): void {
    const places = new Set<number>();
    for (const opened of byBatch.get(batch) ?? []) {
      const start = opened.place * 32 - commitments.length;
      const staleExitMs = staleExitMsOf(opened.symbol, acceptedAt);
      if (staleExitMs === null || !opensRefusal(hashes, opened, refusals.subarray(start, start + 32))) continue;
      right += 1;
      // A refusal counts once, however often it is listed.
      if (places.has(opened.place)) continue;
      places.add(opened.place);
      found += 1;
      waiting.push({ opening: opened, at: acceptedAt, staleExitMs });
    }
    byBatch.delete(batch);
  }

  function decide({ opening, at, staleExitMs }: Waiting): "done" | "waiting" {
    const { direction, duration } = opening;
    const limitPrice = opening.limitPrice as Points | null;
    const terms = { acceptedAt: at, direction, limitPrice, durationSeconds: duration };
    const decision = decideOrder(terms, staleExitMs, book.ticks(opening.symbol));
    if (decision.state === "waiting") return "waiting";
    const outcome = decision.state === "decided" ? decision.decided.outcome : null;
    if (outcome === "won") won += 1;
    if (outcome === "won" || outcome === "lost") decided += 1;
    return "done";
  }

  return {
    add(entry) {
      if (entry.kind === "orders.accept") accept(entry);
      if (entry.kind === "ticks")
        waiting = waiting.filter((each) => each.opening.symbol !== entry.symbol || decide(each) === "waiting");
    },
    neededFrom() {
      const oldest = waiting.reduce<Instant | null>(
        (first, { at }) => (first === null || at < first ? at : first),
        null,
      );
      return oldest === null ? null : ((oldest - ENTRY_WINDOW_MS) as Instant);
    },
    counts: () => ({ found, wrong: given.length - right, won, decided }),
  };
}

function opensRefusal(hashes: Hashes, opening: RefusedOpening, commitment: Uint8Array): boolean {
  const { symbol: name, duration, direction, seal, sealNonce, nonce: termsNonce, own } = opening;
  const limitPrice = opening.limitPrice as Points | null;
  const json = termsJson({ symbol: name, durationSeconds: duration, direction, limitPrice, seal });
  if (!equalBytes(refusalCommitment(hashes, termsHash(hashes, termsNonce, json), own), commitment)) return false;
  if (seal === null || sealNonce === null) return seal === sealNonce;
  return opensSeal(hashes, seal, sealNonce, { direction, limitPrice });
}
