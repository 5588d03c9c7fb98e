import { formatMoney, judgeWithdrawal, type MicroUsd, parseMoney, type Refusal } from "@fairtick/domain";
import { formatMoney as shownMoney } from "../../shared/format.ts";
import type { WithdrawalMethod } from "../../data/withdrawals.ts";
import { decimalProblem, plainAmount } from "../../shared/typed-decimal.ts";
import type { Problem } from "../../shared/use-form.ts";

/** The typed form, one question per step. */
export interface WithdrawForm {
  readonly address: string;
  readonly amount: string;
  readonly password: string;
}

export const EMPTY_FORM: WithdrawForm = { address: "", amount: "", password: "" };

export interface WithdrawSums {
  /** As the call expects it; null if it isn't a valid amount yet. */
  readonly amount: string | null;
  readonly receives: string | null;
  readonly left: string | null;
}

/** Returns the figures below the amount. */
export function sumsOf(form: WithdrawForm, method: WithdrawalMethod, available: string, sign: "." | ","): WithdrawSums {
  const amount = parseMoney(plainAmount(form.amount, sign));
  const fee = parseMoney(method.fee) ?? 0n;
  const have = parseMoney(available) ?? 0n;
  const shown = (sum: bigint) => (sum < 0n ? null : formatMoney(sum as MicroUsd));
  if (amount === null) return { amount: null, receives: null, left: null };
  return { amount: formatMoney(amount), receives: shown(amount - fee), left: shown(have - amount) };
}

/** Returns the largest amount that isn't refused: what is available, within what one withdrawal and the day allow. */
export function mostOf({ maximum, dayLeft }: Pick<WithdrawalMethod, "maximum" | "dayLeft">, available: string): string {
  const bounds = [available, maximum, ...(dayLeft === null ? [] : [dayLeft])];
  const [least = 0n] = bounds.map((text) => parseMoney(text) ?? 0n).sort((one, other) => (one < other ? -1 : 1));
  return formatMoney(least as MicroUsd);
}

export function amountProblems(
  form: WithdrawForm,
  method: WithdrawalMethod,
  available: string,
  sign: "." | ",",
): Problem<"amount">[] {
  if (form.amount.trim() === "") return [{ field: "amount", message: "fields.enter.withdrawalAmount" }];
  const typed = plainAmount(form.amount, sign);
  const unreadable = decimalProblem(typed, 2);
  if (unreadable !== null) return [{ field: "amount", ...unreadable }];
  const amount = parseMoney(typed) ?? (0n as MicroUsd);
  const [minimum, maximum, fee] = [method.minimum, method.maximum, method.fee].map(
    (text) => parseMoney(text) ?? (0n as MicroUsd),
  ) as [MicroUsd, MicroUsd, MicroUsd];
  const dayMax = method.dayMax === null ? null : parseMoney(method.dayMax);
  const askedToday = ((dayMax ?? 0n) - (parseMoney(method.dayLeft ?? "0.00") ?? 0n)) as MicroUsd;
  const money = { available: parseMoney(available) ?? (0n as MicroUsd), askedToday };
  const judged = judgeWithdrawal({ minimum, maximum, fee, dayMax }, money, amount);
  if (judged.ok) return [];
  const { error, params = {} } = judged.refusal;
  const shown = Object.entries(params).map(([name, sum]) => [name, shownMoney(String(sum))]);
  return [problemOf("amount", { error, params: Object.fromEntries(shown) as Record<string, string> })];
}

export function passwordProblems({ password }: WithdrawForm): Problem<"password">[] {
  return /^[0-9]{6}$/.test(password) ? [] : [{ field: "password", message: "fields.enter.tradePassword" }];
}

function problemOf<Name extends string>(field: Name, { error, params }: Refusal): Problem<Name> {
  return { field, message: `errors.${error}`, ...(params && { values: params }) };
}
