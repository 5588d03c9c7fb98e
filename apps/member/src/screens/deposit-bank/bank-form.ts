import { formatMoney } from "../../shared/format.ts";
import type { Problem } from "../../shared/use-form.ts";
import { plainAmount } from "../../shared/typed-decimal.ts";

export interface BankForm {
  readonly region: string;
  readonly currency: string;
  readonly cardId: string;
  readonly amount: string;
}

export interface Bounds {
  /** USD as calls write them. */
  readonly minimum: string;
  readonly maximum: string;
}

const AMOUNT = /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,2})?$/;

/** Cents of what was typed; null for what is no amount. */
export function centsOf(typed: string, sign: "." | "," = "."): bigint | null {
  const text = plainAmount(typed, sign);
  if (!AMOUNT.test(text)) return null;
  const [whole = "0", part = ""] = text.split(".");
  return BigInt(whole + part.padEnd(2, "0"));
}

/** What is wrong with the form, in the specification's words, in the order of its fields. */
export function bankProblems(form: BankForm, bounds: Bounds | undefined, sign: "." | ","): Problem<keyof BankForm>[] {
  const problems: Problem<keyof BankForm>[] = [];
  if (form.region === "") problems.push({ field: "region", message: "account.chooseRegion" });
  if (form.currency === "") problems.push({ field: "currency", message: "bank.chooseCurrency" });
  if (form.cardId === "") problems.push({ field: "cardId", message: "bank.chooseCard" });
  const cents = centsOf(form.amount, sign);
  const [least, most] = [centsOf(bounds?.minimum ?? "0") ?? 0n, centsOf(bounds?.maximum ?? "0") ?? 0n];
  if (cents === null || cents === 0n) problems.push({ field: "amount", message: "bank.enterAmount" });
  else if (bounds !== undefined && cents < least)
    problems.push({ field: "amount", message: "bank.tooSmall", values: { min: formatMoney(bounds.minimum) } });
  else if (bounds !== undefined && cents > most)
    problems.push({ field: "amount", message: "bank.tooLarge", values: { max: formatMoney(bounds.maximum) } });
  return problems;
}

/** The amount as the call takes it: `1234.50`. */
export function amountSent(typed: string, sign: "." | ","): string {
  return plainAmount(typed, sign);
}

const RATE_SCALE = 1_000_000n;

/**
 * What it will be in the card's currency, rounded down to its smallest unit, as the server will say it; null where the
 * amount is none. A preview: the slip bears the server's own figure.
 */
export function fiatPreview(typed: string, rate: string, digits: number, sign: "." | ","): string | null {
  const cents = centsOf(typed, sign);
  const [whole = "0", part = ""] = rate.split(".");
  const millionths = BigInt(whole + part.padEnd(6, "0"));
  if (cents === null || cents === 0n) return null;
  const units = (cents * millionths * 10n ** BigInt(digits)) / (100n * RATE_SCALE);
  if (digits === 0) return String(units);
  const text = String(units).padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
