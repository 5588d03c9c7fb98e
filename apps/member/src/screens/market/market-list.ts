import type { Instrument } from "@fairtick/protocol";
import { fitsInstrument } from "../../shared/instrument-words.ts";

export type MarketList = "all" | "favourites" | "fx" | "digital";

export interface Section {
  readonly kind: Instrument["kind"];
  readonly instruments: readonly Instrument[];
}

/**
 * Returns the market screen's sections: FX and metals first, then digital assets, each in the server's order.
 * `describe` returns an instrument's description, so that "gold" finds XAU/USD.
 */
export function marketSections(
  instruments: readonly Instrument[],
  list: MarketList,
  favourites: readonly string[],
  words: string,
  describe: (instrument: Instrument) => string,
): Section[] {
  const marked = new Set(favourites);
  const listed = instruments.filter(
    (one) =>
      (list === "all" ||
        (list === "favourites" && marked.has(one.symbol)) ||
        (list === "fx" && one.kind === "fx") ||
        (list === "digital" && one.kind === "crypto")) &&
      fitsInstrument(one, describe(one), words),
  );
  return (["fx", "crypto"] as const)
    .map((kind) => ({ kind, instruments: listed.filter((one) => one.kind === kind) }))
    .filter((section) => section.instruments.length > 0);
}
