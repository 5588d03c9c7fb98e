import { isOpenAt } from "@fairtick/domain";
import type { Instrument } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { createInstrumentLister } from "./list-instruments.ts";
import type { CurrentConfig } from "./market-routes.ts";
import { presentInstrument } from "./present-instrument.ts";

/** After this long without a price, the list says why. A second more than the list's own limit, so as not to ask too early. */
const STILL_MS = 6_000;

/**
 * Watches instruments for the stream. Gives each a state that changes when its session opens or closes, when another
 * configuration takes effect, or when its prices stop and start again.
 */
export function watchInstruments(
  { config, databases, clock, bus }: Pick<Context, "config" | "databases" | "clock" | "bus">,
  configs: CurrentConfig,
): { states(): ReadonlyMap<string, string>; read(): Promise<readonly Instrument[]> } {
  const lister = createInstrumentLister(databases.reader, config.marketSources);
  /** Time of each instrument's newest price since this process started. The first price opens an instrument. */
  const priced = new Map<string, number>();
  bus.subscribe("ticks", ({ ticks }) => {
    for (const { symbol } of ticks) priced.set(symbol, clock.elapsedMs());
  });
  function flowOf(symbol: string): "none" | "still" | "flowing" {
    const at = priced.get(symbol);
    if (at === undefined) return "none";
    return clock.elapsedMs() - at > STILL_MS ? "still" : "flowing";
  }
  return {
    states() {
      const now = clock.now();
      const { version, instruments } = configs.current(now);
      return new Map(
        instruments.map((terms) => [
          terms.symbol,
          `${version} ${isOpenAt(terms, now) ? "open" : "closed"} ${flowOf(terms.symbol)}`,
        ]),
      );
    },
    async read() {
      const now = clock.now();
      return (await lister.list(configs.current(now), now)).map(presentInstrument);
    },
  };
}
