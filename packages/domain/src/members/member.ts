import type { MicroUsd } from "../money/money.ts";
import type { Instant } from "../base/time.ts";

export type Standing = "active" | "suspended" | "excluded" | "closed";
export type RegionPolicy = "full" | "practice" | "blocked";

/** One wallet of a member, as read with a lock from `members_money`. */
export interface WalletState {
  readonly available: MicroUsd;
  readonly locked: MicroUsd;
  /** Stakes of running orders. */
  readonly runningStakes: MicroUsd;
  /** Number of running orders. */
  readonly runningOrders: number;
  /** UTC day number (days since 1970) of the two sums below. If it is an earlier day, they count as 0. */
  readonly day: number;
  readonly stakedToday: MicroUsd;
  /** Stakes and fees of orders lost today. Profits of won orders aren't subtracted. */
  readonly lostToday: MicroUsd;
}

/** Limits that members set for themselves; null means none. They apply per wallet and UTC day. */
export interface MemberLimits {
  readonly dailyStakeMax: MicroUsd | null;
  readonly dailyLossMax: MicroUsd | null;
  readonly coolOffUntil: Instant | null;
}
