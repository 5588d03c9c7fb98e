import type { Context } from "../../platform/context.ts";
import { SKEW_MAX_MS } from "./market-clock.ts";

/** The switch by which reasons to stop taking orders are set and cleared. */
export interface AcceptanceStop {
  stop(reason: string, detail?: string): void;
  clear(reason: string): void;
}

const EVERY_MS = 1_000;
/** Longer than a takeover takes, but shorter than the ten seconds in which an order must find its entry. */
const SEALS_AGE_MS_MAX = 3_000;
/** Ticks and seals are never stored before their time. One this far ahead means that the database's clock was set back. */
const AHEAD_MS_MAX = 1_000;

/**
 * Watches the market from the process that takes orders. Stops acceptance while this machine's clock and the database's are
 * more than 250 ms apart, while the newest tick or seal is ahead of the database's time, and while no seal moves, which means
 * that the market's writer is gone.
 */
export function startMarketWatch(
  context: Pick<Context, "databases" | "clock" | "log">,
  acceptance: AcceptanceStop,
): { stop(): Promise<void> } {
  const { databases, clock, log } = context;
  let running: Promise<void> | undefined;

  async function look(): Promise<void> {
    const askedAt = clock.elapsedMs();
    const [row] = await databases.reader.query<{ now: number; sealed: bigint | null; newest: bigint | null }>(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
         (SELECT min(sealed_through) FROM instrument_clock) AS sealed,
         (SELECT max(greatest(sealed_through, time)) FROM instrument_clock) AS newest`,
    );
    const tookMs = clock.elapsedMs() - askedAt;
    if (!row) return;
    // The round trip makes the skew uncertain by half its length, so a slow answer says nothing.
    const skewMs = Math.round(Number(clock.now()) - tookMs / 2 - row.now);
    const aheadMs = row.newest === null ? 0 : Number(row.newest) - row.now;
    if (aheadMs > AHEAD_MS_MAX)
      acceptance.stop("clock", `the market is ${Math.round(aheadMs)} ms ahead of the database's`);
    else if (Math.abs(skewMs) - tookMs / 2 > SKEW_MAX_MS) acceptance.stop("clock", `${skewMs} ms off the database's`);
    else if (Math.abs(skewMs) + tookMs / 2 <= SKEW_MAX_MS) acceptance.clear("clock");
    const ageMs = row.sealed === null ? Number.POSITIVE_INFINITY : row.now - Number(row.sealed);
    if (ageMs > SEALS_AGE_MS_MAX || ageMs < -AHEAD_MS_MAX)
      acceptance.stop("market", "no seal has moved for three seconds");
    else acceptance.clear("market");
  }

  const timer = setInterval(() => {
    running ??= look()
      .catch((error: unknown) => {
        log.warn({ err: error }, "the market's state could not be read");
      })
      .finally(() => (running = undefined));
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
