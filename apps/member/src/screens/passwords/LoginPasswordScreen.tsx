import { Button, Notice, showToast } from "@fairtick/ui";
import { useId, type FormEvent } from "react";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import { changeLoginPassword } from "../../data/security.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { useForm } from "../../shared/use-form.ts";
import { navigate, useIsHere } from "../../shared/navigation.tsx";
import { loginPasswordProblems, type LoginPasswordForm } from "./password-forms.ts";
import "../../components/account.css";

const EMPTY: LoginPasswordForm = { oldPassword: "", password: "", confirmPassword: "" };

export function LoginPasswordScreen() {
  const t = useText();
  const action = useAction();
  const isHere = useIsHere();
  const formId = useId();
  const { values, field, setWrong, passes } = useForm(EMPTY);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!passes(loginPasswordProblems(values))) return;
    void action
      .run(() => changeLoginPassword(values), setWrong, "account.timedOutPassword")
      .then(async (done) => {
        if (!done) return;
        showToast(t("common.successfullyUpdated"));
        if (isHere()) navigate({ to: "/pages/auth/Safe", replace: true });
      });
  }

  return (
    <Screen
      title={t("account.changeLoginTitle")}
      pushed
      backTo="/pages/auth/Safe"
      noWallet
      foot={
        <Button look="main" type="submit" form={formId} disabled={action.busy}>
          {t("account.save")}
        </Button>
      }
    >
      <form className="form" id={formId} noValidate onSubmit={submit}>
        <PasswordInput label={t("account.currentPassword")} {...field("oldPassword")} />
        <PasswordInput label={t("account.newPassword")} fresh {...field("password")} />
        <PasswordInput label={t("account.confirmPassword")} fresh again {...field("confirmPassword")} />
        <Notice>{t("account.changeLoginNote")}</Notice>
      </form>
    </Screen>
  );
}
