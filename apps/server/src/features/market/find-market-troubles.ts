import { type Instant, isOpenAt, SM1_EPOCH_MS, type TradingConfig } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { firstPriceAt, readUpcoming } from "./first-price.ts";

/** Report a source that is silent for longer than this. (Orders are refused sooner, once the price is two seconds old.) */
const DRY_MS = 5_000n;
/** Report an epoch that isn't revealed this long after its end. A reveal normally follows within seconds. */
const REVEAL_MS_MAX = 60_000;
/**
 * The longest gap between epochs that isn't reported: the time that a market needs if it comes back just before an
 * epoch ends. Verifiers use the same limit.
 */
const GAP_MS_MAX = 2_000;
/** How long an incident may take until it is in the log. */
const LOGGED_MS = 5_000;
/** How long a broken epoch is reported, in ms. Nothing can repair it, so the report ends after a day. */
const TOLD_MS = 86_400_000;

/** Open instruments without a fresh price, and whether these are all open instruments. */
export interface DryInstruments {
  readonly cause: string | undefined;
  readonly isAll: boolean;
}

/**
 * Finds instruments whose market is open but whose newest price is missing or old. Leaves out new instruments that wait for
 * their first epoch, since members already see when these open.
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

/** Finds epochs that verifiers will report: skipped ones, unrevealed ones, and those that began late without an incident. */
export async function findBrokenEpochs(database: Queryable): Promise<string | undefined> {
  const causes = [...(await findUnkept(database)), ...(await findLate(database))];
  return causes.length === 0 ? undefined : causes.join("; ");
}

/** Finds epochs that began after a gap without an incident in the log. */
async function findLate(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ epoch: bigint; late: bigint }>(
    `WITH ended AS (
       SELECT epoch + 1 AS epoch, start_at + $1::bigint AS at FROM sm1_epochs
       WHERE start_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $3::bigint - $1::bigint)
     SELECT n.epoch, n.start_at - e.at AS late FROM ended e JOIN sm1_epochs n USING (epoch)
     WHERE n.start_at > e.at + $2::bigint AND n.start_at + $4::bigint < extract(epoch FROM clock_timestamp()) * 1000
       AND NOT EXISTS (
         SELECT FROM log_entries l JOIN outbox o USING (outbox_id)
         WHERE l.kind = 'incident' AND l.about IN ('house', 'prices') AND l.number > e.at
           AND (o.entry::json ->> 'from')::bigint <= e.at + $2::bigint)
     ORDER BY n.epoch LIMIT 3`,
    [SM1_EPOCH_MS, GAP_MS_MAX, TOLD_MS, LOGGED_MS],
  );
  return rows.map(
    ({ epoch, late }) =>
      `epoch ${epoch} of the simulated market began ${late} ms late, and no incident in the public log says why: verifiers report it`,
  );
}

async function findUnkept(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ epoch: bigint; skipped: boolean }>(
    `WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)
     SELECT e.epoch, e.start_at IS NULL AS skipped FROM sm1_epochs e, clock
     WHERE CASE WHEN e.start_at IS NULL
         THEN EXISTS (SELECT FROM sm1_epochs n WHERE n.epoch > e.epoch AND n.start_at > clock.now - $3::bigint)
         ELSE e.seed IS NULL AND e.start_at + $1::bigint + $2::bigint < clock.now AND e.start_at > clock.now - $3::bigint END
     ORDER BY e.epoch LIMIT 3`,
    [SM1_EPOCH_MS, REVEAL_MS_MAX, TOLD_MS],
  );
  return rows.map(({ epoch, skipped }) =>
    skipped
      ? `epoch ${epoch} of the simulated market was committed to and skipped: its seed is lost, and verifiers report it`
      : `epoch ${epoch} of the simulated market ended and its seed is not revealed: nobody can check its prices`,
  );
}
