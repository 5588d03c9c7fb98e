import {
  calculateOutcome,
  calculateResult,
  calculateReturns,
  formatDecimal,
  formatMoney,
  parseDecimal,
  parseMoney,
  parseRate,
  type MicroUsd,
  type Outcome,
  type Points,
} from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";

/** The part of an order that its figures are calculated from; positions, history and the running order all have it. */
export type OrderTerms = Pick<Order, "stake" | "fee" | "payoutRate" | "direction">;

/** Reads the amounts of an order as the rules take them. Throws RangeError for a text that is none. */
function readTerms(order: OrderTerms) {
  const payoutRate = parseRate(order.payoutRate);
  if (payoutRate === null) throw new RangeError(`not a rate: ${order.payoutRate}`);
  const [stake, fee] = [money(order.stake), money(order.fee)];
  return { stake, fee, ...calculateReturns({ stake, payoutRate, fee }) };
}

function money(text: string): MicroUsd {
  const amount = parseMoney(text);
  if (amount === null) throw new RangeError(`not an amount: ${text}`);
  return amount;
}

/** Stake and fee, as they left available at acceptance. */
export function heldOf(order: OrderTerms): string {
  return formatMoney(readTerms(order).cost);
}

/** What goes back to available at settlement. */
export function paidOf(order: OrderTerms, outcome: Outcome): string {
  return formatMoney(calculateResult(readTerms(order), outcome).credit);
}

/** Net effect on the wallet, with sign. */
export function profitIf(order: OrderTerms, outcome: Outcome): string {
  return formatMoney(calculateResult(readTerms(order), outcome).profit);
}

/** Two prices of one instrument as whole points of the finer one's places. */
function inPoints(one: string, other: string): readonly [bigint, bigint, number] {
  const places = Math.max(placesOf(one), placesOf(other));
  const points = (text: string) => parseDecimal(text, places, 18) ?? 0n;
  return [points(one), points(other), places];
}

function placesOf(price: string): number {
  return price.split(".")[1]?.length ?? 0;
}

/** `to − from` with the prices' places and, below zero, a sign. */
export function priceDifference(from: string, to: string): string {
  const [a, b, places] = inPoints(from, to);
  return formatDecimal(b - a, places);
}

/** What the order would be if the price at its expiry were this one; null before it has an entry, and while it is sealed to this device. */
export function outcomeAt(order: OrderTerms & Pick<Order, "entryPrice">, price: string): Outcome | null {
  if (order.entryPrice === null || order.direction === null) return null;
  const [entry, exit] = inPoints(order.entryPrice, price);
  return calculateOutcome(entry as Points, exit as Points, order.direction);
}

/** What it would bring at this price, with sign; null before it has an entry or a price. */
export function profitAt(order: OrderTerms & Pick<Order, "entryPrice">, price: string | null): string | null {
  const outcome = price === null ? null : outcomeAt(order, price);
  return outcome === null ? null : profitIf(order, outcome);
}

/** Sum of amounts with sign. */
export function sumOf(amounts: readonly string[]): string {
  const micro = (text: string) => (text.startsWith("-") ? 0n - money(text.slice(1)) : money(text));
  return formatMoney(amounts.reduce((sum, amount) => sum + micro(amount), 0n) as MicroUsd);
}

const SPOKEN_SECONDS = [5, 10, 30] as const;

/**
 * What a screen reader is told of a countdown: that 30, 10 and 5 seconds are left, and nothing between. Null before the
 * first of them; an order is not told the mark that it starts with.
 */
export function spokenMark(order: Pick<Order, "expiresAt" | "duration">, now: number): 30 | 10 | 5 | null {
  if (order.expiresAt === null) return null;
  const left = order.expiresAt - now;
  return SPOKEN_SECONDS.find((seconds) => left <= seconds * 1000 && seconds < order.duration) ?? null;
}

/** What is left of a running order's time: in ms, and as a part from 1 to 0. Whole before its entry. */
export function timeLeft(
  order: Pick<Order, "expiresAt" | "duration">,
  now: number,
): { readonly ms: number; readonly part: number } {
  const whole = order.duration * 1000;
  if (order.expiresAt === null) return { ms: whole, part: 1 };
  const ms = Math.min(Math.max(order.expiresAt - now, 0), whole);
  return { ms, part: ms / whole };
}
