import type { WalletState } from "../members/member.ts";
import type { MicroUsd, Wallet } from "./money.ts";
import type { AgreedOrder, Settlement } from "../orders/order.ts";
import type { WalletExposure } from "../orders/placement.ts";
import { utcDay, type Instant } from "../base/time.ts";

/** available + locked */
export function totalAssets(wallet: Pick<WalletState, "available" | "locked">): MicroUsd {
  return (wallet.available + wallet.locked) as MicroUsd;
}

/** Stakes and fees of running orders. */
export function positionMargin(running: Iterable<Pick<AgreedOrder, "stake" | "fee">>): MicroUsd {
  let margin = 0n;
  for (const order of running) margin += order.stake + order.fee;
  return margin as MicroUsd;
}

/** Profits of what was settled on the UTC day of `now`, with their signs. */
export function todayProfit(
  settled: Iterable<{ readonly settledAt: Instant } & Pick<Settlement, "profit">>,
  now: Instant,
): MicroUsd {
  const today = utcDay(now);
  let profit = 0n;
  for (const each of settled) if (utcDay(each.settledAt) === today) profit += each.profit;
  return profit as MicroUsd;
}

/** What the house could lose on running orders: their profits if won, ups and downs not netted. */
export function exposureOf(
  running: Iterable<Pick<AgreedOrder, "wallet" | "symbol" | "profitIfWon">>,
): Record<Wallet, WalletExposure> {
  const exposure = { practice: emptyExposure(), real: emptyExposure() };
  for (const { wallet, symbol, profitIfWon } of running) {
    const sum = exposure[wallet];
    sum.total = (sum.total + profitIfWon) as MicroUsd;
    sum.bySymbol.set(symbol, ((sum.bySymbol.get(symbol) ?? 0n) + profitIfWon) as MicroUsd);
  }
  return exposure;
}

function emptyExposure(): { total: MicroUsd; bySymbol: Map<string, MicroUsd> } {
  return { total: 0n as MicroUsd, bySymbol: new Map() };
}
