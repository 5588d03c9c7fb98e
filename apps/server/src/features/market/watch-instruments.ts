import { isOpenAt } from "@fairtick/domain";
import type { Instrument } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { createInstrumentLister } from "./list-instruments.ts";
import type { CurrentConfig } from "./market-routes.ts";
import { presentInstrument } from "./present-instrument.ts";

/** Then the list may say why: a second later than it tells so itself, lest it be asked too early. */
const STILL_MS = 6_000;

/**
 * For the stream: the instruments of now, and a state of each that changes when its session opens or closes, when
 * another configuration begins to bind, or when its prices stop and begin again.
 */
export function watchInstruments(
  { config, databases, clock, bus }: Pick<Context, "config" | "databases" | "clock" | "bus">,
  configs: CurrentConfig,
): { states(): ReadonlyMap<string, string>; read(): Promise<readonly Instrument[]> } {
  const lister = createInstrumentLister(databases.reader, config.marketSources);
  /** When those that had a price since this process started had the newest one: the first one opens an instrument. */
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
