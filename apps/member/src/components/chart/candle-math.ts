/** Calculations on candles that the library lacks, and a fast way to update its indicators with each tick. */
import type { Indicator, IndicatorCalcCallback, KLineData } from "klinecharts";

/** Returns the average true range with Wilder's smoothing. Null before there are enough candles. */
export function averageTrueRange(bars: readonly KLineData[], period: number): readonly (number | null)[] {
  let average = 0;
  return bars.map((bar, at) => {
    const before = bars[at - 1]?.close ?? bar.close;
    const range = Math.max(bar.high, before) - Math.min(bar.low, before);
    average = at < period ? average + range / period : (average * (period - 1) + range) / period;
    return at >= period - 1 ? average : null;
  });
}

const DAY_MS = 86_400_000;

/** Returns the highest and lowest price since the start of the day (00:00 UTC, as everywhere in Fairtick). */
export function sessionExtremes(bars: readonly KLineData[]): readonly { high: number; low: number }[] {
  let day = Number.NaN;
  let [high, low] = [0, 0];
  return bars.map((bar) => {
    const today = Math.floor(bar.timestamp / DAY_MS);
    [high, low] = today === day ? [Math.max(high, bar.high), Math.min(low, bar.low)] : [bar.high, bar.low];
    day = today;
    return { high, low };
  });
}

export interface HeikinAshi {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Returns Heikin-Ashi candles: each close is its candle's mean, each open the middle of the previous candle. */
export function heikinAshi(bars: readonly KLineData[]): readonly HeikinAshi[] {
  let before: HeikinAshi | null = null;
  return bars.map(({ open, high, low, close }) => {
    const mean = (open + high + low + close) / 4;
    const first: number = before === null ? (open + close) / 2 : (before.open + before.close) / 2;
    before = { open: first, close: mean, high: Math.max(high, first, mean), low: Math.min(low, first, mean) };
    return before;
  });
}

/** Number of periods after which older candles no longer affect an average's displayed digits. */
const WARM_UP_PERIODS = 25;
const WARM_UP_MIN = 400;

/**
 * Calculates the newest figure from only the newest candles if only they have changed. The library recalculates all of
 * them with each tick, which takes longer than a frame at ten thousand candles.
 */
export function quickly<D, C, E>(calc: IndicatorCalcCallback<D, C, E>): IndicatorCalcCallback<D, C, E> {
  let known: { readonly first: number; readonly params: string; readonly count: number; readonly figures: D[] } | null =
    null;
  return async (bars: KLineData[], indicator: Indicator<D, C, E>) => {
    const first = bars[0]?.timestamp ?? 0;
    const params = indicator.calcParams.join();
    const added = known === null ? -1 : bars.length - known.count;
    const warmUp = Math.max(WARM_UP_MIN, WARM_UP_PERIODS * Math.max(0, ...indicator.calcParams.map(Number)));
    const isSame = known !== null && known.first === first && known.params === params && added >= 0 && added <= 2;
    if (known === null || !isSame || bars.length <= warmUp + 2) {
      known = { first, params, count: bars.length, figures: await calc(bars, indicator) };
      return known.figures;
    }
    const tail = await calc(bars.slice(-warmUp), indicator);
    // The former newest candle may have closed since, so it and all after it are recalculated.
    const fresh = tail.slice(-(added + 1));
    const { figures } = known;
    figures.splice(bars.length - fresh.length, figures.length, ...fresh);
    known = { ...known, count: bars.length };
    return figures;
  };
}
