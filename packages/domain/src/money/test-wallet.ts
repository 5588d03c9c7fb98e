import type { WalletState } from "../members/member.ts";
import type { MicroUsd } from "./money.ts";

/** An unused wallet. */
export const EMPTY_WALLET: WalletState = {
  available: 0n as MicroUsd,
  locked: 0n as MicroUsd,
  runningStakes: 0n as MicroUsd,
  runningOrders: 0,
  day: 0,
  stakedToday: 0n as MicroUsd,
  lostToday: 0n as MicroUsd,
};
