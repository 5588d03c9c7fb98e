/** Returns the nearest-rank quantile; NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export interface Interval {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;
const CONFIDENCE = 0.99;

/** Returns the median with its 99 % confidence interval (percentile bootstrap). */
export function bootstrapMedian(values: readonly number[]): Interval {
  const medians = Array.from({ length: RESAMPLES }, () =>
    quantile(
      values.map(() => values[Math.floor(Math.random() * values.length)] ?? Number.NaN),
      0.5,
    ),
  );
  const tail = (1 - CONFIDENCE) / 2;
  return { middle: quantile(values, 0.5), low: quantile(medians, tail), high: quantile(medians, 1 - tail) };
}
