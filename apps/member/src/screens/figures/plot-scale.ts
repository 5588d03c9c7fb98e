/** Where a bar of a plot begins and ends: shares of the plot's height, 0 at its top. */
export interface Bar {
  readonly top: number;
  readonly height: number;
}

/** Bars up and down from one zero line, all to one scale. Without any amount the line lies in the middle. */
export function barsAroundZero(amounts: readonly number[]): { readonly zero: number; readonly bars: readonly Bar[] } {
  const most = Math.max(0, ...amounts);
  const least = Math.min(0, ...amounts);
  const span = most - least;
  if (span === 0) return { zero: 0.5, bars: amounts.map(() => ({ top: 0.5, height: 0 })) };
  const zero = most / span;
  return {
    zero,
    bars: amounts.map((amount) => {
      const height = Math.abs(amount) / span;
      return { top: amount > 0 ? zero - height : zero, height };
    }),
  };
}

/** Bars on bars, from the ground up, to the scale of the highest pile. */
export function piles(rows: readonly (readonly number[])[]): readonly (readonly Bar[])[] {
  const most = Math.max(1, ...rows.map((row) => row.reduce((sum, part) => sum + part, 0)));
  return rows.map((row) => {
    let ground = 1;
    return row.map((part) => {
      const height = part / most;
      ground -= height;
      return { top: ground, height };
    });
  });
}
