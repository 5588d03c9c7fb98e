import type { DepositStage } from "../transfers/deposit.ts";
import { balanceChange, type Movement, type MovementKind } from "./ledger.ts";
import type { WalletState } from "../members/member.ts";
import type { MicroUsd } from "./money.ts";
import { formatMoney } from "./money-text.ts";
import { PRACTICE_START, REFILL_BELOW } from "../config/first-config.ts";
import { accept, refuse, type Verdict } from "../base/refusal.ts";

/** The kinds of fund record, shown as System, Deposit, Withdraw and Instant trade. */
export const FUND_RECORD_TYPES = ["system", "deposit", "withdraw", "trade"] as const;
export type FundRecordType = (typeof FUND_RECORD_TYPES)[number];

/** The remark of a record. Its text is `assets.remark.<key>` in the reader's language. */
export type FundRemark =
  | "practiceIssue"
  | "referral"
  | "correction"
  | "deposit"
  | "depositReversed"
  | "debtSettled"
  | "withdrawalHold"
  | "withdrawalRelease"
  | "stake"
  | "payout"
  | "release";

/**
 * The remark on a deposit request's record, which says where the money is. It never claims that money arrived before it
 * did.
 */
export type DepositRemark =
  | "deposit"
  | "depositAwaiting"
  | "depositReview"
  | "depositClaimed"
  | "depositConfirming"
  | "depositBelowMinimum"
  | "depositOrphaned"
  | "depositRejected"
  | "depositWrongToken"
  | "depositExpired"
  | "depositReversed";

export const DEPOSIT_REMARK_OF: Readonly<Record<DepositStage, DepositRemark>> = {
  awaiting_transfer: "depositAwaiting",
  in_review: "depositReview",
  linked: "depositReview",
  claimed: "depositClaimed",
  confirming: "depositConfirming",
  below_minimum: "depositBelowMinimum",
  orphaned: "depositOrphaned",
  rejected: "depositRejected",
  wrong_token: "depositWrongToken",
  expired: "depositExpired",
  reversed: "depositReversed",
  credited: "deposit",
};

export interface FundRecordFacts {
  readonly type: FundRecordType;
  /** Change of the available balance, with its sign. */
  readonly amount: MicroUsd;
  readonly remark: FundRemark;
}

/** Kind of movement → its type and remark for the member; null for kinds that don't change the available balance. */
export const FUND_RECORD_OF: Readonly<
  Record<MovementKind, { readonly type: FundRecordType; readonly remark: FundRemark } | null>
> = {
  practice_issue: { type: "system", remark: "practiceIssue" },
  house_capital: null,
  deposit: { type: "deposit", remark: "deposit" },
  deposit_reversed: { type: "deposit", remark: "depositReversed" },
  sweep: null,
  debt_settled: { type: "system", remark: "debtSettled" },
  withdrawal_hold: { type: "withdraw", remark: "withdrawalHold" },
  withdrawal_paid: null,
  withdrawal_release: { type: "withdraw", remark: "withdrawalRelease" },
  referral: { type: "system", remark: "referral" },
  correction: { type: "system", remark: "correction" },
  stake_hold: { type: "trade", remark: "stake" },
  settle_won: { type: "trade", remark: "payout" },
  settle_lost: null,
  release: { type: "trade", remark: "release" },
};

/** Makes the fund record of a movement; null if the available balance doesn't change. */
export function fundRecord(movement: Movement): FundRecordFacts | null {
  const seen = FUND_RECORD_OF[movement.kind];
  return seen === null ? null : { ...seen, amount: balanceChange(movement.postings, "available") };
}

/**
 * Returns the amount that a refill adds to a practice wallet to restore 10,000.00. Refuses REFILL_NOT_NEEDED[below].
 */
export function refillAmount(practice: Pick<WalletState, "available" | "locked">): Verdict<MicroUsd> {
  const held = practice.available + practice.locked;
  if (held >= REFILL_BELOW) return refuse("REFILL_NOT_NEEDED", { below: formatMoney(REFILL_BELOW) });
  return accept((PRACTICE_START - held) as MicroUsd);
}
