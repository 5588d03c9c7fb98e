import type { DurationOffer, InstrumentTerms } from "../market/instrument.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { formatMoney } from "../money/money-text.ts";
import { accept, refuse, type Refusal, type Verdict } from "../base/refusal.ts";
import { divideUp, RATE_ONE, shareDownToCent, shareUpToCent } from "../money/rounding.ts";

/** What a member agrees to. Cents are rounded here, once, never against him. */
export interface QuotedAmounts {
  readonly stake: MicroUsd;
  readonly durationSeconds: number;
  readonly payoutRate: Rate;
  readonly feeRate: Rate;
  /** stake × fee rate, down to the cent. */
  readonly fee: MicroUsd;
  /** Net effect on the wallet if won: ⌈stake × payout rate⌉ to the cent − fee. */
  readonly profitIfWon: MicroUsd;
  /** What comes back if won: stake + ⌈stake × payout rate⌉. */
  readonly payout: MicroUsd;
  /** What is held: stake + fee. */
  readonly cost: MicroUsd;
}

/** What he sees before he agrees. */
export interface Quote extends QuotedAmounts {
  /** Share of orders to be won so as not to lose: (1 + fee rate) / (1 + payout rate), up, so that it never flatters. */
  readonly breakEven: Rate;
}

/**
 * The quote for a stake of whole cents. Refuses, in this order: DURATION_NOT_OFFERED, STAKE_BELOW_MINIMUM[min],
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

/** STAKE_BELOW_MINIMUM or STAKE_ABOVE_MAXIMUM with the dollar value, or null for a stake within both. */
export function refuseStake(terms: InstrumentTerms, stake: MicroUsd): Refusal | null {
  if (stake < terms.minStake) return { error: "STAKE_BELOW_MINIMUM", params: { min: formatMoney(terms.minStake) } };
  if (stake > terms.maxStake) return { error: "STAKE_ABOVE_MAXIMUM", params: { max: formatMoney(terms.maxStake) } };
  return null;
}

/** Of a stake of whole cents, whether or not the instrument takes it. */
export function calculateQuote(terms: Pick<InstrumentTerms, "feeRate">, offer: DurationOffer, stake: MicroUsd): Quote {
  return { ...calculateAmounts(terms, offer, stake), breakEven: breakEvenRate(terms.feeRate, offer.payoutRate) };
}

/** The same without what only a screen shows. */
export function calculateAmounts(
  terms: Pick<InstrumentTerms, "feeRate">,
  offer: DurationOffer,
  stake: MicroUsd,
): QuotedAmounts {
  const fee = shareDownToCent(stake, terms.feeRate);
  const gain = shareUpToCent(stake, offer.payoutRate);
  return {
    stake,
    durationSeconds: offer.seconds,
    payoutRate: offer.payoutRate,
    feeRate: terms.feeRate,
    fee,
    profitIfWon: (gain - fee) as MicroUsd,
    payout: (stake + gain) as MicroUsd,
    cost: (stake + fee) as MicroUsd,
  };
}

export function breakEvenRate(feeRate: Rate, payoutRate: Rate): Rate {
  return divideUp((RATE_ONE + feeRate) * RATE_ONE, RATE_ONE + payoutRate) as Rate;
}
