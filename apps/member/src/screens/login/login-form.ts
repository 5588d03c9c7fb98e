import { contactProblems, type Contact } from "../../shared/contact.ts";
import type { Problem } from "../../shared/use-form.ts";

export interface LoginForm extends Contact {
  readonly password: string;
}

/** Checks the login form. An empty account says "Enter username", whichever kind was chosen. */
export function loginProblems(form: LoginForm): Problem<"phone" | "email" | "password">[] {
  const problems: Problem<"phone" | "email" | "password">[] = contactProblems(form, {
    phone: "fields.enter.account",
    email: "fields.enter.account",
  });
  if (form.password === "") problems.push({ field: "password", message: "fields.enter.loginPassword" });
  return problems;
}
