import { useEffect, useRef } from "react";
import { type FormState, useForm } from "../shared/use-form.ts";
import { forgetForNextMember } from "./next-member.ts";
import { sessionToken } from "./session.ts";

/** What was typed into a form when the session ended, in memory only. */
export interface FormShelf<Form> {
  /** Returns what was kept, or null. */
  readonly kept: () => Form | null;
  /** Keeps the values if the session has ended; otherwise the member left the form, so nothing is kept. */
  readonly leave: (values: Form) => void;
}

/**
 * Creates the shelf of a form whose values survive a session that ends while the form is open, until the same member has
 * logged in again. `keeping` takes out what must be given again, such as a file or a password.
 */
export function createFormShelf<Form extends object>(keeping: (values: Form) => Form): FormShelf<Form> {
  let kept: Form | null = null;
  forgetForNextMember(() => {
    kept = null;
  });
  return {
    kept: () => kept,
    leave(values) {
      kept = sessionToken() === null ? keeping(values) : null;
    },
  };
}

/** Like `useForm`, but starts with the values on the shelf, and leaves them there if the session ends. */
export function useKeptForm<Form extends object>(shelf: FormShelf<Form>, initial: Form): FormState<Form> {
  const form = useForm(() => shelf.kept() ?? initial);
  const { values } = form;
  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  }, [values]);
  useEffect(
    () => () => {
      shelf.leave(latest.current);
    },
    [shelf],
  );
  return form;
}
