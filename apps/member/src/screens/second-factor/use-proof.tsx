import type { ReactNode } from "react";
import { FactorField } from "../../components/FactorField.tsx";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import type { FactorProof } from "../../data/second-factor.ts";
import { useAction } from "../../data/use-action.ts";
import { useFactor } from "../../data/use-factor.ts";
import { useText } from "../../shared/i18n.ts";
import { useForm } from "../../shared/use-form.ts";

interface Proof {
  readonly busy: boolean;
  /** Fields for the login password and, once it is asked for, a second factor. */
  readonly fields: ReactNode;
  /** Sends the form if it is filled in. Resolves to whether it succeeded. */
  readonly submit: () => Promise<boolean>;
}

/**
 * The proof that every change of second factors requires. `work` makes the change; a passkey's answer repeats it
 * automatically.
 */
export function useProof(work: (proof: FactorProof) => Promise<void>): Proof {
  const t = useText();
  const action = useAction();
  const factor = useFactor();
  const { values, field, setWrong, passes } = useForm({ loginPassword: "" });

  async function send(passkey?: string): Promise<boolean> {
    const { loginPassword } = values;
    if (!passes(loginPassword === "" ? [{ field: "loginPassword", message: "fields.enter.loginPassword" }] : []))
      return false;
    return action.run(
      () => factor.send((secondFactor) => work({ loginPassword, secondFactor }), passkey),
      ({ loginPassword: wrong }) => {
        setWrong(wrong === undefined ? {} : { loginPassword: wrong });
      },
    );
  }

  return {
    busy: action.busy,
    submit: () => send(),
    fields: (
      <>
        <PasswordInput label={t("account.loginPassword")} {...field("loginPassword")} />
        <FactorField factor={factor} busy={action.busy} onPasskey={(answer) => void send(answer)} />
      </>
    ),
  };
}
