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
  /** The login password, and a second factor once it is asked for. */
  readonly fields: ReactNode;
  /** Sends what was typed, once something was; resolves to whether it was done. */
  readonly submit: () => Promise<boolean>;
}

/** What every change of second factors asks for. `work` is the change; a passkey's answer sends it again by itself. */
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
