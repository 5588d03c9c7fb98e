import { plainDigits } from "./digits.ts";
import type { Problem } from "./use-form.ts";

export type Channel = "phone" | "email";

/** A phone number or e-mail address as typed. The number is national; `dialCode` comes from the chosen region. */
export interface Contact {
  readonly channel: Channel;
  readonly dialCode: string;
  readonly phone: string;
  readonly email: string;
}

/**
 * Returns a typed number in E.164, from digits of any script, without separators or the leading zero (the trunk
 * prefix), which many write in parentheses after a country code. Two zeros stand for the `+` of an international number.
 */
export function phoneNumber({ dialCode, phone }: Pick<Contact, "dialCode" | "phone">): string {
  const typed = plainDigits(phone)
    .replace("(0)", "")
    .replaceAll(/[\s()./-]/g, "")
    .replace(/^00/, "+");
  if (typed.startsWith("+")) return typed;
  return `+${dialCode.replace("+", "")}${typed.replace(/^0+/, "")}`;
}

/** Returns the account name that calls expect. */
export function accountOf(contact: Contact): string {
  return contact.channel === "phone" ? phoneNumber(contact) : contact.email.trim();
}

/** Checks only the format. Whether the address exists is shown by the code sent to it. */
export function contactProblems(
  contact: Contact,
  empty: { readonly phone: Problem<"phone">["message"]; readonly email: Problem<"email">["message"] } = {
    phone: "fields.enter.phone",
    email: "fields.enter.email",
  },
): Problem<"phone" | "email">[] {
  if (contact.channel === "phone") {
    if (contact.phone.trim() === "") return [{ field: "phone", message: empty.phone }];
    return /^\+[1-9][0-9]{6,14}$/.test(phoneNumber(contact)) ? [] : [{ field: "phone", message: "account.wrongPhone" }];
  }
  const email = contact.email.trim();
  if (email === "") return [{ field: "email", message: empty.email }];
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? [] : [{ field: "email", message: "account.wrongEmail" }];
}

export const PASSWORD_MIN = 8;

/** Checks a new login password and its repetition. Passwords that are too common are refused by the server. */
export function newPasswordProblems(
  password: string,
  confirmPassword: string,
  empty: Problem<"password">["message"] = "fields.enter.password",
): Problem<"password" | "confirmPassword">[] {
  if (password === "") return [{ field: "password", message: empty }];
  if (password.length < PASSWORD_MIN) {
    return [{ field: "password", message: "errors.PASSWORD_TOO_SHORT", values: { min: PASSWORD_MIN } }];
  }
  if (password !== confirmPassword) return [{ field: "confirmPassword", message: "common.passwordsDiffer" }];
  return [];
}

/** Returns up to six digits of what was typed or pasted: a code copied from a mail comes with spaces. */
export function sixDigits(typed: string): string {
  return plainDigits(typed)
    .replaceAll(/[^0-9]/g, "")
    .slice(0, 6);
}

/** Checks the six-digit code that confirms an address. */
export function codeProblems(code: string): Problem<"code">[] {
  if (code.trim() === "") return [{ field: "code", message: "fields.enter.code" }];
  return /^[0-9]{6}$/.test(code.trim()) ? [] : [{ field: "code", message: "account.wrongCode" }];
}

/** Checks a new transaction password, which has six digits, and its repetition. */
export function paymentPasswordProblems(
  password: string,
  confirmPassword: string,
  empty: Problem<"password">["message"],
): Problem<"password" | "confirmPassword">[] {
  if (password === "") return [{ field: "password", message: empty }];
  if (!/^[0-9]{6}$/.test(password)) return [{ field: "password", message: "account.wrongSixDigits" }];
  if (password !== confirmPassword) return [{ field: "confirmPassword", message: "common.passwordsDiffer" }];
  return [];
}
