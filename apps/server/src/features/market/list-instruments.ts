import {
  changeToday,
  type Instant,
  type InstrumentTerms,
  isOpenAt,
  nextChange,
  type Points,
  type Rate,
  type TradingConfig,
} from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { findBeaconTrouble } from "./find-beacon-trouble.ts";
import { firstPriceAt, readUpcoming, type Upcoming } from "./first-price.ts";
import { planSources } from "./source-plan.ts";

/** An instrument as the market call shows it. */
export interface InstrumentView {
  readonly terms: InstrumentTerms;
  /** Whether it is in session and has a price. Without a price no order can be placed. */
  readonly open: boolean;
  /** When `open` changes next. For an instrument that waits for its first epoch, when that epoch starts. */
  readonly nextChange: Instant | null;
  readonly newest: { readonly seq: bigint; readonly time: Instant; readonly price: Points } | null;
  /** The last price at or before 00:00 UTC, or the day's first price if there is none. */
  readonly dayOpen: Points | null;
  readonly changeToday: Rate | null;
  /** Closing prices of the last 24 hours in steps of half an hour, then the newest price. */
  readonly spark: readonly Points[];
  /** The source, or several joined by `+`. */
  readonly source: string;
  /** Where the made-up past ends, which is there for charts only; null if there is none. */
  readonly examplesUntil: Instant | null;
  /** Why no price comes; null if prices come or the reason is unknown. */
  readonly waitsFor: "beacon" | null;
}

export interface InstrumentLister {
  list(config: TradingConfig, now: Instant): Promise<InstrumentView[]>;
}

const DAY_MS = 86_400_000n;
const SPARK_STEP_MS = 1_800_000n;
const PAST_KEPT_MS = 60_000n;
/** A price older than this counts as stale, as in what members see. */
const STILL_MS = 5_000n;

/** Creates the lister of instruments. It reads prices each time but caches day opens and the past, which hardly change. */
export function createInstrumentLister(database: Queryable, marketSources: string): InstrumentLister {
  let openDay = -1n;
  let dayOpens = new Map<string, Points>();
  let pastAt = 0n;
  let past: Past = { sparks: new Map(), examples: new Map() };

  async function dayOpenOf(symbol: string, now: Instant): Promise<Points | null> {
    const day = now / DAY_MS;
    if (day !== openDay) {
      openDay = day;
      dayOpens = new Map();
    }
    const known = dayOpens.get(symbol);
    if (known !== undefined) return known;
    const { price, final } = await readDayOpen(database, symbol, day * DAY_MS);
    if (price !== null && final) dayOpens.set(symbol, price);
    return price;
  }

  async function currentPast(now: Instant): Promise<Past> {
    if (now - pastAt >= PAST_KEPT_MS || past.sparks.size === 0) {
      const [sparks, examples] = await Promise.all([readSparks(database, now), readExamples(database)]);
      past = { sparks, examples };
      pastAt = now;
    }
    return past;
  }

  return {
    async list(config, now) {
      const [clocks, { sparks, examples }] = await Promise.all([readNewest(database), currentPast(now)]);
      const plan = planSources(marketSources, config.instruments);
      const isWaiting = ({ symbol, prices }: InstrumentTerms) => prices?.source === "simulated" && !clocks.has(symbol);
      const upcoming = config.instruments.some(isWaiting) ? await readUpcoming(database) : [];
      const sourceOf = ({ symbol }: InstrumentTerms) => (plan.get(symbol) ?? ["simulated"]).join("+");
      const standsStill = (terms: InstrumentTerms) =>
        sourceOf(terms) === "simulated" && now - (clocks.get(terms.symbol)?.time ?? now) > STILL_MS;
      const lacksBeacon =
        config.instruments.some(standsStill) && (await findBeaconTrouble(database, now)) !== undefined;
      return Promise.all(
        config.instruments.map(async (terms): Promise<InstrumentView> => {
          const newest = clocks.get(terms.symbol) ?? null;
          const dayOpen = newest && (await dayOpenOf(terms.symbol, now));
          const price = newest?.price ?? null;
          return {
            terms,
            open: isOpenAt(terms, now) && newest !== null,
            nextChange: newest === null ? opensAt(terms, upcoming, now) : nextChange(terms, now),
            newest,
            dayOpen,
            changeToday: changeToday(price, dayOpen),
            spark: [...(sparks.get(terms.symbol) ?? []), ...(price === null ? [] : [price])],
            source: sourceOf(terms),
            examplesUntil: examples.get(terms.symbol) ?? null,
            waitsFor: lacksBeacon && standsStill(terms) ? "beacon" : null,
          };
        }),
      );
    },
  };
}

/** Returns when an instrument without a price opens: at its session's start, or at its first simulated price if that is later. Null if unknown. */
function opensAt(terms: InstrumentTerms, upcoming: readonly Upcoming[], now: Instant): Instant | null {
  const first = terms.prices?.source === "simulated" ? firstPriceAt(upcoming, terms.symbol, now) : null;
  if (first === null) return isOpenAt(terms, now) ? null : nextChange(terms, now);
  return isOpenAt(terms, first) ? first : nextChange(terms, first);
}

type Newest = NonNullable<InstrumentView["newest"]>;

async function readNewest(database: Queryable): Promise<Map<string, Newest>> {
  const rows = await database.query<Newest & { symbol: string }>(
    "SELECT symbol, seq, time, price FROM instrument_clock WHERE seq > 0",
  );
  return new Map(rows.map(({ symbol, seq, time, price }) => [symbol, { seq, time, price }]));
}

/** Reads the day's open. `final` means that it can't change any more, because midnight is sealed. */
async function readDayOpen(
  database: Queryable,
  symbol: string,
  midnight: bigint,
): Promise<{ price: Points | null; final: boolean }> {
  const [row] = await database.query<{ before: Points | null; first: Points | null; sealed: boolean | null }>(
    `SELECT
       (SELECT price FROM (
          (SELECT time, price FROM ticks WHERE symbol = $1 AND time <= $2 ORDER BY time DESC LIMIT 1)
          UNION ALL
          (SELECT time, close FROM candles WHERE symbol = $1 AND time < $2 ORDER BY time DESC LIMIT 1)
        ) last ORDER BY time DESC LIMIT 1) AS before,
       (SELECT price FROM (
          (SELECT time, price FROM ticks WHERE symbol = $1 AND time > $2 ORDER BY time LIMIT 1)
          UNION ALL
          (SELECT time, open FROM candles WHERE symbol = $1 AND time >= $2 ORDER BY time LIMIT 1)
        ) next ORDER BY time LIMIT 1) AS first,
       (SELECT sealed_through >= $2 FROM instrument_clock WHERE symbol = $1) AS sealed`,
    [symbol, midnight],
  );
  return { price: row?.before ?? row?.first ?? null, final: row?.sealed ?? false };
}

/** What charts and lists show of earlier prices, by symbol. */
interface Past {
  readonly sparks: ReadonlyMap<string, readonly Points[]>;
  readonly examples: ReadonlyMap<string, Instant>;
}

/** Reads where the made-up past of each instrument ends. */
async function readExamples(database: Queryable): Promise<Map<string, Instant>> {
  const rows = await database.query<{ symbol: string; until: Instant }>(
    `SELECT c.symbol, last.time + 60000 AS until FROM instrument_clock c CROSS JOIN LATERAL (
       SELECT time FROM candles WHERE symbol = c.symbol AND pre_genesis ORDER BY time DESC LIMIT 1) last`,
  );
  return new Map(rows.map(({ symbol, until }) => [symbol, until]));
}

async function readSparks(database: Queryable, now: Instant): Promise<Map<string, readonly Points[]>> {
  const rows = await database.query<{ symbol: string; closes: Points[] }>(
    `SELECT symbol, array_agg(close ORDER BY step) AS closes FROM (
       SELECT DISTINCT ON (symbol, time / $2) symbol, time / $2 AS step, close FROM candles
       WHERE time >= $1 ORDER BY symbol, time / $2, time DESC) closing GROUP BY symbol`,
    [now - DAY_MS, SPARK_STEP_MS],
  );
  return new Map(rows.map(({ symbol, closes }) => [symbol, closes]));
}
