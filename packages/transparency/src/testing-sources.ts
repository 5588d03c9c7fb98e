import type { Tick } from "@fairtick/domain";
import { START } from "./testing-house.ts";
import type { QuotedSymbol } from "./testing-quotes.ts";

// For tests: what a house's log says about where its prices come from.

export interface SourceOptions {
  /** An instrument whose prices come from three outside sources, of which Pyth is the median. */
  readonly quoted?: QuotedSymbol;
  /** Sources of instruments, each from how long after START on (ms); null if the log names no sources. */
  readonly sources?: Readonly<Record<string, readonly (readonly [since: bigint, source: string])[]>> | null;
}

interface Word {
  readonly since: bigint;
  readonly source: string;
}

/** Returns what the log says of each symbol's sources. */
export function sourcesOf({ sources, quoted }: SourceOptions, symbols: readonly string[]): Map<string, Word[]> {
  if (sources === null) return new Map();
  const words = (symbol: string) =>
    (sources?.[symbol] ?? [[-50_000n, symbol === quoted?.symbol ? "binance+kraken+pyth" : "SM1"] as const]).map(
      ([after, source]): Word => ({ since: START + after, source }),
    );
  return new Map(symbols.map((symbol) => [symbol, words(symbol)]));
}

/** Returns the sources in force for the ticks. */
export function sourcesIn(words: readonly Word[], ticks: readonly Tick[]): { since: bigint; source: string }[] {
  const inForce = new Set(ticks.map(({ time }) => words.findLast(({ since }) => since <= time)));
  return [...inForce].filter((word) => word !== undefined).map(({ since, source }) => ({ since, source }));
}
