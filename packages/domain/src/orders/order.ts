import type { ClientId, MemberId, OrderId } from "../base/ids.ts";
import type { MicroUsd, Rate, Wallet } from "../money/money.ts";
import type { Points } from "../market/price.ts";
import type { Tick } from "../market/tick.ts";
import type { Instant } from "../base/time.ts";

export type Direction = "up" | "down";
export type Outcome = "won" | "lost" | "tied" | "voided";
/** In the order in which they are examined: the first that applies is the reason. */
export type VoidReason = "NO_ENTRY_TICK" | "LIMIT_PASSED" | "NO_TICK_BETWEEN" | "STALE_EXIT";

/** What was agreed at acceptance. Never changes afterwards. */
export interface AgreedOrder {
  readonly orderId: OrderId;
  readonly memberId: MemberId;
  readonly clientOrderId: ClientId;
  readonly wallet: Wallet;
  readonly symbol: string;
  readonly direction: Direction;
  readonly stake: MicroUsd;
  readonly fee: MicroUsd;
  readonly payoutRate: Rate;
  /** Net effect on the wallet if won: ⌈stake × rate⌉ to the cent − fee. */
  readonly profitIfWon: MicroUsd;
  /** Worst entry price that the member accepts; null for any. */
  readonly limitPrice: Points | null;
  readonly durationSeconds: number;
  readonly acceptedAt: Instant;
  readonly configVersion: number;
}

/** How an order ended. `profit` is the net effect on the wallet and may be negative. */
export interface Settlement {
  readonly outcome: Outcome;
  readonly voidReason: VoidReason | null;
  readonly entry: Tick | null;
  readonly exit: Tick | null;
  /** Entry tick's time + duration; null without an entry. */
  readonly expiresAt: Instant | null;
  readonly profit: MicroUsd;
  /** What goes back to available: stake + profit before fee if won, stake + fee if tied or voided, 0 if lost. */
  readonly credit: MicroUsd;
}
