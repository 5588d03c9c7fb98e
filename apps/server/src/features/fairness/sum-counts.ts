import { divideHalfEven, formatMoney, formatRate, type MicroUsd, type Rate, RATE_ONE } from "@fairtick/domain";
import type { Fairness } from "@fairtick/protocol";
import type { TermsCount } from "./count-settled.ts";

export type Sums = Omit<Fairness["byDay"][number], "day" | "wallet">;

/** Of a normal distribution, 99.9 % lie within so many standard deviations. */
const SIGMAS = 3.2905;

/** Adds up any counts: figures with what chance alone would give beside them. */
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
 * How far chance takes the sum, at most. An order of one window may run into the next one, never further: every other window
 * is a coin of its own, and both halves together vary at most twice as much as they do apart. Orders of several durations run
 * at the same time, too; in one direction their spreads add up. The two directions of a product pull apart, which only
 * narrows; products and days are taken as independent.
 */
function varianceOf(counts: readonly TermsCount[], pick: (count: TermsCount) => number): number {
  const spreads = new Map<string, number>();
  for (const count of counts) {
    const key = `${count.day} ${count.symbol} ${count.direction}`;
    spreads.set(key, (spreads.get(key) ?? 0) + Math.sqrt(2 * pick(count)));
  }
  return [...spreads.values()].reduce((sum, each) => sum + each ** 2, 0);
}

/** `swing`: how far (won − lost) goes by chance. */
function shareOf(won: bigint, decided: bigint, swing: number): Pick<Sums, "share" | "shareFrom" | "shareTo"> {
  if (decided === 0n) return { share: null, shareFrom: null, shareTo: null };
  const half = BigInt(Math.min(500_000, Math.round((swing / (2 * Number(decided))) * 1_000_000)));
  return {
    share: formatRate(divideHalfEven(won * RATE_ONE, decided) as Rate),
    shareFrom: formatRate((RATE_ONE / 2n - half) as Rate),
    shareTo: formatRate((RATE_ONE / 2n + half) as Rate),
  };
}

/** To the cent: what was squared and rooted has no more. */
function money(amount: bigint): string {
  return formatMoney((divideHalfEven(amount, 10_000n) * 10_000n) as MicroUsd);
}
