/**
 * Figures of alternating pairs. Drift of the machine affects both sides alike, so their ratio is stable even if times
 * aren't.
 */
export interface PairedFigures {
  readonly subject: readonly number[];
  readonly baseline: readonly number[];
  /** subject / baseline of each pair. */
  readonly ratios: readonly number[];
}

/** Measures baseline and subject alternately, `pairs` times. */
export async function measurePairs(
  pairs: number,
  baseline: () => Promise<number>,
  subject: () => Promise<number>,
): Promise<PairedFigures> {
  const figures = { subject: [] as number[], baseline: [] as number[], ratios: [] as number[] };
  for (let pair = 0; pair < pairs; pair++) {
    const base = await baseline();
    const own = await subject();
    figures.baseline.push(base);
    figures.subject.push(own);
    figures.ratios.push(own / base);
  }
  return figures;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the nearest-rank quantile; NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Formats the smallest and largest value, to show the machine's noise beside a median. */
export function spread(values: readonly number[]): string {
  return `${format(Math.min(...values))}–${format(Math.max(...values))}`;
}

export function format(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
