import { amountProblem, centsOf, type Bounds } from "../../components/deposits/deposit-amount.ts";
import type { Problem } from "../../shared/use-form.ts";

export interface BankForm {
  readonly region: string;
  readonly currency: string;
  readonly cardId: string;
  readonly amount: string;
}

/** Returns the form's problems, with the specification's messages, in the order of its fields. */
export function bankProblems(form: BankForm, bounds: Bounds | undefined, sign: "." | ","): Problem<keyof BankForm>[] {
  const problems: Problem<keyof BankForm>[] = [];
  if (form.region === "") problems.push({ field: "region", message: "account.chooseRegion" });
  if (form.currency === "") problems.push({ field: "currency", message: "bank.chooseCurrency" });
  if (form.cardId === "") problems.push({ field: "cardId", message: "bank.chooseCard" });
  const amount = amountProblem(form.amount, bounds, sign);
  return amount === null ? problems : [...problems, amount];
}

const RATE_SCALE = 1_000_000n;

/**
 * Returns the amount in the card's currency, rounded down to its smallest unit as the server does; null if the amount
 * is invalid. Only a preview: the slip shows the server's own figure.
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
