import type { MessageId } from "@fairtick/i18n";
import { showToast } from "@fairtick/ui";
import { useState } from "react";
import { useText, type Values } from "./i18n.ts";

/** A fault of one field, as a message. */
export interface Problem<Name extends string> {
  readonly field: Name;
  readonly message: MessageId;
  readonly values?: Values;
}

type Wrongs<Form> = Partial<Record<keyof Form & string, string>>;

/** What one input of a form renders and reports back. */
export interface FieldState<Value> {
  readonly value: Value;
  readonly wrong: string | undefined;
  readonly onChange: (value: Value) => void;
}

export interface FormState<Form> {
  readonly values: Form;
  /** Changes one field and clears its message. */
  readonly set: <Name extends keyof Form & string>(name: Name, value: Form[Name]) => void;
  /** The props of one field's input. */
  readonly field: <Name extends keyof Form & string>(name: Name) => FieldState<Form[Name]>;
  /** Messages by field. */
  readonly wrong: Wrongs<Form>;
  /** Sets the server's messages about the fields. */
  readonly setWrong: (wrong: Wrongs<Form>) => void;
  /** Returns true if there are no problems. Otherwise shows the first as a toast and marks every affected field. */
  readonly passes: (problems: readonly Problem<keyof Form & string>[]) => boolean;
}

/** The typed values of a form and its messages. The rules are pure functions next to each screen. */
export function useForm<Form extends object>(initial: Form | (() => Form)): FormState<Form> {
  const t = useText();
  const [values, setValues] = useState(initial);
  const [wrong, setWrong] = useState<Wrongs<Form>>({});
  const set: FormState<Form>["set"] = (name, value) => {
    setValues((before) => ({ ...before, [name]: value }));
    setWrong((before) => ({ ...before, [name]: undefined }));
  };
  return {
    values,
    set,
    field: (name) => ({
      value: values[name],
      wrong: wrong[name],
      onChange: (value) => {
        set(name, value);
      },
    }),
    wrong,
    setWrong,
    passes: (problems) => {
      const first = problems[0];
      const said: Wrongs<Form> = {};
      for (const { field, message, values } of problems) said[field] ??= t(message, values);
      setWrong(said);
      if (first) showToast(t(first.message, first.values));
      return first === undefined;
    },
  };
}
