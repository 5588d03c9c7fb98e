import { expect, it } from "vitest";
import type { TermsCount } from "./count-settled.ts";
import { sumCounts } from "./sum-counts.ts";

// Tests whether the intervals contain chance results as often as promised, for orders of a fair coin that overlap as much as
// possible.

const TRIALS = 3_000;
/**
 * Orders come in pairs, one in the last step of a window and one in the first step of the next. Windows can't depend on each
 * other more than that.
 */
const [PAIRS, APART] = [20, 24];
const STAKE = 10_000_000n;

/** Creates a generator of pseudorandom numbers between 0 and 1. The same seed gives the same numbers. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Makes a random walk without drift. Its steps have random sizes, so that no order ends at its entry price. */
function walk(random: () => number): number[] {
  const prices = [0];
  for (let step = 0; step < (PAIRS + 2) * APART; step += 1) prices.push((prices[step] ?? 0) + random() - 0.5);
  return prices;
}

/** Counts orders "up" of `duration` steps as the database does, in windows of that length. */
function countOf(prices: readonly number[], duration: number): TermsCount {
  const windows = new Map<number, number>();
  let [won, lost] = [0n, 0n];
  const times = Array.from({ length: PAIRS }, (_, pair) => (pair + 1) * APART).flatMap((at) => [at - 1, at]);
  for (const at of times) {
    const isWon = (prices[at + duration] ?? 0) > (prices[at] ?? 0);
    if (isWon) won += 1n;
    else lost += 1n;
    const window = Math.floor(at / duration);
    windows.set(window, (windows.get(window) ?? 0) + (isWon ? 1 : -1));
  }
  const swing = [...windows.values()].reduce((sum, each) => sum + each ** 2, 0);
  const result = (won - lost) * STAKE;
  const none = { tied: 0n, no_entry: 0n, limit_passed: 0n, no_tick: 0n, stale: 0n };
  const terms = { day: 1n, wallet: "practice", symbol: "EURUSD", direction: "up" } as const;
  const money = { staked: (won + lost) * STAKE, result, fair_twice: 0n, money_swing: swing * Number(STAKE) ** 2 };
  return { ...terms, ...none, ...money, duration, won, lost, swing };
}

/** Returns how many of 1,000 trials lie within the interval: of the share, of the money, and if windows were independent. */
function coverOf(durations: readonly number[]): { share: number; money: number; independent: number } {
  const random = randomFrom(20_261_121);
  const missed = { share: 0, money: 0, independent: 0 };
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const prices = walk(random);
    const counts = durations.map((duration) => countOf(prices, duration));
    const told = sumCounts(counts);
    const [share, from, to] = [told.share, told.shareFrom, told.shareTo].map(Number);
    if (share === undefined || from === undefined || to === undefined) throw new Error("there is no share");
    if (share < from || share > to) missed.share += 1;
    if (Number(told.result) < Number(told.fairFrom) || Number(told.result) > Number(told.fairTo)) missed.money += 1;
    const ahead = counts.reduce((sum, { won, lost }) => sum + Number(won - lost), 0);
    const alone = 3.2905 * Math.sqrt(counts.reduce((sum, { swing }) => sum + swing, 0));
    if (Math.abs(ahead) > alone) missed.independent += 1;
  }
  const cover = (misses: number) => ((TRIALS - misses) * 1_000) / TRIALS;
  return { share: cover(missed.share), money: cover(missed.money), independent: cover(missed.independent) };
}

it.each([
  ["one duration", [6]],
  ["three durations at the same time", [4, 8, 12]],
])("gives intervals that contain at least 999 of 1,000 chance results: %s", (_what, durations) => {
  const { share, money, independent } = coverOf(durations);
  expect(share).toBeGreaterThanOrEqual(999);
  expect(money).toBeGreaterThanOrEqual(999);
  // The windows do depend on each other: intervals that ignore this contain too few trials.
  expect(independent).toBeLessThan(998);
});

it("gives intervals at most half again as wide as needed if windows don't overlap", () => {
  const [windows, each] = [800, 3];
  const swing = windows * each ** 2;
  const count = { ...countOf(walk(randomFrom(1)), 6), won: 1_400n, lost: 1_000n, swing };
  const { shareFrom, shareTo } = sumCounts([count]);
  const needed = (3.2905 * Math.sqrt(swing)) / (windows * each);
  expect((Number(shareTo) - Number(shareFrom)) / needed).toBeCloseTo(Math.SQRT2, 2);
});
