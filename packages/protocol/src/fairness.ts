import * as v from "valibot";
import * as f from "./fields.ts";
import * as s from "./shapes.ts";

/**
 * The shape of `/fairness.json`: what happened to all orders, counted from the tables. A share is the part won of all won or lost
 * orders. Its interval contains 99.9 % of such sets of orders if each window were a fair coin.
 */
const sums = {
  orders: s.count,
  won: s.count,
  lost: s.count,
  tied: s.count,
  voided: v.object({
    NO_ENTRY_TICK: s.count,
    LIMIT_PASSED: s.count,
    NO_TICK_BETWEEN: s.count,
    STALE_EXIT: s.count,
  }),
  /** Stakes of orders that weren't voided. */
  staked: s.money,
  /** The members' net result. */
  result: s.money,
  /** The expected result at even odds with the agreed rates and fees, and the interval around it. */
  fairResult: s.money,
  fairFrom: s.money,
  fairTo: s.money,
  /** won / (won + lost); null if no order was won or lost. */
  share: v.nullable(s.rateText),
  shareFrom: v.nullable(s.rateText),
  shareTo: v.nullable(s.rateText),
};
const times = v.object({ count: s.count, p50: v.nullable(s.count), p95: v.nullable(s.count) });

export const fairness = v.object({
  asOf: s.time,
  /** UTC days counted, today included. */
  days: s.count,
  wallets: v.array(
    v.object({
      wallet: f.wallet,
      ...sums,
      /** Number of members with a won or lost order, and how many of them have a negative result. */
      members: s.count,
      membersLost: s.count,
      /**
       * Sealed orders that were never revealed, not included in `orders`: lost ones, and ones voided by their prices.
       */
      unrevealed: s.count,
      unrevealedVoided: s.count,
    }),
  ),
  byDay: v.array(v.object({ day: s.text, wallet: f.wallet, ...sums })),
  byTerms: v.array(v.object({ wallet: f.wallet, symbol: s.text, duration: s.count, direction: f.direction, ...sums })),
  /** Milliseconds, over the last 24 hours; for withdrawals, over all days. */
  entryDelay: times,
  settlementDelay: times,
  withdrawalTime: times,
  /** Changes of members' balances by operators. */
  corrections: v.object({ count: s.count, credited: s.money, debited: s.money }),
  /**
   * Full minutes since each instrument's first logged price in the last 24 hours, and how many of them have no price.
   */
  gaps: v.array(v.object({ symbol: s.text, minutes: s.count, missing: s.count })),
  /** The newest published sum of all real balances; null before anything was owed. `root` is hexadecimal. */
  liabilities: v.nullable(v.object({ day: s.text, at: s.time, members: s.count, sum: s.money, root: s.text })),
  /** Number of orders refused with a signed refusal, by reason as named in the public log, most frequent first. */
  refusals: v.array(v.object({ reason: s.text, count: s.count })),
  /**
   * Periods in which a part of the house stood still, from the public log. `ms` is their total. `unsigned` names the witnesses
   * that did not sign meanwhile.
   */
  incidents: v.array(
    v.object({
      part: v.picklist(["house", "log", "prices", "settlement", "source"]),
      count: s.count,
      ms: s.count,
      lastAt: s.time,
      unsigned: v.array(s.text),
    }),
  ),
  /** SHA-256 of `/verifier.tgz` in hexadecimal; null if the house serves none. */
  verifier: v.nullable(s.text),
  /** The house's own accounts of the real wallet, and what its paying wallets held when their chain was last read. */
  reserves: v.object({
    house: s.exactMoney,
    chains: v.array(v.object({ chain: s.text, address: s.text, tokens: s.usdtText, seenAt: s.time })),
  }),
});
export type Fairness = v.InferOutput<typeof fairness>;

/** The shape of `/fairness/2026-11-21.json`: one day by instrument and duration. */
export const fairnessDay = v.object({
  asOf: s.time,
  day: s.text,
  cells: v.array(v.object({ wallet: f.wallet, symbol: s.text, duration: s.count, ...sums })),
});
export type FairnessDay = v.InferOutput<typeof fairnessDay>;
