import type { Clock, Instant } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/** An estimate of the database's time that is never ahead of it, so that no tick is stored before it is due. */
export interface MarketClock {
  now(): Instant;
  /** Milliseconds until that moment, for a timer; 0 if it has passed. */
  msUntil(at: Instant): number;
  /** Takes another sample of the database's time. */
  measure(): Promise<void>;
  /** This machine's clock minus the database's, in ms. Beyond 250 either way, no orders may be taken. */
  skewMs(): number;
}

export const SKEW_MAX_MS = 250;
const SAMPLES = 8;

/**
 * Opens the market's clock. Each answer of the database is a lower bound of its time, since it was read before the answer
 * arrived. The highest bound of the last samples counts. Samples age out, so a clock that is set back is followed within a
 * minute.
 */
export async function openMarketClock(database: Queryable, clock: Clock): Promise<MarketClock> {
  /** Database time minus elapsed time of each sample, in ms. */
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
