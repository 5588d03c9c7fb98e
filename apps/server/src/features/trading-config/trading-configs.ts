import type { InstrumentTerms, Instant, TradingConfig } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { configFromJson } from "./config-json.ts";

/** All configurations, kept in memory. An order's terms are looked up by the version that the order names. */
export interface TradingConfigs {
  /** Returns the configuration in force for an order accepted at `at`. Throws before the first configuration. */
  current(at: Instant): TradingConfig;
  /**
   * Returns the same, with the time when the next known one takes effect. Reads the tables again if `newestVersion`
   * isn't known yet.
   */
  bindingAt(
    at: Instant,
    newestVersion: number,
  ): Promise<{ readonly config: TradingConfig; readonly nextConfigAt: Instant | null }>;
  /** Reads the tables again if `version` isn't known yet, so that `termsOf` has it. */
  know(version: number): Promise<void>;
  /** Returns an instrument's terms in a version. Throws for an unknown version or instrument. */
  termsOf(version: number, symbol: string): InstrumentTerms;
  /** Returns an instrument as in the newest configuration; undefined for an unknown one. */
  findInstrument(symbol: string): InstrumentTerms | undefined;
  close(): void;
}

/** Opens all configurations and reads them again whenever one is announced. */
export async function openTradingConfigs(context: Pick<Context, "databases" | "bus" | "log">): Promise<TradingConfigs> {
  const { databases, bus, log } = context;
  let configs: readonly TradingConfig[] = [];
  let terms = new Map<string, InstrumentTerms>();
  let newest = new Map<string, InstrumentTerms>();

  async function load(): Promise<void> {
    const rows = await databases.reader.query<{ body: string }>(
      "SELECT body::text AS body FROM trading_configs ORDER BY version",
    );
    configs = rows.map(({ body }) => configFromJson(body));
    terms = new Map(
      configs.flatMap((config) =>
        config.instruments.map((instrument) => [`${config.version}/${instrument.symbol}`, instrument] as const),
      ),
    );
    newest = new Map(configs.flatMap((config) => config.instruments.map((each) => [each.symbol, each] as const)));
  }

  function current(at: Instant): TradingConfig {
    const config = configs.findLast(({ effectiveAt }) => effectiveAt <= at) ?? configs[0];
    if (config === undefined) throw new Error("no trading configuration is stored");
    return config;
  }

  async function know(version: number): Promise<void> {
    if ((configs.at(-1)?.version ?? 0) < version) await load();
  }

  await load();
  const unsubscribe = bus.subscribe("configChanged", () => {
    load().catch((error: unknown) => {
      log.error({ err: error }, "the trading configuration could not be read again");
    });
  });
  return {
    current,
    know,
    async bindingAt(at, newestVersion) {
      await know(newestVersion);
      const next = configs.find(({ effectiveAt }) => effectiveAt > at);
      return { config: current(at), nextConfigAt: next?.effectiveAt ?? null };
    },
    termsOf(version, symbol) {
      const found = terms.get(`${version}/${symbol}`);
      if (found === undefined) throw new Error(`configuration ${version} has no ${symbol}`);
      return found;
    },
    findInstrument: (symbol) => newest.get(symbol),
    close: unsubscribe,
  };
}
