import type { WalletState } from "../members/member.ts";
import type { MicroUsd } from "./money.ts";
import { bookedOutcome, type AgreedOrder, type Settlement } from "../orders/order.ts";

/** Returns the wallet with its daily sums as of `day`: sums of an earlier day become 0. */
export function onDay(wallet: WalletState, day: number): WalletState {
  return wallet.day >= day ? wallet : { ...wallet, day, stakedToday: 0n as MicroUsd, lostToday: 0n as MicroUsd };
}

/** Returns the wallet after an order was accepted on `day`: stake and fee move from available to locked. */
export function afterHold(wallet: WalletState, order: Pick<AgreedOrder, "stake" | "fee">, day: number): WalletState {
  const today = onDay(wallet, day);
  const cost = order.stake + order.fee;
  return {
    available: (today.available - cost) as MicroUsd,
    locked: (today.locked + cost) as MicroUsd,
    runningStakes: (today.runningStakes + order.stake) as MicroUsd,
    runningOrders: today.runningOrders + 1,
    day: today.day,
    stakedToday: (today.stakedToday + order.stake) as MicroUsd,
    lostToday: today.lostToday,
  };
}

/**
 * Returns the wallet after an order was settled on `day`: the held amount leaves locked, and the credit enters
 * available.
 */
export function afterSettlement(
  wallet: WalletState,
  order: Pick<AgreedOrder, "stake" | "fee">,
  settlement: Pick<Settlement, "outcome" | "credit">,
  day: number,
): WalletState {
  const today = onDay(wallet, day);
  const cost = order.stake + order.fee;
  return {
    available: (today.available + settlement.credit) as MicroUsd,
    locked: (today.locked - cost) as MicroUsd,
    runningStakes: (today.runningStakes - order.stake) as MicroUsd,
    runningOrders: today.runningOrders - 1,
    day: today.day,
    stakedToday: today.stakedToday,
    lostToday: (bookedOutcome(settlement.outcome) === "lost" ? today.lostToday + cost : today.lostToday) as MicroUsd,
  };
}
