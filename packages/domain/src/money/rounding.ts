import type { MicroUsd, Rate } from "./money.ts";

/** The scale of all rates: 1_000_000n is 1. */
export const RATE_ONE = 1_000_000n as Rate;
export const MICRO_PER_CENT = 10_000n as MicroUsd;

/** Divides and rounds towards minus infinity, also for negative values. The divisor must be positive. */
export function divideDown(value: bigint, divisor: bigint): bigint {
  assertPositive(divisor);
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

/** Divides and rounds towards plus infinity, also for negative values. The divisor must be positive. */
export function divideUp(value: bigint, divisor: bigint): bigint {
  assertPositive(divisor);
  const quotient = value / divisor;
  return value % divisor > 0n ? quotient + 1n : quotient;
}

/** Divides and rounds to the nearest integer, halves to the even one. The divisor must be positive. */
export function divideHalfEven(value: bigint, divisor: bigint): bigint {
  const down = divideDown(value, divisor);
  const twice = (value - down * divisor) * 2n;
  if (twice < divisor) return down;
  if (twice > divisor) return down + 1n;
  return down % 2n === 0n ? down : down + 1n;
}

export function roundUpToCent(amount: MicroUsd): MicroUsd {
  return (divideUp(amount, MICRO_PER_CENT) * MICRO_PER_CENT) as MicroUsd;
}

export function roundDownToCent(amount: MicroUsd): MicroUsd {
  return (divideDown(amount, MICRO_PER_CENT) * MICRO_PER_CENT) as MicroUsd;
}

/** Returns amount × rate, rounded up to a cent. Used for what a member gains. */
export function shareUpToCent(amount: MicroUsd, rate: Rate): MicroUsd {
  return (divideUp(amount * rate, RATE_ONE * MICRO_PER_CENT) * MICRO_PER_CENT) as MicroUsd;
}

/** Returns amount × rate, rounded down to a cent. Used for what a member is charged. */
export function shareDownToCent(amount: MicroUsd, rate: Rate): MicroUsd {
  return (divideDown(amount * rate, RATE_ONE * MICRO_PER_CENT) * MICRO_PER_CENT) as MicroUsd;
}

export function isWholeCents(amount: MicroUsd): boolean {
  return amount % MICRO_PER_CENT === 0n;
}

function assertPositive(divisor: bigint): void {
  if (divisor <= 0n) throw new RangeError("the divisor must be positive");
}
