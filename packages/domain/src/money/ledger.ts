import type { MicroUsd } from "./money.ts";
import type { AgreedOrder, Outcome } from "../orders/order.ts";
import { assertNever } from "../base/assert.ts";

/**
 * Accounts of the house. The ledger is double-entry: each movement of money is a list of postings from one account to
 * another, so it always sums to zero. A movement belongs to one wallet and at most one member, who owns its `available`
 * and `locked`.
 */
export const HOUSE_ACCOUNTS = [
  "pool",
  "fees",
  "capital",
  "bank_clearing",
  "chain_clearing",
  "withdrawal_clearing",
  "referral",
  "practice_issue",
  /** Negative by the amount that members owe for deposits that the bank took back. */
  "receivable",
] as const;
export type HouseAccount = (typeof HOUSE_ACCOUNTS)[number];
export type MemberAccount = "available" | "locked";
export type Account = HouseAccount | MemberAccount;

export const TRANSFER_KINDS = [
  "practice_issue",
  "house_capital",
  "deposit",
  "withdrawal_hold",
  "withdrawal_paid",
  "withdrawal_release",
  "referral",
  "correction",
  "deposit_reversed",
  "debt_settled",
  "sweep",
] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];
/** `release` is the movement of a tied or voided order. */
export type OrderMovementKind = "stake_hold" | "settle_won" | "settle_lost" | "release";
export type MovementKind = OrderMovementKind | TransferKind;

export interface Posting {
  readonly from: Account;
  readonly to: Account;
  /** Always positive. */
  readonly amount: MicroUsd;
}

export interface Movement {
  readonly kind: MovementKind;
  readonly postings: readonly Posting[];
}

/** A movement that doesn't belong to an order. Amounts are positive; only a correction's may be negative. */
export type Transfer =
  | { readonly kind: "practice_issue" | "house_capital" | "referral" | "correction"; readonly amount: MicroUsd }
  /** The bank took `amount` back. `taken` of it was still available; the rest is owed. */
  | { readonly kind: "deposit_reversed"; readonly amount: MicroUsd; readonly taken: MicroUsd }
  /** Tokens were moved from deposit addresses to the paying wallet. */
  | { readonly kind: "sweep"; readonly amount: MicroUsd }
  /** Part of the incoming money pays the member's debt. */
  | { readonly kind: "debt_settled"; readonly amount: MicroUsd }
  /** `amount` came in; the house adds `roundedUpBy` to reach whole cents. */
  | {
      readonly kind: "deposit";
      readonly amount: MicroUsd;
      readonly through: "bank_clearing" | "chain_clearing";
      readonly roundedUpBy?: MicroUsd;
    }
  | { readonly kind: "withdrawal_hold" | "withdrawal_release"; readonly amount: MicroUsd }
  /** `amount` was held; the house keeps `fee` of it. */
  | { readonly kind: "withdrawal_paid"; readonly amount: MicroUsd; readonly fee: MicroUsd };

/**
 * Makes the hold of an accepted order. The application never stores it: the order's row is its hold, which SQL reads as
 * this movement (`stake_hold`). It exists so that the ledger's tests can sum an order's whole life to zero.
 */
export function holdMovement(order: Pick<AgreedOrder, "stake" | "fee">): Movement {
  return movement("stake_hold", [["available", "locked", order.stake + order.fee]]);
}

/**
 * Makes the movement of an outcome. The house keeps the fee if won or lost; everything is returned if tied or voided.
 */
export function settlementMovement(
  order: Pick<AgreedOrder, "stake" | "fee" | "profitIfWon">,
  outcome: Outcome,
): Movement {
  switch (outcome) {
    case "won":
      return movement("settle_won", [
        ["locked", "available", order.stake],
        ["pool", "available", order.profitIfWon + order.fee],
        ["locked", "fees", order.fee],
      ]);
    case "lost":
    case "unrevealed":
      return movement("settle_lost", [
        ["locked", "pool", order.stake],
        ["locked", "fees", order.fee],
      ]);
    case "tied":
    case "voided":
      return movement("release", [["locked", "available", order.stake + order.fee]]);
    default:
      return assertNever(outcome);
  }
}

/** Makes a transfer's postings. Throws for an amount that isn't positive, and for a fee above the amount. */
export function transferMovement(transfer: Transfer): Movement {
  requireSoundAmounts(transfer);
  const { kind, amount } = transfer;
  switch (kind) {
    case "practice_issue":
      return movement(kind, [["practice_issue", "available", amount]]);
    case "house_capital":
      return movement(kind, [["capital", "pool", amount]]);
    case "deposit":
      return movement(kind, [
        [transfer.through, "available", amount],
        ["capital", "available", transfer.roundedUpBy ?? 0n],
      ]);
    case "withdrawal_hold":
      return movement(kind, [["available", "locked", amount]]);
    case "withdrawal_release":
      return movement(kind, [["locked", "available", amount]]);
    case "withdrawal_paid":
      return movement(kind, [
        ["locked", "withdrawal_clearing", amount - transfer.fee],
        ["locked", "fees", transfer.fee],
      ]);
    case "deposit_reversed":
      return movement(kind, [
        ["available", "bank_clearing", transfer.taken],
        ["receivable", "bank_clearing", amount - transfer.taken],
      ]);
    case "sweep":
      return movement(kind, [["withdrawal_clearing", "chain_clearing", amount]]);
    case "debt_settled":
      return movement(kind, [["available", "receivable", amount]]);
    case "referral":
      return movement(kind, [["referral", "available", amount]]);
    case "correction":
      // The other side is the house's capital, so that a correction never counts as a win or loss in the house's
      // result.
      return amount > 0n
        ? movement(kind, [["capital", "available", amount]])
        : movement(kind, [["available", "capital", 0n - amount]]);
    default:
      return assertNever(kind);
  }
}

function requireSoundAmounts(transfer: Transfer): void {
  const { kind, amount } = transfer;
  // A negative correction takes money from the member.
  const movesSomething = kind === "correction" ? amount !== 0n : amount > 0n;
  if (!movesSomething) throw new RangeError(`a ${kind} moves more than nothing`);
  if (kind === "deposit" && (transfer.roundedUpBy ?? 0n) < 0n) throw new RangeError("a deposit is never rounded down");
  if (kind === "withdrawal_paid" && !isPartOf(transfer.fee, amount))
    throw new RangeError("a fee must not exceed its amount");
  if (kind === "deposit_reversed" && !isPartOf(transfer.taken, amount))
    throw new RangeError("the amount taken must not exceed the amount reversed");
}

function isPartOf(part: MicroUsd, whole: MicroUsd): boolean {
  return part >= 0n && part <= whole;
}

/** Returns the change that a movement makes to an account, negative if it takes from it. */
export function balanceChange(postings: readonly Posting[], account: Account): MicroUsd {
  let change = 0n;
  for (const posting of postings) {
    if (posting.to === account) change += posting.amount;
    if (posting.from === account) change -= posting.amount;
  }
  return change as MicroUsd;
}

function movement(kind: MovementKind, lines: readonly (readonly [Account, Account, bigint])[]): Movement {
  const postings = lines
    .filter(([, , amount]) => amount > 0n)
    .map(([from, to, amount]) => ({ from, to, amount: amount as MicroUsd }));
  return { kind, postings };
}
