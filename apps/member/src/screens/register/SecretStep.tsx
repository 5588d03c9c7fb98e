import { Field, Tick } from "@fairtick/ui";
import { Trans } from "@lingui/react";
import { CodeField } from "../../components/CodeField.tsx";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import { useDeployment } from "../../data/deployment.ts";
import { accountOf } from "../../shared/contact.ts";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import type { FormState } from "../../shared/use-form.ts";
import type { RegisterForm } from "./register-form.ts";

/** Links to both texts. What was typed is kept while they are read. */
const ACCEPTED = {
  agreement: <Link className="link" to="/pages/notice/xieyi1" />,
  privacy: <Link className="link" to="/pages/notice/xieyi" />,
};

/** The second step: the code that was sent, a password, and consent. `form` is what is sent. */
export function SecretStep({
  state: { values, set, field, wrong },
  form,
  legalAge,
  onChange,
}: {
  readonly state: FormState<RegisterForm>;
  readonly form: RegisterForm;
  readonly legalAge: number;
  /** Goes back to the first step. */
  readonly onChange: () => void;
}) {
  const t = useText();
  const minAge = useDeployment()?.minAge ?? 18;
  const account = accountOf(form);
  return (
    <>
      <p className="register-to">
        <span className="label grow cut">{t("account.codeFor", { to: account })}</span>
        <button type="button" className="link label" onClick={onChange}>
          {t("account.changeContact")}
        </button>
      </p>
      <CodeField
        purpose="register"
        channel={form.channel}
        region={form.region || undefined}
        to={account}
        recipient={() => account}
        {...field("code")}
      />
      <PasswordInput label={t("account.password")} fresh {...field("password")} />
      <PasswordInput label={t("account.confirmPassword")} fresh again {...field("confirmPassword")} />
      <Field
        label={t("account.inviteCode")}
        autoComplete="off"
        autoCapitalize="none"
        value={values.inviteCode}
        wrong={wrong.inviteCode}
        onChange={(event) => {
          set("inviteCode", event.currentTarget.value);
        }}
      />
      <Tick on={values.acceptTerms} onChange={field("acceptTerms").onChange} wrong={wrong.acceptTerms !== undefined}>
        <Trans id="account.accept" values={{ age: Math.max(minAge, legalAge) }} components={ACCEPTED} />
      </Tick>
    </>
  );
}
