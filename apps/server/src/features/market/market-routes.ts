import { type Candle, formatPrice, type Instant, refuse, type TradingConfig } from "@fairtick/domain";
import {
  type Candle as CandleMessage,
  type Instrument,
  marketCandles,
  marketFavourites,
  marketInstruments,
  marketSetFavourite,
  marketTicks,
} from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { publicLogFolder } from "../../platform/config.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { openPriceArchive, readFolder } from "../price-archive/index.ts";
import { listFavourites, setFavourite } from "./favourites.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { listCandles } from "./list-candles.ts";
import { createInstrumentLister } from "./list-instruments.ts";
import { listTicks } from "./list-ticks.ts";
import { presentInstrument } from "./present-instrument.ts";
import { planSources } from "./source-plan.ts";

const CANDLES_DEFAULT = 300;
const TICKS_DEFAULT = 1_000;

/** Access to the current trading configuration, for the market's calls. */
export interface CurrentConfig {
  current(at: Instant): TradingConfig;
}

/** Routes about instruments and their prices. All of them refuse an unknown symbol with INSTRUMENT_UNKNOWN. */
export function marketRoutes(
  context: Pick<Context, "config" | "databases" | "bus" | "clock">,
  configs: CurrentConfig,
): Route[] {
  const { config, databases, bus, clock } = context;
  // Read the settings now, so that mistakes show at the start and not in the first call.
  planSources(config.marketSources, configs.current(clock.now()).instruments);
  const lister = createInstrumentLister(databases.reader, config.marketSources);
  const archive = openPriceArchive(databases.reader, readFolder(publicLogFolder(config)));
  const candleAnswers = createAnswerCache<CandleMessage[]>(bus, clock);
  const instrumentAnswers = createAnswerCache<Instrument[]>(bus, clock);
  const decimalsOf = (symbol: string, now: Instant) =>
    configs.current(now).instruments.find((terms) => terms.symbol === symbol)?.decimals;

  return [
    route(marketInstruments, ({ now }) =>
      instrumentAnswers.answer("all", async () => {
        const views = await lister.list(configs.current(now), now);
        return views.map(presentInstrument);
      }),
    ),
    route(marketCandles, async ({ input, now }) => {
      const decimals = decimalsOf(input.symbol, now);
      if (decimals === undefined) return refuse("INSTRUMENT_UNKNOWN");
      const { symbol, interval, from, to, limit = CANDLES_DEFAULT } = input;
      const read = async () =>
        (await listCandles(databases.reader, { symbol, interval, from, to, limit })).map((candle) =>
          presentCandle(candle, decimals),
        );
      // Only the span that every chart opens with is cached. Spans of a scrolled chart differ for each reader.
      return from === undefined && to === undefined
        ? candleAnswers.answer(`${symbol}/${interval}/${limit}`, read)
        : read();
    }),
    route(marketTicks, async ({ input, now }) => {
      const decimals = decimalsOf(input.symbol, now);
      if (decimals === undefined) return refuse("INSTRUMENT_UNKNOWN");
      const ticks = await listTicks(databases.reader, archive, { ...input, limit: input.limit ?? TICKS_DEFAULT });
      return ticks.map(({ seq, time, price }): [number, number, string] => [
        Number(seq),
        Number(time),
        formatPrice(price, decimals),
      ]);
    }),
    route(marketFavourites, ({ session }) => listFavourites(databases.sessions, session.memberId)),
    route(marketSetFavourite, ({ input, session, now }) => {
      if (decimalsOf(input.symbol, now) === undefined) return refuse("INSTRUMENT_UNKNOWN");
      return setFavourite(databases.sessions, session.memberId, input.symbol, input.on);
    }),
  ];
}

function presentCandle({ time, open, high, low, close }: Candle, decimals: number): CandleMessage {
  const price = (points: typeof open) => formatPrice(points, decimals);
  return [Number(time), price(open), price(high), price(low), price(close)];
}
