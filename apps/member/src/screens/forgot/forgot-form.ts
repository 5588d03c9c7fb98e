import { codeProblems, contactProblems, newPasswordProblems, type Contact } from "../../shared/contact.ts";
import type { Problem } from "../../shared/use-form.ts";

export interface ForgotForm extends Contact {
  readonly code: string;
  readonly password: string;
  readonly confirmPassword: string;
}

export function forgotProblems(form: ForgotForm): Problem<keyof ForgotForm>[] {
  return [
    ...contactProblems(form),
    ...codeProblems(form.code),
    ...newPasswordProblems(form.password, form.confirmPassword, "fields.enter.newPassword"),
  ];
}
