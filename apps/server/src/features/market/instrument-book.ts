import { firstTradingConfig, type Instant, type InstrumentTerms } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { configFromJson } from "../trading-config/index.ts";

/** The instruments that the market makes prices of: those of the first version, and what operators added since. */
export interface InstrumentBook {
  /** As read last; before that, those of the first version. */
  known(): readonly InstrumentTerms[];
  read(): Promise<readonly InstrumentTerms[]>;
  /** Whether one was added since. What changes of terms alone is no news: prices don't hang on it. */
  hasNews(): Promise<boolean>;
}

/** Opens the book. No version leaves an instrument out, and what makes its prices never changes, so the newest one says all. */
export function openInstrumentBook(database: Queryable): InstrumentBook {
  const { instruments: first } = firstTradingConfig(0n as Instant);
  let known: readonly InstrumentTerms[] = first;
  let version = 0;

  async function read(): Promise<readonly InstrumentTerms[]> {
    const [row] = await database.query<{ version: number; body: string }>(
      "SELECT version, body::text AS body FROM trading_configs ORDER BY version DESC LIMIT 1",
    );
    // Only what was added while running says itself what makes its prices.
    const added = row ? configFromJson(row.body).instruments.filter(({ prices }) => prices !== undefined) : [];
    version = row?.version ?? 0;
    known = [...first, ...added];
    return known;
  }

  return {
    known: () => known,
    read,
    async hasNews() {
      const [row] = await database.query<{ newest: number | null }>(
        "SELECT max(version) AS newest FROM trading_configs",
      );
      if ((row?.newest ?? 0) === version) return false;
      const before = known.length;
      return (await read()).length !== before;
    },
  };
}
