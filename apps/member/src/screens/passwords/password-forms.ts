import {
  codeProblems,
  contactProblems,
  newPasswordProblems,
  paymentPasswordProblems,
  type Contact,
} from "../../shared/contact.ts";
import type { Problem } from "../../shared/use-form.ts";

export interface LoginPasswordForm {
  readonly oldPassword: string;
  readonly password: string;
  readonly confirmPassword: string;
}

export function loginPasswordProblems(form: LoginPasswordForm): Problem<keyof LoginPasswordForm>[] {
  const problems: Problem<keyof LoginPasswordForm>[] = [];
  if (form.oldPassword === "") problems.push({ field: "oldPassword", message: "fields.enter.oldPassword" });
  return [...problems, ...newPasswordProblems(form.password, form.confirmPassword, "fields.enter.newPassword")];
}

/** `set` for the first time, `change` with the old one, `reset` with a code if it was forgotten. */
export type PaymentPasswordMode = "set" | "change" | "reset";

/** The form. The contact must be typed again, because the app knows only the masked one. */
export interface PaymentPasswordForm extends Contact {
  readonly oldPassword: string;
  readonly code: string;
  readonly loginPassword: string;
  readonly password: string;
  readonly confirmPassword: string;
}

export function paymentPasswordFormProblems(
  form: PaymentPasswordForm,
  mode: PaymentPasswordMode,
): Problem<keyof PaymentPasswordForm>[] {
  const problems: Problem<keyof PaymentPasswordForm>[] = [];
  if (mode === "change" && form.oldPassword === "") {
    problems.push({ field: "oldPassword", message: "fields.enter.oldPassword" });
  }
  const withoutLogin: typeof problems =
    mode !== "change" && form.loginPassword === ""
      ? [{ field: "loginPassword", message: "fields.enter.loginPassword" }]
      : [];
  if (mode === "reset") problems.push(...contactProblems(form), ...codeProblems(form.code), ...withoutLogin);
  const none = mode === "set" ? "fields.enter.paymentPassword" : "fields.enter.newPassword";
  problems.push(...paymentPasswordProblems(form.password, form.confirmPassword, none));
  // Problems are reported in the order of the fields.
  return mode === "set" ? [...problems, ...withoutLogin] : problems;
}
