import type { ConfigDifference } from "../config/change-config.ts";
import type { MicroUsd } from "../money/money.ts";
import { formatMoney } from "../money/money-text.ts";
import { accept, refuse, type Refusal, type Verdict } from "../base/refusal.ts";
import { isWholeCents } from "../money/rounding.ts";
import type { Instant } from "../base/time.ts";

/** Fee and bounds of a withdrawal. They are the same for every member and are shown before they apply. */
export interface WithdrawalTerms {
  readonly minimum: MicroUsd;
  readonly maximum: MicroUsd;
  readonly fee: MicroUsd;
  /** The most that one member may request on a UTC day; null if there is no such limit. */
  readonly dayMax: MicroUsd | null;
}

/** One version of the terms, with the amounts that decide how many operators must approve a withdrawal. */
export interface WithdrawalPolicy extends WithdrawalTerms {
  readonly version: number;
  readonly effectiveAt: Instant;
  /** Withdrawals up to this amount, inclusive, need no operator. */
  readonly automaticMax: MicroUsd;
  /** Withdrawals up to this amount, inclusive, need one operator; above it, two different ones. */
  readonly singleMax: MicroUsd;
}

export const FIRST_WITHDRAWAL_POLICY: Omit<WithdrawalPolicy, "version" | "effectiveAt"> = {
  minimum: 10_000_000n as MicroUsd,
  maximum: 50_000_000_000n as MicroUsd,
  fee: 1_000_000n as MicroUsd,
  dayMax: null,
  automaticMax: 500_000_000n as MicroUsd,
  singleMax: 5_000_000_000n as MicroUsd,
};

/** A change of the terms; fields left out stay unchanged. */
export type WithdrawalChange = {
  readonly [Name in keyof typeof FIRST_WITHDRAWAL_POLICY]?: (typeof FIRST_WITHDRAWAL_POLICY)[Name] | undefined;
};

const AMOUNT_MAX = 1_000_000_000_000n;
const FEE_MAX = 100_000_000n;
const DAY_MS = 86_400_000n;

/**
 * Makes the next version. Refuses FIELD_INVALID with the name of the figure that is out of bounds, or `fee` if nothing
 * would change.
 */
export function changeWithdrawals(
  before: WithdrawalPolicy,
  change: WithdrawalChange,
  next: { readonly version: number; readonly effectiveAt: Instant },
): Verdict<WithdrawalPolicy> {
  const after: WithdrawalPolicy = {
    ...next,
    minimum: change.minimum ?? before.minimum,
    maximum: change.maximum ?? before.maximum,
    fee: change.fee ?? before.fee,
    dayMax: change.dayMax === undefined ? before.dayMax : change.dayMax,
    automaticMax: change.automaticMax ?? before.automaticMax,
    singleMax: change.singleMax ?? before.singleMax,
  };
  const wrong = wrongWithdrawalFigure(after) ?? (withdrawalDifferences(before, after).length === 0 ? "fee" : null);
  return wrong === null ? accept(after) : refuse("FIELD_INVALID", { field: wrong }, { [wrong]: "FIELD_INVALID" });
}

/** Returns the name of the first figure that is out of bounds; null if none is. */
export function wrongWithdrawalFigure(terms: WithdrawalPolicy): string | null {
  const { minimum, maximum, fee, dayMax, automaticMax, singleMax } = terms;
  if (fee > FEE_MAX || !isWholeCents(fee)) return "fee";
  // The smallest withdrawal must exceed the fee, so that something always arrives.
  if (minimum <= fee || !isWholeCents(minimum)) return "minimum";
  if (maximum < minimum || maximum > AMOUNT_MAX || !isWholeCents(maximum)) return "maximum";
  if (dayMax !== null && (dayMax < maximum || dayMax > AMOUNT_MAX || !isWholeCents(dayMax))) return "dayMax";
  if (!isWholeCents(automaticMax)) return "automaticMax";
  return singleMax < automaticMax || !isWholeCents(singleMax) ? "singleMax" : null;
}

/** Returns how long a version must be in the log before it comes into force: a day if it makes any member worse off. */
export function withdrawalNoticeMs(before: WithdrawalTerms, after: WithdrawalTerms): bigint {
  const day = (terms: WithdrawalTerms) => terms.dayMax ?? AMOUNT_MAX * DAY_MS;
  const worse =
    after.fee > before.fee ||
    after.minimum > before.minimum ||
    after.maximum < before.maximum ||
    day(after) < day(before);
  return worse ? DAY_MS : 0n;
}

/** Lists the differences between two versions, named as in the calls: `fee`, `1.00`, `2.00`. */
export function withdrawalDifferences(before: WithdrawalPolicy, after: WithdrawalPolicy): ConfigDifference[] {
  const old = figures(before);
  return Object.entries(figures(after)).flatMap(([what, now]) => {
    const then = old[what] ?? "–";
    return then === now ? [] : [{ what, before: then, after: now }];
  });
}

function figures(terms: WithdrawalPolicy): Record<string, string> {
  return {
    minimum: formatMoney(terms.minimum),
    maximum: formatMoney(terms.maximum),
    fee: formatMoney(terms.fee),
    dayMax: terms.dayMax === null ? "–" : formatMoney(terms.dayMax),
    automaticMax: formatMoney(terms.automaticMax),
    singleMax: formatMoney(terms.singleMax),
  };
}

/** Refuses WITHDRAWAL_DAY_LIMIT[max,left] if the day's sum would exceed the limit; null otherwise. */
export function refuseDayLimit({ dayMax }: WithdrawalTerms, askedToday: MicroUsd, amount: MicroUsd): Refusal | null {
  if (dayMax === null || askedToday + amount <= dayMax) return null;
  const left = (askedToday < dayMax ? dayMax - askedToday : 0n) as MicroUsd;
  return { error: "WITHDRAWAL_DAY_LIMIT", params: { max: formatMoney(dayMax), left: formatMoney(left) } };
}
