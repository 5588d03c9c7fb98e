import { Button, Notice, showToast } from "@fairtick/ui";
import { useId, type FormEvent } from "react";
import { CodeField } from "../../components/CodeField.tsx";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import { ContactFields, useDialCode } from "../../components/ContactFields.tsx";
import { resetPassword } from "../../data/codes.ts";
import { useAction } from "../../data/use-action.ts";
import { accountOf, contactProblems } from "../../shared/contact.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { useForm } from "../../shared/use-form.ts";
import { navigate } from "../../shared/navigation.tsx";
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
  const action = useAction();
  const formId = useId();
  const { values, set, wrong, setWrong, passes } = useForm(EMPTY);
  const form = { ...values, dialCode: useDialCode(values.dialCode) };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!passes(forgotProblems(form))) return;
    void action
      .run(
        () =>
          resetPassword({
            channel: form.channel,
            to: accountOf(form),
            code: form.code.trim(),
            password: form.password,
            confirmPassword: form.confirmPassword,
          }),
        (fields) => {
          setWrong({ ...fields, [form.channel]: fields["to"] });
        },
      )
      .then(async (done) => {
        if (!done) return;
        showToast(t("common.successfullyUpdated"));
        navigate({ to: "/pages/index/index", replace: true });
      });
  }

  const change =
    <Name extends keyof ForgotForm>(name: Name) =>
    (value: ForgotForm[Name]) => {
      set(name, value);
    };

  return (
    <Screen
      title={t("account.forgotTitle")}
      pushed
      backTo="/pages/index/index"
      noWallet
      foot={
        <Button look="main" type="submit" form={formId} disabled={action.busy}>
          {t("account.setPassword")}
        </Button>
      }
    >
      <form className="form" id={formId} noValidate onSubmit={submit}>
        <ContactFields
          channel={values.channel}
          phone={values.phone}
          email={values.email}
          dialCode={values.dialCode}
          wrong={wrong}
          onChannel={change("channel")}
          onPhone={change("phone")}
          onEmail={change("email")}
          onDialCode={change("dialCode")}
        />
        <CodeField
          purpose="reset"
          channel={values.channel}
          recipient={() => (passes(contactProblems(form)) ? accountOf(form) : null)}
          value={values.code}
          onChange={change("code")}
          wrong={wrong.code}
        />
        <PasswordInput
          label={t("account.newPassword")}
          fresh
          value={values.password}
          wrong={wrong.password}
          onChange={(value) => {
            set("password", value);
          }}
        />
        <PasswordInput
          label={t("account.confirmPassword")}
          fresh
          again
          value={values.confirmPassword}
          wrong={wrong.confirmPassword}
          onChange={(value) => {
            set("confirmPassword", value);
          }}
        />
        <Notice>{t("account.forgotNote")}</Notice>
      </form>
    </Screen>
  );
}
