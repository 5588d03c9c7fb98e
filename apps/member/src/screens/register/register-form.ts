import { codeProblems, contactProblems, newPasswordProblems, type Contact } from "../../shared/contact.ts";
import type { Problem } from "../../shared/use-form.ts";

export interface RegisterForm extends Contact {
  /** Two letters; empty until chosen. */
  readonly region: string;
  readonly code: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly inviteCode: string;
  readonly acceptTerms: boolean;
}

/** Checks the first step: region and contact. */
export function reachProblems(form: RegisterForm): Problem<keyof RegisterForm>[] {
  const problems: Problem<keyof RegisterForm>[] = [];
  if (form.region === "") problems.push({ field: "region", message: "fields.enter.region" });
  return [...problems, ...contactProblems(form)];
}

/** Checks the second step: code, password and consent. */
export function secretProblems(form: RegisterForm): Problem<keyof RegisterForm>[] {
  const problems: Problem<keyof RegisterForm>[] = [...codeProblems(form.code)];
  problems.push(...newPasswordProblems(form.password, form.confirmPassword));
  if (!form.acceptTerms) problems.push({ field: "acceptTerms", message: "errors.TERMS_NOT_ACCEPTED" });
  return problems;
}
