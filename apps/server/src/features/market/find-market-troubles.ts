import { type Instant, isOpenAt, SM1_EPOCH_MS, type TradingConfig } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { firstPriceAt, readUpcoming } from "./first-price.ts";

/** Orders are refused once a price is two seconds old; a source that is away for longer than this is worth a person's look. */
const DRY_MS = 5_000n;
/** A reveal follows the end of its epoch within seconds. */
const REVEAL_MS_MAX = 60_000;
/** A skipped epoch is told of for a day: nothing makes it up. */
const TOLD_MS = 86_400_000;

/** Open instruments without a fresh price, and whether that is all of them. */
export interface DryInstruments {
  readonly cause: string | undefined;
  readonly isAll: boolean;
}

/**
 * Finds the instruments whose market is open and whose newest price is missing or old. One that was added and waits for its first
 * epoch is none of them: members read when it opens.
 */
export async function findDryInstruments(
  database: Queryable,
  { instruments }: TradingConfig,
  now: Instant,
): Promise<DryInstruments> {
  const rows = await database.query<{ symbol: string; time: bigint }>(
    "SELECT symbol, time FROM instrument_clock WHERE seq > 0",
  );
  const newest = new Map(rows.map(({ symbol, time }) => [symbol, time]));
  const open = instruments.filter((terms) => !terms.suspended && isOpenAt(terms, now));
  const fresh = open.filter(({ symbol, prices }) => prices?.source === "simulated" && !newest.has(symbol));
  const upcoming = fresh.length === 0 ? [] : await readUpcoming(database);
  const waiting = new Set(
    fresh.map(({ symbol }) => symbol).filter((symbol) => firstPriceAt(upcoming, symbol, now) !== null),
  );
  const due = open.filter(({ symbol }) => !waiting.has(symbol));
  const dry = due.filter(({ symbol }) => now - (newest.get(symbol) ?? 0n) > DRY_MS).map(({ symbol }) => symbol);
  if (dry.length === 0) return { cause: undefined, isAll: false };
  const isAll = dry.length === due.length;
  const which = isAll ? "any instrument" : dry.join(", ");
  return { cause: `no price of ${which} for more than 5 s: orders are refused there`, isAll };
}

/** Epochs of the simulated market that break what was committed to: skipped, or ended and not revealed. */
export async function findBrokenEpochs(database: Queryable): Promise<string | undefined> {
  const rows = await database.query<{ epoch: bigint; skipped: boolean }>(
    `WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)
     SELECT e.epoch, e.start_at IS NULL AS skipped FROM sm1_epochs e, clock
     WHERE CASE WHEN e.start_at IS NULL
         THEN EXISTS (SELECT FROM sm1_epochs n WHERE n.epoch > e.epoch AND n.start_at > clock.now - $3::bigint)
         ELSE e.seed IS NULL AND e.start_at + $1::bigint + $2::bigint < clock.now AND e.start_at > clock.now - $3::bigint END
     ORDER BY e.epoch LIMIT 3`,
    [SM1_EPOCH_MS, REVEAL_MS_MAX, TOLD_MS],
  );
  if (rows.length === 0) return undefined;
  return rows
    .map(({ epoch, skipped }) =>
      skipped
        ? `epoch ${epoch} of the simulated market was committed to and skipped: its seed is lost, and verifiers report it`
        : `epoch ${epoch} of the simulated market ended and its seed is not revealed: nobody can check its prices`,
    )
    .join("; ");
}
