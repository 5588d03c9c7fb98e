/**
 * The order ticket: what was typed, what it would pay and cost, and its errors. All pure; the screen renders it and the
 * server decides. Errors come in the order in which the server checks them.
 */
import {
  averageAtEvenOdds,
  breakEvenOf,
  breakEvenRate,
  calculateQuote,
  calculateReturns,
  divideUp,
  ENTRY_WINDOW_MS,
  formatMoney,
  formatRate,
  LAST_TICK_AGE_MAX_MS,
  largestStakeFor,
  parseMoney,
  parsePrice,
  parseRate,
  passesLimit,
  RATE_ONE,
  shareDownToCent,
  type Direction,
  type ErrorName,
  type MicroUsd,
  type Points,
  type Rate,
} from "@fairtick/domain";
import type { Instrument } from "@fairtick/protocol";
import { plainAmount, plainDecimal } from "../../shared/typed-decimal.ts";

/** The ticket as typed and chosen, not yet validated. */
export interface OrderTicket {
  readonly direction: Direction | null;
  readonly stake: string;
  /** Seconds. */
  readonly duration: number | null;
  readonly limitOn: boolean;
  readonly limitPrice: string;
}

/** What the ticket is checked against. */
export interface TicketMarket {
  readonly instrument: Pick<
    Instrument,
    "decimals" | "open" | "suspended" | "nextChange" | "minStake" | "maxStake" | "feeRate" | "durations"
  >;
  /** The newest tick on this device; null before the first. */
  readonly price: string | null;
  readonly priceAt: number | null;
  /** By the server's clock, ms. */
  readonly now: number;
  /** Available balance of the wallet in view; null while loading, or for a visitor. */
  readonly available: string | null;
  /** Null while loading, or for a visitor. */
  readonly tradePasswordSet: boolean | null;
}

/** The figures that are always shown; null where the ticket is incomplete. Money with two decimals. */
export interface TicketSummary {
  readonly stake: string | null;
  readonly payoutRate: string | null;
  readonly feeRate: string;
  readonly fee: string | null;
  /** Profit if right and cost if wrong, both after the fee. `cost` has no sign. */
  readonly profit: string | null;
  readonly cost: string | null;
  readonly breakEven: string | null;
  /** Average result of an order if up and down are equally likely, which is the house's edge. With sign. */
  readonly averageAtEvenOdds: string | null;
  /** Expiry if the entry tick came now; ms. */
  readonly deliveryAt: number | null;
  /** Whether the price is already beyond the limit, so that entering here would void the order. */
  readonly limitPassed: boolean;
}

export type TicketField = "direction" | "stake" | "duration" | "limitPrice";

/** The errors that the ticket itself can find; only the server knows the others. */
export type TicketRefusal = Extract<
  ErrorName,
  | "TRADE_PASSWORD_NOT_SET"
  | "INSTRUMENT_SUSPENDED"
  | "INSTRUMENT_CLOSED"
  | "PRICE_STALE"
  | "DURATION_NOT_OFFERED"
  | "STAKE_BELOW_MINIMUM"
  | "STAKE_ABOVE_MAXIMUM"
  | "INSUFFICIENT_BALANCE"
  | "FIELD_MISSING"
  | "FIELD_INVALID"
>;

export interface TicketError {
  readonly error: TicketRefusal;
  /** The field to show it at; null if it concerns the market or the member. */
  readonly field: TicketField | null;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** The server refuses if the last tick is older than this. */
const PRICE_AGE_MS_MAX = Number(LAST_TICK_AGE_MAX_MS);
/** An order, plus the longest wait for its entry tick, must end before the market closes. */
const ENTRY_MS_MAX = Number(ENTRY_WINDOW_MS);
const MICRO_PER_DOLLAR = 1_000_000n;

/** Calculates what the ticket would pay and cost. An invalid stake has no figures. */
export function calculateSummary(ticket: OrderTicket, market: TicketMarket): TicketSummary {
  const { instrument } = market;
  const offer = instrument.durations.find((choice) => choice.seconds === ticket.duration);
  const rate = offer ? parseRate(offer.payoutRate) : null;
  const feeRate = parseRate(instrument.feeRate);
  const stake = parseMoney(plainAmount(ticket.stake));
  const terms = {
    payoutRate: offer?.payoutRate ?? null,
    feeRate: instrument.feeRate,
    breakEven: rate === null || feeRate === null ? null : formatRate(breakEvenRate(feeRate, rate)),
    deliveryAt: ticket.duration === null ? null : market.now + ticket.duration * 1000,
    limitPassed: isLimitPassed(ticket, market),
  };
  if (
    stake === null ||
    offer === undefined ||
    rate === null ||
    feeRate === null ||
    stakeError(stake, market) !== null
  ) {
    return { ...terms, stake: null, fee: null, profit: null, cost: null, averageAtEvenOdds: null };
  }
  const quoted = calculateQuote({ feeRate }, { seconds: offer.seconds, payoutRate: rate }, stake);
  return {
    ...terms,
    stake: formatMoney(stake),
    fee: formatMoney(quoted.fee),
    profit: formatMoney(quoted.profitIfWon),
    cost: formatMoney(quoted.cost),
    averageAtEvenOdds: formatMoney(averageAtEvenOdds(quoted)),
  };
}

/** Recalculates the figures under the server's current terms. A summary without a stake stays as it is. */
export function withTerms(
  summary: TicketSummary,
  terms: { readonly payoutRate: string; readonly fee: string },
): TicketSummary {
  const rate = parseRate(terms.payoutRate);
  const fee = parseMoney(terms.fee);
  const stake = summary.stake === null ? null : parseMoney(summary.stake);
  if (rate === null || fee === null || stake === null || stake === 0n) return summary;
  const returns = calculateReturns({ stake, payoutRate: rate, fee });
  return {
    ...summary,
    payoutRate: terms.payoutRate,
    feeRate: formatRate(divideUp(fee * RATE_ONE, stake) as Rate),
    fee: formatMoney(fee),
    profit: formatMoney(returns.profitIfWon),
    cost: formatMoney(returns.cost),
    breakEven: formatRate(breakEvenOf(returns)),
    averageAtEvenOdds: formatMoney(averageAtEvenOdds(returns)),
  };
}

/** Returns all errors of the ticket, the most important first; empty if it can be confirmed. */
export function getErrors(ticket: OrderTicket, market: TicketMarket): readonly TicketError[] {
  const errors: TicketError[] = [];
  if (market.tradePasswordSet === false) errors.push({ error: "TRADE_PASSWORD_NOT_SET", field: null });
  errors.push(...marketErrors(ticket, market));
  const offered = market.instrument.durations.some((choice) => choice.seconds === ticket.duration);
  if (!offered) errors.push({ error: "DURATION_NOT_OFFERED", field: "duration" });
  const stake = parseMoney(plainAmount(ticket.stake));
  if (stake === null && /^[0-9]{13,}(\.[0-9]{1,2})?$/.test(plainAmount(ticket.stake))) {
    // More digits than money has: still an amount, but far too high.
    errors.push({ error: "STAKE_ABOVE_MAXIMUM", field: "stake", params: { max: market.instrument.maxStake } });
  } else if (stake === null) {
    errors.push(
      ticket.stake.trim() === ""
        ? { error: "FIELD_MISSING", field: "stake" }
        : { error: "FIELD_INVALID", field: "stake", params: { typed: plainAmount(ticket.stake) } },
    );
  } else {
    const wrong = stakeError(stake, market);
    if (wrong) errors.push(wrong);
  }
  if (ticket.limitOn && limitOf(ticket, market) === null)
    errors.push({ error: "FIELD_INVALID", field: "limitPrice", params: { typed: plainDecimal(ticket.limitPrice) } });
  if (ticket.direction === null) errors.push({ error: "FIELD_MISSING", field: "direction" });
  return errors;
}

function marketErrors(ticket: OrderTicket, { instrument, price, priceAt, now }: TicketMarket): TicketError[] {
  if (instrument.suspended) return [{ error: "INSTRUMENT_SUSPENDED", field: null }];
  const next = instrument.nextChange;
  const end = now + ENTRY_MS_MAX + (ticket.duration ?? 0) * 1000;
  if (!instrument.open || (next !== null && next < end)) {
    return [{ error: "INSTRUMENT_CLOSED", field: null, ...(next !== null && { params: { nextChange: next } }) }];
  }
  if (price === null || priceAt === null || now - priceAt > PRICE_AGE_MS_MAX) {
    return [{ error: "PRICE_STALE", field: null }];
  }
  return [];
}

function stakeError(stake: MicroUsd, { instrument, available }: TicketMarket): TicketError | null {
  const { minStake, maxStake, feeRate } = instrument;
  const least = parseMoney(minStake);
  const most = parseMoney(maxStake);
  if (least !== null && stake < least) {
    return { error: "STAKE_BELOW_MINIMUM", field: "stake", params: { min: minStake } };
  }
  if (most !== null && stake > most) {
    return { error: "STAKE_ABOVE_MAXIMUM", field: "stake", params: { max: maxStake } };
  }
  if (available === null) return null;
  const free = parseMoney(available) ?? 0n;
  const cost = stake + shareDownToCent(stake, parseRate(feeRate) ?? (0n as Rate));
  return cost > free ? { error: "INSUFFICIENT_BALANCE", field: "stake", params: { available } } : null;
}

/** Returns the typed limit in points; null if it isn't a price of this instrument. */
function limitOf(ticket: OrderTicket, { instrument }: TicketMarket): Points | null {
  return parsePrice(plainDecimal(ticket.limitPrice), instrument.decimals);
}

/**
 * Returns whether the price is above the limit for `up` or below it for `down`. A price equal to the limit is
 * accepted.
 */
function isLimitPassed(ticket: OrderTicket, market: TicketMarket): boolean {
  if (!ticket.limitOn || ticket.direction === null || market.price === null) return false;
  const price = parsePrice(market.price, market.instrument.decimals);
  return price !== null && passesLimit({ direction: ticket.direction, limitPrice: limitOf(ticket, market) }, price);
}

/** Returns the largest stake within the maximum and, with its fee, the available balance; null if below the minimum. */
export function largestStake({ instrument, available }: TicketMarket): string | null {
  const most = parseMoney(instrument.maxStake);
  const least = parseMoney(instrument.minStake);
  const feeRate = parseRate(instrument.feeRate);
  if (most === null || least === null || feeRate === null) return null;
  let fitting: bigint = most;
  if (available !== null) {
    const affordable = largestStakeFor(parseMoney(available) ?? (0n as MicroUsd), feeRate);
    if (affordable < fitting) fitting = affordable;
  }
  return fitting < least ? null : formatMoney(fitting as MicroUsd);
}

/** Returns the next whole step up or down, by the amount's size, within the bounds: 37 goes to 40 and to 30. */
export function stepStake(typed: string, toward: 1 | -1, market: TicketMarket): string {
  const least = parseMoney(market.instrument.minStake) ?? 0n;
  const most = parseMoney(largestStake(market) ?? market.instrument.minStake) ?? least;
  const stake = parseMoney(plainAmount(typed)) ?? least;
  // Going down from 100 uses the steps below 100.
  const dollars = (toward === 1 ? stake : stake - 1n) / MICRO_PER_DOLLAR;
  const step = stepDollars(dollars) * MICRO_PER_DOLLAR;
  const next = toward === 1 ? (stake / step + 1n) * step : ((stake - 1n) / step) * step;
  if (next < least) return formatMoney(least as MicroUsd);
  return formatMoney((next > most ? most : next) as MicroUsd);
}

function stepDollars(dollars: bigint): bigint {
  if (dollars >= 1000n) return 100n;
  if (dollars >= 100n) return 50n;
  return dollars >= 10n ? 10n : 1n;
}

/** Returns a limit to start with: the price moved against the member by a twenty-thousandth. */
export function suggestedLimit(price: string, decimals: number, direction: Direction): string {
  const points = parsePrice(price, decimals);
  if (points === null) return "";
  const room = points / 20_000n > 0n ? points / 20_000n : 1n;
  const limit = (direction === "up" ? points + room : points - room).toString().padStart(decimals + 1, "0");
  return decimals === 0 ? limit : `${limit.slice(0, -decimals)}.${limit.slice(-decimals)}`;
}
