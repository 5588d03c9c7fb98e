import { formatMoney } from "../../shared/format.ts";
import { decimalProblem, plainAmount } from "../../shared/typed-decimal.ts";
import type { Problem } from "../../shared/use-form.ts";

export interface Bounds {
  /** USD as in calls. */
  readonly minimum: string;
  readonly maximum: string;
}

const AMOUNT = /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,2})?$/;

/** Returns the cents of a typed amount; null if it isn't valid. */
export function centsOf(typed: string, sign: "." | "," = "."): bigint | null {
  const text = plainAmount(typed, sign);
  if (!AMOUNT.test(text)) return null;
  const [whole = "0", part = ""] = text.split(".");
  return BigInt(whole + part.padEnd(2, "0"));
}

/** Returns what is wrong with the amount of a bank transfer or card payment. */
export function amountProblem(typed: string, bounds: Bounds | undefined, sign: "." | ","): Problem<"amount"> | null {
  if (typed.trim() === "") return { field: "amount", message: "bank.enterAmount" };
  const unreadable = decimalProblem(plainAmount(typed, sign), 2);
  if (unreadable !== null) return { field: "amount", ...unreadable };
  const cents = centsOf(typed, sign) ?? 0n;
  if (cents === 0n) return { field: "amount", message: "bank.enterAmount" };
  if (bounds === undefined) return null;
  if (cents < (centsOf(bounds.minimum) ?? 0n))
    return { field: "amount", message: "bank.tooSmall", values: { min: formatMoney(bounds.minimum) } };
  if (cents > (centsOf(bounds.maximum) ?? 0n))
    return { field: "amount", message: "bank.tooLarge", values: { max: formatMoney(bounds.maximum) } };
  return null;
}

/** Returns the amount as the call expects it: `1234.50`. */
export function amountSent(typed: string, sign: "." | ","): string {
  return plainAmount(typed, sign);
}
