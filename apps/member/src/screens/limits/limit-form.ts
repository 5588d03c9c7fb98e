import { parseMoney } from "@fairtick/domain";
import type { MessageId } from "@fairtick/i18n";
import { typedDecimal } from "../../shared/format.ts";
import type { Values } from "../../shared/i18n.ts";
import { plainDigits } from "../../shared/digits.ts";
import { decimalProblem, plainAmount } from "../../shared/typed-decimal.ts";
import type { LimitName, Limits } from "../../data/limits.ts";

export const LIMIT_NAMES = ["dailyLoss", "dailyStake", "sessionMinutes"] as const satisfies readonly LimitName[];
const MINUTES_MAX = 1_440;

/** A parsed limit: the value to send, or what is wrong with it. */
export type TypedLimit =
  | { readonly value: string }
  | { readonly wrong: MessageId; readonly values?: Values | undefined };

export function readLimit(name: LimitName, typed: string, sign: "." | ","): TypedLimit {
  if (name === "sessionMinutes") {
    const text = withoutGroups(plainDigits(typed).trim(), sign);
    const minutes = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
    return minutes >= 1 && minutes <= MINUTES_MAX ? { value: String(minutes) } : { wrong: "limits.enterMinutes" };
  }
  const text = plainAmount(typed, sign);
  const unreadable = typed.trim() === "" ? null : decimalProblem(text, 2);
  if (unreadable !== null) return { wrong: unreadable.message, values: unreadable.values };
  return (parseMoney(text) ?? 0n) === 0n ? { wrong: "limits.enterAmount" } : { value: text };
}

/** Drops a thousands separator: a space, or the sign that isn't the language's decimal one, before three digits. */
function withoutGroups(digits: string, decimalSign: "." | ","): string {
  return digits.replace(decimalSign === "." ? /^([0-9])[,\s]([0-9]{3})$/ : /^([0-9])[.\s]([0-9]{3})$/, "$1$2");
}

/** Returns the current limit as the text of an input field in the member's language; empty if there is none. */
export function typedLimit(limits: Limits, name: LimitName): string {
  return typedDecimal(String(limits[name] ?? ""));
}

/** Returns whether a value, or `none`, is looser than the current limit. Such a change takes effect later. */
export function isLooser(limits: Limits, name: LimitName, value: string): boolean {
  const current = limits[name];
  if (current === null) return false;
  return value === "none" || Number(value) > Number(current);
}
