import type { DurationOffer, InstrumentTerms } from "../market/instrument.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { formatMoney } from "../money/money-text.ts";
import { accept, refuse, type Verdict } from "../base/refusal.ts";
import { divideDown, divideUp, MICRO_PER_CENT, RATE_ONE, shareDownToCent, shareUpToCent } from "../money/rounding.ts";
import type { PlacementRefusal } from "./placement-refusals.ts";

/** What a stake pays and costs at a fixed payout rate and fee. */
export interface Returns {
  /** Net effect on the wallet if won: ⌈stake × payout rate⌉ to the cent − fee. */
  readonly profitIfWon: MicroUsd;
  /** Amount returned if won: stake + ⌈stake × payout rate⌉. */
  readonly payout: MicroUsd;
  /** Amount held at acceptance: stake + fee. */
  readonly cost: MicroUsd;
}

/** The amounts to which a member agrees. They are rounded to cents here, once, and never at the member's expense. */
export interface QuotedAmounts extends Returns {
  readonly stake: MicroUsd;
  readonly durationSeconds: number;
  readonly payoutRate: Rate;
  readonly feeRate: Rate;
  /** stake × fee rate, rounded down to the cent. */
  readonly fee: MicroUsd;
}

/** The figures that a member sees before they agree. */
export interface Quote extends QuotedAmounts {
  /**
   * The share of orders to win so as to lose nothing: (1 + fee rate) / (1 + payout rate), rounded up so as never to
   * look better.
   */
  readonly breakEven: Rate;
}

/**
 * Quotes a stake of whole cents. Refuses, in this order: DURATION_NOT_OFFERED, STAKE_BELOW_MINIMUM[min],
 * STAKE_ABOVE_MAXIMUM[max].
 */
export function quote(terms: InstrumentTerms, durationSeconds: number, stake: MicroUsd): Verdict<Quote> {
  const offer = findOffer(terms, durationSeconds);
  if (offer === undefined) return refuse("DURATION_NOT_OFFERED");
  const refusal = refuseStake(terms, stake);
  if (refusal !== null) return { ok: false, refusal };
  return accept(calculateQuote(terms, offer, stake));
}

export function findOffer(terms: InstrumentTerms, durationSeconds: number): DurationOffer | undefined {
  return terms.durations.find((offer) => offer.seconds === durationSeconds);
}

/** Refuses STAKE_BELOW_MINIMUM[min] or STAKE_ABOVE_MAXIMUM[max]; null if the stake is within both. */
export function refuseStake(terms: InstrumentTerms, stake: MicroUsd): PlacementRefusal | null {
  if (stake < terms.minStake) return { error: "STAKE_BELOW_MINIMUM", params: { min: formatMoney(terms.minStake) } };
  if (stake > terms.maxStake) return { error: "STAKE_ABOVE_MAXIMUM", params: { max: formatMoney(terms.maxStake) } };
  return null;
}

/** Quotes a stake of whole cents without checking that the instrument accepts it. */
export function calculateQuote(terms: Pick<InstrumentTerms, "feeRate">, offer: DurationOffer, stake: MicroUsd): Quote {
  return { ...calculateAmounts(terms, offer, stake), breakEven: breakEvenRate(terms.feeRate, offer.payoutRate) };
}

/** Calculates the amounts of a quote, without the figure that is only shown on screens. */
export function calculateAmounts(
  terms: Pick<InstrumentTerms, "feeRate">,
  offer: DurationOffer,
  stake: MicroUsd,
): QuotedAmounts {
  const fee = shareDownToCent(stake, terms.feeRate);
  const { payoutRate } = offer;
  return {
    stake,
    durationSeconds: offer.seconds,
    payoutRate,
    feeRate: terms.feeRate,
    fee,
    ...calculateReturns({ stake, payoutRate, fee }),
  };
}

/** Calculates the returns of a stake in whole cents at these terms. The gain is rounded up to the cent. */
export function calculateReturns({
  stake,
  payoutRate,
  fee,
}: Pick<QuotedAmounts, "stake" | "payoutRate" | "fee">): Returns {
  const gain = shareUpToCent(stake, payoutRate);
  return {
    profitIfWon: (gain - fee) as MicroUsd,
    payout: (stake + gain) as MicroUsd,
    cost: (stake + fee) as MicroUsd,
  };
}

/** Calculates the break-even share from the terms: (1 + fee rate) / (1 + payout rate), rounded up. */
export function breakEvenRate(feeRate: Rate, payoutRate: Rate): Rate {
  return divideUp((RATE_ONE + feeRate) * RATE_ONE, RATE_ONE + payoutRate) as Rate;
}

/**
 * Calculates the break-even share from rounded amounts: cost / payout, rounded up so that it never looks better than it
 * is.
 */
export function breakEvenOf({ cost, payout }: Pick<Returns, "cost" | "payout">): Rate {
  return divideUp(cost * RATE_ONE, payout) as Rate;
}

/**
 * Calculates the average result of an order if up and down are equally likely, rounded down to the cent. It is the
 * house's edge with opposite sign.
 */
export function averageAtEvenOdds({ profitIfWon, cost }: Pick<Returns, "profitIfWon" | "cost">): MicroUsd {
  return (divideDown(profitIfWon - cost, 2n * MICRO_PER_CENT) * MICRO_PER_CENT) as MicroUsd;
}

/** Returns the largest stake in whole cents that `available` covers together with its fee. */
export function largestStakeFor(available: MicroUsd, feeRate: Rate): MicroUsd {
  const stake = divideDown(available * RATE_ONE, (RATE_ONE + feeRate) * MICRO_PER_CENT) * MICRO_PER_CENT;
  // The fee is rounded down, so one cent more than the division gives may still fit.
  const more = (stake + MICRO_PER_CENT) as MicroUsd;
  return more + shareDownToCent(more, feeRate) <= available ? more : (stake as MicroUsd);
}
