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

/** The fields that an order's figures are calculated from. Positions, history and the running order all have them. */
export type OrderTerms = Pick<Order, "stake" | "fee" | "payoutRate" | "direction">;

/** Parses the amounts of an order for the rules. Throws RangeError if a text isn't valid. */
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

/** Returns stake and fee, which left the available balance at acceptance. */
export function heldOf(order: OrderTerms): string {
  return formatMoney(readTerms(order).cost);
}

/** Returns what goes back to the available balance at settlement. */
export function paidOf(order: OrderTerms, outcome: Outcome): string {
  return formatMoney(calculateResult(readTerms(order), outcome).credit);
}

/** Returns the net effect on the wallet, with sign. */
export function profitIf(order: OrderTerms, outcome: Outcome): string {
  return formatMoney(calculateResult(readTerms(order), outcome).profit);
}

/** Returns two prices of one instrument as whole units of the finer one's last decimal. */
function inPoints(one: string, other: string): readonly [bigint, bigint, number] {
  const places = Math.max(placesOf(one), placesOf(other));
  const points = (text: string) => parseDecimal(text, places, 18) ?? 0n;
  return [points(one), points(other), places];
}

function placesOf(price: string): number {
  return price.split(".")[1]?.length ?? 0;
}

/** Returns `to − from` with the prices' decimals and, below zero, a sign. */
export function priceDifference(from: string, to: string): string {
  const [a, b, places] = inPoints(from, to);
  return formatDecimal(b - a, places);
}

/**
 * Returns the outcome if the price at expiry were this one; null before the entry, and while it is sealed to this
 * device.
 */
export function outcomeAt(order: OrderTerms & Pick<Order, "entryPrice">, price: string): Outcome | null {
  if (order.entryPrice === null || order.direction === null) return null;
  const [entry, exit] = inPoints(order.entryPrice, price);
  return calculateOutcome(entry as Points, exit as Points, order.direction);
}

/** Returns what the order would bring at this price, with sign; null before it has an entry or a price. */
export function profitAt(order: OrderTerms & Pick<Order, "entryPrice">, price: string | null): string | null {
  const outcome = price === null ? null : outcomeAt(order, price);
  return outcome === null ? null : profitIf(order, outcome);
}

/** Returns the sum of signed amounts. */
export function sumOf(amounts: readonly string[]): string {
  const micro = (text: string) => (text.startsWith("-") ? 0n - money(text.slice(1)) : money(text));
  return formatMoney(amounts.reduce((sum, amount) => sum + micro(amount), 0n) as MicroUsd);
}

const SPOKEN_SECONDS = [5, 10, 30] as const;

/**
 * Returns what a screen reader announces of a countdown: that 30, 10 or 5 seconds are left. Null before the first of
 * them; a mark equal to the order's duration is skipped.
 */
export function spokenMark(order: Pick<Order, "expiresAt" | "duration">, now: number): 30 | 10 | 5 | null {
  if (order.expiresAt === null) return null;
  const left = order.expiresAt - now;
  return SPOKEN_SECONDS.find((seconds) => left <= seconds * 1000 && seconds < order.duration) ?? null;
}

/** Returns a running order's time left, in ms and as a share from 1 to 0. Before the entry it is the whole duration. */
export function timeLeft(
  order: Pick<Order, "expiresAt" | "duration">,
  now: number,
): { readonly ms: number; readonly part: number } {
  const whole = order.duration * 1000;
  if (order.expiresAt === null) return { ms: whole, part: 1 };
  const ms = Math.min(Math.max(order.expiresAt - now, 0), whole);
  return { ms, part: ms / whole };
}
