import { firstTradingConfig, type Instant, type InstrumentTerms } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { configFromJson } from "../trading-config/index.ts";

/** The instruments that the market makes prices for: those of the first configuration and those that operators added. */
export interface InstrumentBook {
  /** The instruments as last read; before the first reading, those of the first configuration. */
  known(): readonly InstrumentTerms[];
  read(): Promise<readonly InstrumentTerms[]>;
  /** Whether an instrument was added since. Changed terms don't count, since prices don't depend on them. */
  hasNews(): Promise<boolean>;
}

/** Opens the book. It needs only the newest configuration: no version drops an instrument or changes what makes its prices. */
export function openInstrumentBook(database: Queryable): InstrumentBook {
  const { instruments: first } = firstTradingConfig(0n as Instant);
  let known: readonly InstrumentTerms[] = first;
  let version = 0;

  async function read(): Promise<readonly InstrumentTerms[]> {
    const [row] = await database.query<{ version: number; body: string }>(
      "SELECT version, body::text AS body FROM trading_configs ORDER BY version DESC LIMIT 1",
    );
    // Only instruments that operators added name their price source in the configuration.
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
