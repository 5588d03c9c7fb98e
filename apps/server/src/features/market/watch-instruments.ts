import { isOpenAt } from "@fairtick/domain";
import type { Instrument } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { createInstrumentLister } from "./list-instruments.ts";
import type { CurrentConfig } from "./market-routes.ts";
import { presentInstrument } from "./present-instrument.ts";

/**
 * For the stream: the instruments of now, and a state of each that changes when its session opens or closes, or when
 * another configuration begins to bind.
 */
export function watchInstruments(
  { config, databases, clock, bus }: Pick<Context, "config" | "databases" | "clock" | "bus">,
  configs: CurrentConfig,
): { states(): ReadonlyMap<string, string>; read(): Promise<readonly Instrument[]> } {
  const lister = createInstrumentLister(databases.reader, config.marketSources);
  /** Those that had a price since this process started: the first one opens an instrument. */
  const priced = new Set<string>();
  bus.subscribe("ticks", ({ ticks }) => {
    for (const { symbol } of ticks) priced.add(symbol);
  });
  return {
    states() {
      const now = clock.now();
      const { version, instruments } = configs.current(now);
      return new Map(
        instruments.map((terms) => [
          terms.symbol,
          `${version} ${isOpenAt(terms, now) ? "open" : "closed"} ${priced.has(terms.symbol)}`,
        ]),
      );
    },
    async read() {
      const now = clock.now();
      return (await lister.list(configs.current(now), now)).map(presentInstrument);
    },
  };
}
