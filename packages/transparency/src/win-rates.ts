/** Number of orders that were won, among those that were won or lost. Ties and voids don't count. */
export interface WinCount {
  readonly won: number;
  readonly decided: number;
}

/** A share with its confidence interval. */
export interface Share {
  readonly share: number;
  readonly from: number;
  readonly to: number;
}

/** Half-width of a 99 % confidence interval, in standard deviations. */
const Z99 = 2.575_829_303_5;

/**
 * Calculates a share with Wilson's 99 % confidence interval (Wilson, JASA 22, 1927). With no orders the share is one
 * half and the interval is 0 to 1.
 */
export function winShare({ won, decided }: WinCount): Share {
  if (decided === 0) return { share: 0.5, from: 0, to: 1 };
  const share = won / decided;
  const square = Z99 * Z99;
  const middle = (share + square / (2 * decided)) / (1 + square / decided);
  const spread =
    (Z99 / (1 + square / decided)) * Math.sqrt((share * (1 - share)) / decided + square / (4 * decided ** 2));
  return { share, from: Math.max(0, middle - spread), to: Math.min(1, middle + spread) };
}

/**
 * Calculates how much larger one win rate is than another, with Newcombe's 99 % confidence interval, which combines
 * both shares' intervals (Statistics in Medicine 17, 1998, method 10).
 */
export function compareWins(one: WinCount, other: WinCount): Share {
  const [left, right] = [winShare(one), winShare(other)];
  const share = left.share - right.share;
  return {
    share,
    from: share - Math.hypot(left.share - left.from, right.to - right.share),
    to: share + Math.hypot(left.to - left.share, right.share - right.from),
  };
}

/** Returns whether `value` lies outside the interval. Chance alone causes that once in 100 times. */
export function isBeyond({ from, to }: Share, value: number): boolean {
  return value < from || value > to;
}
