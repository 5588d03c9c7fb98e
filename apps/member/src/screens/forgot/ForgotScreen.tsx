import { Button, Notice, showToast } from "@fairtick/ui";
import { useId } from "react";
import { CodeField } from "../../components/CodeField.tsx";
import { FactorField } from "../../components/FactorField.tsx";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import { ContactFields, useDialCode } from "../../components/ContactFields.tsx";
import { resetPassword } from "../../data/codes.ts";
import { LOGIN_ADDRESS } from "../../data/session.ts";
import { useAction } from "../../data/use-action.ts";
import { useFactor } from "../../data/use-factor.ts";
import { accountOf, contactProblems } from "../../shared/contact.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { useForm } from "../../shared/use-form.ts";
import { navigate, useIsHere, useSearch } from "../../shared/navigation.tsx";
import { forgotProblems, type ForgotForm } from "./forgot-form.ts";
import "../../components/account.css";

const EMPTY: ForgotForm = {
  channel: "email",
  dialCode: "",
  phone: "",
  email: "",
  code: "",
  password: "",
  confirmPassword: "",
};

export function ForgotScreen() {
  const t = useText();
  const { next: wanted } = useSearch();
  const action = useAction();
  const isHere = useIsHere();
  const factor = useFactor();
  const formId = useId();
  const { values, field, setWrong, passes } = useForm(EMPTY);
  const form = { ...values, dialCode: useDialCode(values.dialCode) };

  function submit(passkey?: string) {
    if (!passes(forgotProblems(form))) return;
    void action
      .run(
        () =>
          factor.send(
            (secondFactor) =>
              resetPassword({
                channel: form.channel,
                to: accountOf(form),
                code: form.code.trim(),
                password: form.password,
                confirmPassword: form.confirmPassword,
                secondFactor,
              }),
            passkey,
          ),
        (fields) => {
          setWrong({ ...fields, [form.channel]: fields["to"] });
        },
        "account.timedOutReset",
      )
      .then(async (done) => {
        if (!done) return;
        showToast(t("common.successfullyUpdated"));
        if (isHere()) navigate({ to: LOGIN_ADDRESS, search: { next: wanted }, replace: true });
      });
  }

  return (
    <Screen
      title={t("account.forgotTitle")}
      pushed
      backTo={LOGIN_ADDRESS}
      noWallet
      foot={
        <Button look="main" type="submit" form={formId} disabled={action.busy}>
          {t("account.setPassword")}
        </Button>
      }
    >
      <form
        className="form"
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ContactFields
          channel={field("channel")}
          phone={field("phone")}
          email={field("email")}
          dialCode={field("dialCode")}
        />
        <CodeField
          purpose="reset"
          channel={values.channel}
          to={accountOf(form)}
          recipient={() => (passes(contactProblems(form)) ? accountOf(form) : null)}
          {...field("code")}
        />
        <PasswordInput label={t("account.newPassword")} fresh {...field("password")} />
        <PasswordInput label={t("account.confirmPassword")} fresh again {...field("confirmPassword")} />
        <FactorField factor={factor} busy={action.busy} onPasskey={submit} />
        <Notice>{t("account.forgotNote")}</Notice>
      </form>
    </Screen>
  );
}
