import type { ClientId, DeviceId, MemberId, OrderId } from "../base/ids.ts";
import type { MicroUsd, Rate, Wallet } from "../money/money.ts";
import type { Points } from "../market/price.ts";
import type { Tick } from "../market/tick.ts";
import type { Instant } from "../base/time.ts";

export type Direction = "up" | "down";
/** `unrevealed`: a sealed order that wasn't revealed within a week of its expiry. It costs the same as a lost one. */
export type Outcome = "won" | "lost" | "tied" | "voided" | "unrevealed";
/** An outcome as it is booked, where an order that was never revealed counts as lost. */
export type BookedOutcome = Exclude<Outcome, "unrevealed">;

export function bookedOutcome(outcome: Outcome): BookedOutcome {
  return outcome === "unrevealed" ? "lost" : outcome;
}

/** Why an order was voided. The reasons are checked in this order, and the first that applies is used. */
export type VoidReason = "NO_ENTRY_TICK" | "LIMIT_PASSED" | "NO_TICK_BETWEEN" | "STALE_EXIT";

/** What a sealed order has instead of its direction, as signed by its device (`wishText` in seal.ts). */
export interface SealedPart {
  /** 32 bytes: the hash of direction, limit price and nonce (see `sealOf`). */
  readonly seal: Uint8Array;
  readonly deviceId: DeviceId;
  /** Number and hash (32 bytes) of the newest signed head that the device had. */
  readonly seenSlot: bigint;
  readonly seenHash: Uint8Array;
  /** 64 bytes, r and s. */
  readonly signature: Uint8Array;
}

/**
 * What was agreed at acceptance. It never changes afterwards; a sealed order's direction and limit price are revealed
 * later.
 */
export interface AgreedOrder {
  readonly orderId: OrderId;
  readonly memberId: MemberId;
  readonly clientOrderId: ClientId;
  readonly wallet: Wallet;
  readonly symbol: string;
  /** Null while the order is sealed. */
  readonly direction: Direction | null;
  /** Null for an order whose direction was given when it was placed. */
  readonly sealed: SealedPart | null;
  readonly stake: MicroUsd;
  readonly fee: MicroUsd;
  readonly payoutRate: Rate;
  /** Net effect on the wallet if won: ⌈stake × rate⌉ to the cent − fee. */
  readonly profitIfWon: MicroUsd;
  /** Worst entry price that the member accepts; null for any, and while the order is sealed. */
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
  /** Time of the entry tick + duration; null without an entry. */
  readonly expiresAt: Instant | null;
  readonly profit: MicroUsd;
  /** Amount returned to available: stake + profit before fee if won, stake + fee if tied or voided, 0 if lost. */
  readonly credit: MicroUsd;
}
