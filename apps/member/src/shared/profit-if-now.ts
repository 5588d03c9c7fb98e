/** What of an order's figures the reckoning needs; all amounts are decimal text with two places. */
export interface RunningFigures {
  readonly direction: "up" | "down";
  readonly stake: string;
  readonly fee: string;
  /** Decimal text with at most six places. */
  readonly payoutRate: string;
  readonly entryPrice: string | null;
}

function units(decimal: string, places: number): bigint {
  const negative = decimal.startsWith("-");
  const [whole = "0", part = ""] = decimal.replace("-", "").split(".");
  const value = BigInt(whole + part.padEnd(places, "0").slice(0, places));
  return negative ? -value : value;
}

function centsText(cents: bigint): string {
  const size = String(cents < 0n ? -cents : cents).padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${size.slice(0, -2)}.${size.slice(-2)}`;
}

/**
 * What the order would bring if it ended at `livePrice`: shown beside a running order, decided by nobody.
 * The same sums as at settlement: won ⌈stake × rate⌉ − fee, lost −stake − fee, tied 0. Null without both prices.
 */
export function profitIfNow(order: RunningFigures, livePrice: string | undefined): string | null {
  if (order.entryPrice === null || livePrice === undefined) return null;
  const entry = units(order.entryPrice, 12);
  const live = units(livePrice, 12);
  if (live === entry) return "0.00";
  const stake = units(order.stake, 2);
  const fee = units(order.fee, 2);
  const wins = order.direction === "up" ? live > entry : live < entry;
  if (!wins) return centsText(-stake - fee);
  const product = stake * units(order.payoutRate, 6);
  const profit = (product + 999_999n) / 1_000_000n;
  return centsText(profit - fee);
}
