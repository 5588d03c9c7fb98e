import type { Instant } from "@fairtick/domain";
import type { Database, Queryable } from "../../platform/database.ts";
import { asWriter, insertEntry } from "./sm1-rows.ts";

/** A log statement that this source makes the instrument's prices from `since` on. */
export interface StatedSource {
  readonly symbol: string;
  readonly since: Instant;
  readonly source: string;
}

/** A statement is in the log this long before it takes effect. */
const NOTICE_MS = 1_000n;

/**
 * States in the log which source makes each instrument's prices, if it has changed. Returns the earliest time of ticks from
 * the new source for each instrument that had another one before. For new instruments, the statement takes effect at once,
 * since they have no earlier prices.
 */
export async function stateSources(
  database: Database,
  writerEpoch: bigint,
  sources: ReadonlyMap<string, string>,
  fresh: ReadonlySet<string>,
  now: () => Instant,
): Promise<ReadonlyMap<string, Instant>> {
  const notBefore = new Map<string, Instant>();
  if (sources.size === 0) return notBefore;
  await asWriter(database, writerEpoch, async (transaction) => {
    for (const [symbol, source] of sources) {
      const known = await readSources(transaction, symbol);
      const last = known.at(-1);
      const since = fresh.has(symbol) ? now() : ((now() + NOTICE_MS) as Instant);
      const isNews = last?.source !== source;
      if (isNews) await store(transaction, { symbol, source, since });
      // A source that simply continues may still have to store older ticks, even from before the first statement.
      if (known.length + Number(isNews) > 1) notBefore.set(symbol, isNews ? since : (last?.since ?? since));
    }
  });
  return notBefore;
}

async function store(transaction: Queryable, { symbol, source, since }: StatedSource): Promise<void> {
  await transaction.query("INSERT INTO instrument_sources (symbol, since, source) VALUES ($1, $2, $3)", [
    symbol,
    since,
    source,
  ]);
  await insertEntry(transaction, "source", { since, source, symbol });
}

/** Reads all statements about an instrument, oldest first. */
export async function readSources(database: Queryable, symbol: string): Promise<StatedSource[]> {
  return database.query<StatedSource>(
    "SELECT symbol, since, source FROM instrument_sources WHERE symbol = $1 ORDER BY since",
    [symbol],
    "instrument_sources",
  );
}

/** Returns the sources in force for these ticks as a minute's entry names them; leaves the field out if none were stated by then. */
export function sourcesOfMinute(
  known: readonly StatedSource[],
  ticks: readonly { readonly time: bigint }[],
): { readonly sources?: { since: bigint; source: string }[] } {
  const inForce = new Set(ticks.map(({ time }) => known.findLast(({ since }) => since <= time)));
  const sources = [...inForce].filter((one) => one !== undefined).map(({ since, source }) => ({ since, source }));
  return sources.length === 0 ? {} : { sources };
}
