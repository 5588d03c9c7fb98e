/** A bar of a plot, in shares of the plot's height, 0 at its top. */
export interface Bar {
  readonly top: number;
  readonly height: number;
}

/** Returns bars above and below a zero line, all to one scale. If all amounts are zero, the line is in the middle. */
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

/** How many columns' width a figure takes, for every eight columns. */
const MARK_ROOM = 2;

/**
 * Returns the columns that show their figure: the highest, the lowest if it is a loss, the newest and the oldest, in
 * this order, as far as they fit side by side. `places` is how many columns the plot has room for.
 */
export function markedColumns(amounts: readonly number[], places: number): readonly number[] {
  const room = MARK_ROOM * Math.max(1, places / 8);
  const most = amounts.indexOf(Math.max(...amounts));
  const least = amounts.indexOf(Math.min(...amounts));
  const wanted = [most, ...((amounts[least] ?? 0) < 0 ? [least] : []), amounts.length - 1, 0];
  const marked: number[] = [];
  for (const place of wanted)
    if (
      amounts[place] !== undefined &&
      amounts[place] !== 0 &&
      marked.every((other) => Math.abs(other - place) >= room)
    )
      marked.push(place);
  return marked;
}

/** Returns stacked bars, from the bottom up, to the scale of the highest stack. */
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
