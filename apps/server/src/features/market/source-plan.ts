import { ConfigError } from "../../platform/config.ts";

export const SOURCE_NAMES = ["simulated", "kraken", "scripted"] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/** Which source makes the ticks of which instrument. */
export type SourcePlan = ReadonlyMap<string, SourceName>;

/**
 * Reads `MARKET_SOURCES`: a source for all instruments, then exceptions: `simulated`, `simulated,BTCUSD=kraken`,
 * `scripted`. Throws `ConfigError` that says what is wrong.
 */
export function readSourcePlan(text: string, symbols: readonly string[]): SourcePlan {
  const plan = new Map<string, SourceName>(symbols.map((symbol) => [symbol, "simulated"]));
  for (const part of text.split(",").map((piece) => piece.trim())) {
    const [left = "", right] = part.split("=").map((piece) => piece.trim());
    const source = SOURCE_NAMES.find((name) => name === (right ?? left));
    if (!source) {
      throw new ConfigError(`MARKET_SOURCES: ${part} names no source. There are: ${SOURCE_NAMES.join(", ")}.`);
    }
    if (right === undefined) for (const symbol of symbols) plan.set(symbol, source);
    else if (plan.has(left)) plan.set(left, source);
    else throw new ConfigError(`MARKET_SOURCES: there is no instrument ${left}.`);
  }
  return plan;
}
