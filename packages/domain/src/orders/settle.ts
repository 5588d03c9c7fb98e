import type { MicroUsd } from "../money/money.ts";
import type { AgreedOrder, Direction, Outcome, Settlement, VoidReason } from "./order.ts";
import type { Points } from "../market/price.ts";
import type { Tick } from "../market/tick.ts";
import type { Instant } from "../base/time.ts";

/** The entry tick must come within this time after `acceptedAt`, inclusive; otherwise the order is voided. */
export const ENTRY_WINDOW_MS = 10_000n;

/** A sealed order can be revealed for this long after its expiry (seven days). After that it counts as lost. */
export const REVEAL_WITHIN_MS = 604_800_000n;

/** The fields of an order that the rules need to find its entry. */
export type EntryTerms = Pick<AgreedOrder, "acceptedAt" | "durationSeconds" | "direction" | "limitPrice">;

/**
 * The decision about an order's entry, as far as the market has sealed its ticks. `waiting`: no entry yet. `entered`:
 * the order runs until `expiresAt`. `voided`: NO_ENTRY_TICK (then `entry` is null) or LIMIT_PASSED.
 */
export type EntryDecision =
  | { readonly kind: "waiting" }
  | { readonly kind: "entered"; readonly entry: Tick; readonly expiresAt: Instant }
  | { readonly kind: "voided"; readonly reason: VoidReason; readonly entry: Tick | null };

/**
 * Decides an order's entry by the first tick later than `acceptedAt` (null if none is known). It uses no tick that the
 * market hasn't sealed yet, so that every worker and every restart comes to the same decision. Throws for a tick at or
 * before `acceptedAt`.
 */
export function decideEntry(order: EntryTerms, firstTick: Tick | null, sealedThrough: Instant): EntryDecision {
  const windowEnd = order.acceptedAt + ENTRY_WINDOW_MS;
  if (firstTick !== null && firstTick.time <= order.acceptedAt) throw new Error("a tick at acceptance is no entry");
  if (firstTick === null || firstTick.time > windowEnd) {
    return sealedThrough >= windowEnd ? { kind: "voided", reason: "NO_ENTRY_TICK", entry: null } : { kind: "waiting" };
  }
  if (firstTick.time > sealedThrough) return { kind: "waiting" };
  if (passesLimit(order, firstTick.price)) return { kind: "voided", reason: "LIMIT_PASSED", entry: firstTick };
  return { kind: "entered", entry: firstTick, expiresAt: expiryOf(firstTick, order.durationSeconds) };
}

/** Returns when an order expires: the time of its entry tick plus its duration. */
export function expiryOf(entry: Tick, durationSeconds: number): Instant {
  return (entry.time + BigInt(durationSeconds) * 1_000n) as Instant;
}

/**
 * Returns whether a price is worse than the member accepts. The limit itself is still accepted; the limit of a sealed
 * order is unknown.
 */
export function passesLimit(order: Pick<AgreedOrder, "direction" | "limitPrice">, price: Points): boolean {
  if (order.limitPrice === null || order.direction === null) return false;
  return order.direction === "up" ? price > order.limitPrice : price < order.limitPrice;
}

export type ExitDecision =
  | { readonly kind: "waiting" }
  | { readonly kind: "exited"; readonly exit: Tick }
  | { readonly kind: "voided"; readonly reason: VoidReason; readonly exit: Tick | null };

/**
 * Decides an order's exit by the last tick at or before `expiresAt` (the entry tick itself or null if none came after
 * it), once everything up to the expiry is sealed. Voids with NO_TICK_BETWEEN, then STALE_EXIT; an exit that is exactly
 * `staleExitMs` old is valid.
 */
export function decideExit(
  entry: Tick,
  expiresAt: Instant,
  lastTick: Tick | null,
  sealedThrough: Instant,
  staleExitMs: bigint,
): ExitDecision {
  if (sealedThrough < expiresAt) return { kind: "waiting" };
  if (lastTick !== null && lastTick.time > expiresAt) throw new Error("a tick after the expiry is no exit");
  if (lastTick === null || lastTick.time <= entry.time) {
    return { kind: "voided", reason: "NO_TICK_BETWEEN", exit: null };
  }
  if (expiresAt - lastTick.time > staleExitMs) return { kind: "voided", reason: "STALE_EXIT", exit: lastTick };
  return { kind: "exited", exit: lastTick };
}

/** Decides won, lost or tied by the two prices and the direction. Nothing else may decide an outcome. */
export function calculateOutcome(entry: Points, exit: Points, direction: Direction): "won" | "lost" | "tied" {
  if (exit === entry) return "tied";
  return exit > entry === (direction === "up") ? "won" : "lost";
}

/**
 * Calculates the net effect on the wallet and the amount returned to available from the agreed figures. Nothing is
 * rounded again.
 */
export function calculateResult(
  order: Pick<AgreedOrder, "stake" | "fee" | "profitIfWon">,
  outcome: Outcome,
): { readonly profit: MicroUsd; readonly credit: MicroUsd } {
  const cost = (order.stake + order.fee) as MicroUsd;
  switch (outcome) {
    case "won":
      return { profit: order.profitIfWon, credit: (cost + order.profitIfWon) as MicroUsd };
    case "lost":
    case "unrevealed":
      return { profit: (0n - cost) as MicroUsd, credit: 0n as MicroUsd };
    case "tied":
    case "voided":
      return { profit: 0n as MicroUsd, credit: cost };
  }
}

/** An order with everything that decides it. */
export interface DueOrder {
  /** Direction and limit price as agreed, or as revealed since. */
  readonly order: AgreedOrder;
  /** From the instrument's terms in the order's configuration version. */
  readonly staleExitMs: bigint;
  /** The first tick later than `acceptedAt`, or null. */
  readonly firstTick: Tick | null;
  /** The last tick at or before the expiry, or null. It isn't used while there is no entry. */
  readonly lastTick: Tick | null;
  readonly sealedThrough: Instant;
  /**
   * The moment until which all reveals are known, needed only for orders that are still sealed, to tell whether their
   * time to be revealed has passed.
   */
  readonly now?: Instant;
}

/**
 * Settles an order. Returns null while the market hasn't sealed the ticks that decide it, or while the order itself is
 * still sealed. Ticks that void an order in either direction also void a sealed one. Any other sealed order becomes
 * `unrevealed` when its time to be revealed has passed.
 */
export function settleOrder(due: DueOrder): Settlement | null {
  const { order, firstTick, lastTick, sealedThrough, staleExitMs } = due;
  const entered = decideEntry(order, firstTick, sealedThrough);
  if (entered.kind === "waiting") return null;
  if (entered.kind === "voided") return voided(order, entered.reason, entered.entry, null);
  const { entry, expiresAt } = entered;
  const exited = decideExit(entry, expiresAt, lastTick, sealedThrough, staleExitMs);
  if (exited.kind === "waiting") return null;
  if (exited.kind === "voided") return voided(order, exited.reason, entry, exited.exit);
  const outcome = outcomeOf(due, entry, exited.exit, expiresAt);
  if (outcome === null) return null;
  return { outcome, voidReason: null, entry, exit: exited.exit, expiresAt, ...calculateResult(order, outcome) };
}

/**
 * Returns whether only the direction is missing, because the market has sealed the ticks but the member hasn't revealed
 * the order.
 */
export function awaitsReveal({ order, ...due }: DueOrder): boolean {
  if (order.direction !== null || settleOrder({ ...due, order }) !== null) return false;
  return settleOrder({ ...due, order: { ...order, direction: "up" } }) !== null;
}

function outcomeOf({ order, now }: DueOrder, entry: Tick, exit: Tick, expiresAt: Instant): Outcome | null {
  if (order.direction !== null) return calculateOutcome(entry.price, exit.price, order.direction);
  return now !== undefined && now >= expiresAt + REVEAL_WITHIN_MS ? "unrevealed" : null;
}

function voided(order: AgreedOrder, reason: VoidReason, entry: Tick | null, exit: Tick | null): Settlement {
  return {
    outcome: "voided",
    voidReason: reason,
    entry,
    exit,
    expiresAt: entry === null ? null : expiryOf(entry, order.durationSeconds),
    ...calculateResult(order, "voided"),
  };
}
