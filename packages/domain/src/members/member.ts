import type { MicroUsd } from "../money/money.ts";
import type { Instant } from "../base/time.ts";

export type Standing = "active" | "suspended" | "excluded" | "closed";
export type RegionPolicy = "full" | "practice" | "blocked";

/** One wallet of a member, as locked in `members_money`. */
export interface WalletState {
  readonly available: MicroUsd;
  readonly locked: MicroUsd;
  /** Stakes of running orders. */
  readonly runningStakes: MicroUsd;
  /** How many orders run. */
  readonly runningOrders: number;
  /** UTC day number (days since 1970) that the two sums below belong to; an earlier day counts as 0. */
  readonly day: number;
  readonly stakedToday: MicroUsd;
  /** Stakes and fees of the orders lost today; what was won is not subtracted. */
  readonly lostToday: MicroUsd;
}

/** Limits a member set for themselves; null means none. They count per wallet and UTC day. */
export interface MemberLimits {
  readonly dailyStakeMax: MicroUsd | null;
  readonly dailyLossMax: MicroUsd | null;
  readonly coolOffUntil: Instant | null;
}
