import type { InstrumentTerms } from "@fairtick/domain";
import { ConfigError } from "../../platform/config.ts";

/** Outside sources. An instrument may have several of these. */
export const REAL_SOURCES = ["kraken", "binance", "pyth"] as const;
export type RealSource = (typeof REAL_SOURCES)[number];
export const SOURCE_NAMES = ["simulated", "scripted", ...REAL_SOURCES] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/** Which sources make each instrument's ticks: one of any kind, or several outside ones. */
export type SourcePlan = ReadonlyMap<string, readonly SourceName[]>;

/**
 * Plans which sources make each instrument's ticks. `MARKET_SOURCES` decides for instruments of the first configuration; added
 * ones name theirs themselves. Throws `ConfigError` as `readSourcePlan` does.
 */
export function planSources(
  marketSources: string,
  instruments: readonly Pick<InstrumentTerms, "symbol" | "prices">[],
): SourcePlan {
  const first = instruments.filter(({ prices }) => prices === undefined).map(({ symbol }) => symbol);
  const plan = new Map(readSourcePlan(marketSources, first));
  for (const { symbol, prices } of instruments) {
    if (prices?.source === "simulated") plan.set(symbol, ["simulated"]);
    else if (prices)
      plan.set(
        symbol,
        REAL_SOURCES.filter((source) => Object.hasOwn(prices.names, source)),
      );
  }
  return plan;
}

/**
 * Parses `MARKET_SOURCES`: the sources of all instruments of the first configuration, then exceptions. Examples: `simulated`,
 * `simulated,BTCUSD=kraken+binance`, `scripted`. Throws a `ConfigError` that says what is wrong.
 */
export function readSourcePlan(text: string, symbols: readonly string[]): SourcePlan {
  const plan = new Map<string, readonly SourceName[]>(symbols.map((symbol) => [symbol, ["simulated"]]));
  for (const part of text.split(",").map((piece) => piece.trim())) {
    const [left = "", right] = part.split("=").map((piece) => piece.trim());
    const sources = readSources(right ?? left, part);
    if (right === undefined) for (const symbol of symbols) plan.set(symbol, sources);
    else if (plan.has(left)) plan.set(left, sources);
    else throw new ConfigError(`MARKET_SOURCES: there is no instrument ${left} whose source is set here.`);
  }
  return plan;
}

function readSources(text: string, part: string): readonly SourceName[] {
  const names = text.split("+").map((piece) => piece.trim());
  const sources = SOURCE_NAMES.filter((name) => names.includes(name));
  if (sources.length !== new Set(names).size) {
    throw new ConfigError(`MARKET_SOURCES: ${part} names no source. There are: ${SOURCE_NAMES.join(", ")}.`);
  }
  if (names.length > sources.length) throw new ConfigError(`MARKET_SOURCES: ${part} names a source twice.`);
  if (sources.length > 1 && sources.some((name) => name === "simulated" || name === "scripted")) {
    throw new ConfigError(`MARKET_SOURCES: ${part} mixes real prices with others.`);
  }
  return sources;
}
