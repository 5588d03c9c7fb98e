import type { WithdrawalStage } from "@fairtick/domain";
import type { Bus } from "../../platform/bus.ts";

/** A withdrawal that reached a stage or moved within one (another confirmation). */
export interface MovedWithdrawal {
  readonly memberId: bigint;
  readonly withdrawalId: bigint;
  readonly stage: WithdrawalStage;
}

/**
 * Announces withdrawals on the bus. Every verb and the payout call it after their commit. Readers that must not miss
 * one use the table `withdrawal_steps` instead, which the database writes in the transaction of each step.
 */
export function announceWithdrawals(bus: Bus, moved: readonly MovedWithdrawal[]): void {
  if (moved.length === 0) return;
  bus.publish("withdrawals", {
    members: moved.map(({ memberId }) => memberId),
    withdrawalIds: moved.map(({ withdrawalId }) => withdrawalId),
  });
  const booked = moved.filter(({ stage }) => MOVES_MONEY.has(stage));
  if (booked.length > 0) bus.publish("accounts", { members: [...new Set(booked.map(({ memberId }) => memberId))] });
}

const MOVES_MONEY: ReadonlySet<WithdrawalStage> = new Set([
  "requested",
  "confirmed",
  "canceled",
  "rejected",
  "reverted",
]);
