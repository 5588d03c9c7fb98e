import { divideHalfEven, formatMoney, formatRate, type MicroUsd, type Rate, RATE_ONE } from "@fairtick/domain";
import type { Fairness } from "@fairtick/protocol";
import type { TermsCount } from "./count-settled.ts";

export type Sums = Omit<Fairness["byDay"][number], "day" | "wallet">;

/** 99.9 % of a normal distribution lie within this many standard deviations. */
const SIGMAS = 3.2905;

/** Adds up counts, and calculates what chance alone would give: the fair result and the 99.9 % intervals. */
export function sumCounts(counts: readonly TermsCount[]): Sums {
  const total = (pick: (count: TermsCount) => bigint) => counts.reduce((sum, count) => sum + pick(count), 0n);
  const spread = (pick: (count: TermsCount) => number) => SIGMAS * Math.sqrt(varianceOf(counts, pick));
  const won = total((count) => count.won);
  const lost = total((count) => count.lost);
  const tied = total((count) => count.tied);
  const voided = {
    NO_ENTRY_TICK: Number(total((count) => count.no_entry)),
    LIMIT_PASSED: Number(total((count) => count.limit_passed)),
    NO_TICK_BETWEEN: Number(total((count) => count.no_tick)),
    STALE_EXIT: Number(total((count) => count.stale)),
  };
  const voids = Object.values(voided).reduce((sum, each) => sum + each, 0);
  const fair = divideHalfEven(
    total((count) => count.fair_twice),
    2n,
  );
  const around = BigInt(Math.round(spread((count) => count.money_swing)));
  return {
    orders: Number(won + lost + tied) + voids,
    won: Number(won),
    lost: Number(lost),
    tied: Number(tied),
    voided,
    staked: money(total((count) => count.staked)),
    result: money(total((count) => count.result)),
    fairResult: money(fair),
    fairFrom: money(fair - around),
    fairTo: money(fair + around),
    ...shareOf(
      won,
      won + lost,
      spread((count) => count.swing),
    ),
  };
}

/**
 * Returns an upper bound of the sum's variance by chance. An order may run into the next window but never further, so every
 * second window is independent, and the variance of all windows is at most twice the sum of their variances. Orders of
 * different durations also run at the same time; within one direction their standard deviations are added. The two
 * directions of an instrument offset each other, which only narrows the result. Instruments and days count as independent.
 */
function varianceOf(counts: readonly TermsCount[], pick: (count: TermsCount) => number): number {
  const spreads = new Map<string, number>();
  for (const count of counts) {
    const key = `${count.day} ${count.symbol} ${count.direction}`;
    spreads.set(key, (spreads.get(key) ?? 0) + Math.sqrt(2 * pick(count)));
  }
  return [...spreads.values()].reduce((sum, each) => sum + each ** 2, 0);
}

/** Calculates the share of orders won, and its interval. `swing` is how far (won − lost) deviates from 0 by chance. */
function shareOf(won: bigint, decided: bigint, swing: number): Pick<Sums, "share" | "shareFrom" | "shareTo"> {
  if (decided === 0n) return { share: null, shareFrom: null, shareTo: null };
  const half = BigInt(Math.min(500_000, Math.round((swing / (2 * Number(decided))) * 1_000_000)));
  return {
    share: formatRate(divideHalfEven(won * RATE_ONE, decided) as Rate),
    shareFrom: formatRate((RATE_ONE / 2n - half) as Rate),
    shareTo: formatRate((RATE_ONE / 2n + half) as Rate),
  };
}

/** Formats an amount to the cent. The intervals come from floating-point numbers, so more digits would mean nothing. */
function money(amount: bigint): string {
  return formatMoney((divideHalfEven(amount, 10_000n) * 10_000n) as MicroUsd);
}
