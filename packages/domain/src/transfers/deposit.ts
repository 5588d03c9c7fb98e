import type { Movement } from "../money/ledger.ts";
import { transferMovement } from "../money/ledger.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { divideUp, RATE_ONE, roundUpToCent } from "../money/rounding.ts";
import type { Instant } from "../base/time.ts";

/** The stages of a deposit as operators see them. */
export const DEPOSIT_STAGES = [
  "confirming",
  "below_minimum",
  "orphaned",
  "wrong_token",
  "credited",
  "rejected",
  "awaiting_transfer",
  "in_review",
  "claimed",
  "linked",
  "reversed",
  "expired",
] as const;
export type DepositStage = (typeof DEPOSIT_STAGES)[number];

/** The state that a member sees: Processing, Deposited or Deposit failed. */
export type DepositState = "processing" | "deposited" | "failed";

/** A transaction that a reorganisation removed is usually mined again, so it counts as lost only after this time. */
export const ORPHANED_MS_MAX = 24n * 3_600_000n;

/** Returns the state that a member sees for the stage that a deposit reached at `stageAt`. */
export function depositState(stage: DepositStage, stageAt: Instant, now: Instant): DepositState {
  switch (stage) {
    case "credited":
      return "deposited";
    case "rejected":
    case "wrong_token":
    case "reversed":
    case "expired":
      return "failed";
    case "orphaned":
      return now - stageAt > ORPHANED_MS_MAX ? "failed" : "processing";
    case "confirming":
    case "below_minimum":
    case "awaiting_transfer":
    case "in_review":
    case "claimed":
    case "linked":
      return "processing";
  }
}

export interface TokenCredit {
  /** Value of the tokens in micro-USD. */
  readonly value: MicroUsd;
  /** Amount credited to the member: the value rounded up to whole cents, at the house's cost. */
  readonly credited: MicroUsd;
}

/** Calculates the value of `units` (millionths of a token) at a rate of USD per whole token. */
export function tokenCredit(units: bigint, rate: Rate): TokenCredit {
  const value = divideUp(units * rate, RATE_ONE) as MicroUsd;
  return { value, credited: roundUpToCent(value) };
}

/**
 * Makes the movement of a credited token transfer. Its value comes from the chain's clearing account, and the amount
 * added by rounding up to a cent comes from the house's capital.
 */
export function tokenDepositMovement({ value, credited }: TokenCredit): Movement {
  return transferMovement({
    kind: "deposit",
    amount: value,
    through: "chain_clearing",
    roundedUpBy: (credited - value) as MicroUsd,
  });
}
