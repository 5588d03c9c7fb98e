/**
 * Indicators over closing prices, oldest first. Each answers one figure per close, null where there are too few
 * closes before it. They are drawn, never decided by: floating point is fine here and nowhere near money.
 */
export type Figures = readonly (number | null)[];

export interface Bands {
  readonly upper: Figures;
  readonly middle: Figures;
  readonly lower: Figures;
}

export interface Macd {
  readonly macd: Figures;
  readonly signal: Figures;
  readonly histogram: Figures;
}

/** Simple moving average over `period` closes. */
export function movingAverage(closes: readonly number[], period: number): Figures {
  let sum = 0;
  return closes.map((close, at) => {
    sum += close - (at >= period ? (closes[at - period] ?? 0) : 0);
    return at >= period - 1 ? sum / period : null;
  });
}

/** Exponential moving average: starts as the simple one of the first `period` figures; leading nulls are skipped. */
export function exponentialAverage(figures: Figures, period: number): Figures {
  const weight = 2 / (period + 1);
  let seen = 0;
  let sum = 0;
  let average: number | null = null;
  return figures.map((figure) => {
    if (figure === null) return null;
    seen += 1;
    if (average === null) {
      sum += figure;
      if (seen === period) average = sum / period;
    } else {
      average += (figure - average) * weight;
    }
    return average;
  });
}

/** Bollinger bands: the moving average and `width` standard deviations (of the whole population) around it. */
export function bollingerBands(closes: readonly number[], period = 20, width = 2): Bands {
  const middle = movingAverage(closes, period);
  const deviation = middle.map((mean, at) => {
    if (mean === null) return null;
    const squares = closes.slice(at - period + 1, at + 1).reduce((sum, close) => sum + (close - mean) ** 2, 0);
    return Math.sqrt(squares / period);
  });
  const around = (side: 1 | -1) =>
    middle.map((mean, at) => {
      const spread = deviation[at];
      return mean === null || spread === null || spread === undefined ? null : mean + side * width * spread;
    });
  return { upper: around(1), middle, lower: around(-1) };
}

/** Wilder's relative strength index, 0 to 100; 50 where nothing moved. */
export function relativeStrength(closes: readonly number[], period = 14): Figures {
  let gain = 0;
  let loss = 0;
  return closes.map((close, at) => {
    const before = closes[at - 1];
    if (before === undefined) return null;
    const rise = Math.max(close - before, 0);
    const fall = Math.max(before - close, 0);
    if (at <= period) {
      gain += rise / period;
      loss += fall / period;
      if (at < period) return null;
    } else {
      gain = (gain * (period - 1) + rise) / period;
      loss = (loss * (period - 1) + fall) / period;
    }
    if (gain + loss === 0) return 50;
    return (100 * gain) / (gain + loss);
  });
}

/** Moving average convergence and divergence: fast minus slow, its signal line, and the difference of the two. */
export function convergenceDivergence(closes: readonly number[], fast = 12, slow = 26, signalPeriod = 9): Macd {
  const quick = exponentialAverage(closes, fast);
  const steady = exponentialAverage(closes, slow);
  const macd = quick.map((figure, at) => difference(figure, steady[at]));
  const signal = exponentialAverage(macd, signalPeriod);
  const histogram = macd.map((figure, at) => difference(figure, signal[at]));
  return { macd, signal, histogram };
}

function difference(one: number | null, other: number | null | undefined): number | null {
  return one === null || other === null || other === undefined ? null : one - other;
}
