import { type Instant, SM1_EPOCH_MS } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { readParamsEntry } from "./sm1-params.ts";

/** An epoch of the simulated market that is committed or opened, but not revealed. */
export interface Upcoming {
  /** Null until the epoch is opened. */
  readonly startAt: Instant | null;
  readonly symbols: ReadonlySet<string>;
}

/** Reads all upcoming epochs in order. */
export async function readUpcoming(database: Queryable): Promise<readonly Upcoming[]> {
  const rows = await database.query<{ start_at: Instant | null; entry: string }>(
    "SELECT start_at, entry FROM sm1_epochs JOIN sm1_params USING (params_hash) WHERE seed IS NULL ORDER BY epoch",
  );
  return rows.map(({ start_at: startAt, entry }) => ({
    startAt,
    symbols: new Set(readParamsEntry(entry).instruments.map(({ symbol }) => symbol)),
  }));
}

/**
 * Returns when an instrument's first simulated price is due: at the start of the first epoch whose params list it, since each
 * epoch directly follows the one before. If none lists it yet, the next epoch to be committed will. Null while the market
 * stands still and the time is unknown.
 */
export function firstPriceAt(upcoming: readonly Upcoming[], symbol: string, now: Instant): Instant | null {
  let end: Instant | null = null;
  for (const { startAt, symbols } of upcoming) {
    const start: Instant | null = startAt ?? end;
    if (start === null) return null;
    if (symbols.has(symbol)) return start > now ? start : null;
    end = (start + SM1_EPOCH_MS) as Instant;
  }
  return end !== null && end > now ? end : null;
}
