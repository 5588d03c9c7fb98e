import type { WalletState } from "../members/member.ts";
import type { MicroUsd } from "./money.ts";
import type { AgreedOrder, Settlement } from "../orders/order.ts";
import { utcDay, type Instant } from "../base/time.ts";

/** Adds the available and the locked balance. */
export function totalAssets(wallet: Pick<WalletState, "available" | "locked">): MicroUsd {
  return (wallet.available + wallet.locked) as MicroUsd;
}

/** Sums the stakes and fees of running orders. */
export function positionMargin(running: Iterable<Pick<AgreedOrder, "stake" | "fee">>): MicroUsd {
  let margin = 0n;
  for (const order of running) margin += order.stake + order.fee;
  return margin as MicroUsd;
}

/** Sums the profits, with their signs, of orders that were settled on the UTC day of `now`. */
export function todayProfit(
  settled: Iterable<{ readonly settledAt: Instant } & Pick<Settlement, "profit">>,
  now: Instant,
): MicroUsd {
  const today = utcDay(now);
  let profit = 0n;
  for (const each of settled) if (utcDay(each.settledAt) === today) profit += each.profit;
  return profit as MicroUsd;
}
