import type { Instant } from "@fairtick/domain";
import type { Database, Queryable } from "../../platform/database.ts";
import { asWriter, insertEntry } from "./sm1-rows.ts";

/** From `since` on the source makes the instrument's prices. */
export interface StatedSource {
  readonly symbol: string;
  readonly since: Instant;
  readonly source: string;
}

/** A word is in the log this long before it begins to hold. */
const NOTICE_MS = 1_000n;

/**
 * Says in the log what makes each instrument's prices, where that is not what was said last, and answers from when on each
 * that had another source before may have ticks of the new one. Of instruments that are new nobody has seen a price: their
 * word holds at once.
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
      // A source that goes on has its own ticks to catch up with, those of before the first word among them.
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

/** All that was said of the instrument, oldest first. */
export async function readSources(database: Queryable, symbol: string): Promise<StatedSource[]> {
  return database.query<StatedSource>(
    "SELECT symbol, since, source FROM instrument_sources WHERE symbol = $1 ORDER BY since",
    [symbol],
    "instrument_sources",
  );
}

/** Those in force for the ticks, as a minute's entry names them; left out where nothing was said by then. */
export function sourcesOfMinute(
  known: readonly StatedSource[],
  ticks: readonly { readonly time: bigint }[],
): { readonly sources?: { since: bigint; source: string }[] } {
  const inForce = new Set(ticks.map(({ time }) => known.findLast(({ since }) => since <= time)));
  const sources = [...inForce].filter((one) => one !== undefined).map(({ since, source }) => ({ since, source }));
  return sources.length === 0 ? {} : { sources };
}
