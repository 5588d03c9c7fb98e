import type { Movement } from "../money/ledger.ts";
import { transferMovement } from "../money/ledger.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { divideUp, RATE_ONE, roundUpToCent } from "../money/rounding.ts";
import type { Instant } from "../base/time.ts";

/** The inner step of a deposit. */
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

/** What a member is shown: Processing, Deposited, Deposit failed. */
export type DepositState = "processing" | "deposited" | "failed";

/** A transaction that a reorganisation removed is most often mined again: only after this long it counts as lost. */
export const ORPHANED_MS_MAX = 24n * 3_600_000n;

/** The state of a stage that was come to at `stageAt`. */
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
  /** What the tokens are worth, in micro-USD. */
  readonly value: MicroUsd;
  /** The value in whole cents, rounded up at the house's cost: what the member gets. */
  readonly credited: MicroUsd;
}

/** What `units` (millionths of a token) bring at a rate of USD for a whole one. */
export function tokenCredit(units: bigint, rate: Rate): TokenCredit {
  const value = divideUp(units * rate, RATE_ONE) as MicroUsd;
  return { value, credited: roundUpToCent(value) };
}

/** The movement of a credited transfer: its value out of the chain's clearing, the part of a cent out of capital. */
export function tokenDepositMovement({ value, credited }: TokenCredit): Movement {
  return transferMovement({
    kind: "deposit",
    amount: value,
    through: "chain_clearing",
    roundedUpBy: (credited - value) as MicroUsd,
  });
}
