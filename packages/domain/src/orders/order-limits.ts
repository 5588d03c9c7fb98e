import type { InstrumentTerms, TradingConfig } from "../market/instrument.ts";
import type { MemberLimits, WalletState } from "../members/member.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { formatMoney } from "../money/money-text.ts";
import type { PlacingMember } from "./placement.ts";
import { calculateAmounts, type QuotedAmounts } from "./quote.ts";
import { divideDown, MICRO_PER_CENT, RATE_ONE, roundDownToCent } from "../money/rounding.ts";
import type { Instant } from "../base/time.ts";
import type { PlacementRefusal } from "./placement-refusals.ts";

/**
 * Refuses SUSPENDED[reason], EXCLUDED[until] or CLOSED. A cool-off that hasn't ended is refused as EXCLUDED with its
 * end.
 */
export function refuseStanding(member: PlacingMember, now: Instant): PlacementRefusal | null {
  switch (member.standing) {
    case "suspended":
      return { error: "SUSPENDED", params: { reason: member.standingReason ?? "" } };
    case "excluded":
      return refuseUntil(member.excludedUntil);
    case "closed":
      return { error: "CLOSED" };
    case "active": {
      const { coolOffUntil } = member.limits;
      return coolOffUntil !== null && coolOffUntil > now ? refuseUntil(coolOffUntil) : null;
    }
  }
}

function refuseUntil(until: Instant | null): PlacementRefusal {
  return until === null ? { error: "EXCLUDED" } : { error: "EXCLUDED", params: { until: Number(until) } };
}

/** Maximum number of a member's running orders in a wallet if the configuration doesn't state one. */
export const MEMBER_RUNNING_ORDERS_MAX = 200;

/**
 * Refuses MEMBER_LIMIT[limit, left, name] if an order would exceed one of its member's limits, which all apply per
 * wallet. `wallet` must have today's sums (`onDay`). For the daily loss, the stakes of running orders count as lost,
 * and so does the new order with its fee.
 */
export function refuseMemberLimit(
  config: Pick<TradingConfig, "memberRunningStakeMax" | "memberRunningOrdersMax">,
  limits: MemberLimits,
  wallet: WalletState,
  offered: Pick<QuotedAmounts, "stake" | "cost">,
): PlacementRefusal | null {
  const { memberRunningStakeMax: running, memberRunningOrdersMax: ordersMax = MEMBER_RUNNING_ORDERS_MAX } = config;
  if (wallet.runningStakes + offered.stake > running)
    return memberLimit("runningStakes", running, wallet.runningStakes);
  if (wallet.runningOrders >= ordersMax)
    return { error: "MEMBER_LIMIT", params: { limit: ordersMax, left: 0, name: "runningOrders" } };
  const { dailyStakeMax, dailyLossMax } = limits;
  if (dailyStakeMax !== null && wallet.stakedToday + offered.stake > dailyStakeMax) {
    return memberLimit("dailyStake", dailyStakeMax, wallet.stakedToday);
  }
  const countedLost = wallet.lostToday + wallet.runningStakes;
  if (dailyLossMax !== null && countedLost + offered.cost > dailyLossMax) {
    return memberLimit("dailyLoss", dailyLossMax, countedLost);
  }
  return null;
}

function memberLimit(name: string, limit: bigint, used: bigint): PlacementRefusal {
  const left = used < limit ? limit - used : 0n;
  return {
    error: "MEMBER_LIMIT",
    params: {
      limit: formatMoney(roundDownToCent(limit as MicroUsd)),
      left: formatMoney(roundDownToCent(left as MicroUsd)),
      name,
    },
  };
}

/**
 * Returns the most that running orders may win: a share of the pool, rounded down; zero for an empty or negative pool.
 */
export function exposureMax(pool: MicroUsd, share: Rate): MicroUsd {
  return (pool <= 0n ? 0n : divideDown(pool * share, RATE_ONE)) as MicroUsd;
}

/** Returns the stake in whole cents whose profit just fits in `room`. EXPOSURE_LIMIT[max] shows it. */
export function largestStakeWithin(
  terms: Pick<InstrumentTerms, "feeRate" | "maxStake">,
  offer: InstrumentTerms["durations"][number],
  room: bigint,
): MicroUsd {
  // Found by bisection. Profit drops by a cent where the fee steps up, so a slightly larger stake may also fit.
  let fits = 0n;
  let over = terms.maxStake / MICRO_PER_CENT + 1n;
  if (room < 0n) return 0n as MicroUsd;
  while (over - fits > 1n) {
    const middle = (fits + over) / 2n;
    const { profitIfWon } = calculateAmounts(terms, offer, (middle * MICRO_PER_CENT) as MicroUsd);
    if (profitIfWon <= room) fits = middle;
    else over = middle;
  }
  return (fits * MICRO_PER_CENT) as MicroUsd;
}
