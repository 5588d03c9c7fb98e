import type { Clock, Instant } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/** The database's time as the market may use it: never ahead of it, so that no tick is stored before it is due. */
export interface MarketClock {
  now(): Instant;
  /** Milliseconds until that moment, for a timer; 0 when it has come. */
  msUntil(at: Instant): number;
  /** Asks the database again. */
  measure(): Promise<void>;
  /** This machine's clock minus the database's, in ms: beyond 250 either way orders must not be taken. */
  skewMs(): number;
}

export const SKEW_MAX_MS = 250;
const SAMPLES = 8;

/**
 * Each answer bounds the database's time from below: it was read before the answer came. Of the last samples the
 * highest bound is kept. Samples age out, so a clock that is set back is followed within a minute.
 */
export async function openMarketClock(database: Queryable, clock: Clock): Promise<MarketClock> {
  /** Database time minus elapsed time, ms. */
  const bounds: number[] = [];
  let bound = 0;
  let skew = 0;

  async function measure(): Promise<void> {
    const askedAt = clock.elapsedMs();
    const [row] = await database.query<{ ms: number }>(
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms",
    );
    const answeredAt = clock.elapsedMs();
    if (!row) return;
    bounds.push(row.ms - answeredAt);
    if (bounds.length > SAMPLES) bounds.shift();
    bound = Math.max(...bounds);
    skew = Number(clock.now()) - (row.ms + (answeredAt - askedAt) / 2);
  }

  await measure();
  return {
    now: () => BigInt(Math.floor(bound + clock.elapsedMs())) as Instant,
    msUntil: (at) => Math.max(0, Number(at) - (bound + clock.elapsedMs())),
    measure,
    skewMs: () => Math.round(skew),
  };
}
