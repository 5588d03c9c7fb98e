import { Button, IconChevronRight, IconMarket } from "@fairtick/ui";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import { ContactFields, useDialCode } from "../../components/ContactFields.tsx";
import { FactorField } from "../../components/FactorField.tsx";
import { LanguageLink } from "../../components/LanguageLink.tsx";
import { logIn } from "../../data/session.ts";
import { useAction } from "../../data/use-action.ts";
import { useFactor } from "../../data/use-factor.ts";
import { accountOf } from "../../shared/contact.ts";
import { useText } from "../../shared/i18n.ts";
import { Mark } from "../../shared/Mark.tsx";
import { placeAfterLogin } from "../../shared/place-after-login.ts";
import { Screen } from "../../shared/Screen.tsx";
import { useForm } from "../../shared/use-form.ts";
import { Link, navigateTo, useIsHere, useSearch } from "../../shared/navigation.tsx";
import { loginProblems, type LoginForm } from "./login-form.ts";
import "../../components/account.css";

const EMPTY: LoginForm = { channel: "email", dialCode: "", phone: "", email: "", password: "" };

export function LoginScreen() {
  const t = useText();
  const { next: wanted } = useSearch();
  const { values, field, passes } = useForm(EMPTY);
  const action = useAction();
  const isHere = useIsHere();
  const factor = useFactor();
  const dialCode = useDialCode(values.dialCode);

  function submit(passkey?: string) {
    const form = { ...values, dialCode };
    if (!passes(loginProblems(form))) return;
    const { password } = form;
    void action
      .run(() => factor.send((secondFactor) => logIn({ account: accountOf(form), password, secondFactor }), passkey))
      .then((done) => {
        if (done && isHere()) navigateTo(placeAfterLogin(wanted), { replace: true });
      });
  }

  return (
    <Screen title={t("account.login")} heading={<span className="bar-title" />} noWallet actions={<LanguageLink />}>
      <div className="login-page">
        <Mark large />
        <p className="soft">{t("account.tagline")}</p>
        <form
          className="form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <ContactFields
            forLogin
            channel={field("channel")}
            phone={field("phone")}
            email={field("email")}
            dialCode={field("dialCode")}
          />
          <PasswordInput label={t("account.password")} {...field("password")} />
          <FactorField factor={factor} busy={action.busy} onPasskey={submit} />
          <p className="end">
            <Link className="link label" to="/pages/index/ForgetPwd" search={{ next: wanted }}>
              {t("account.forgotPassword")}
            </Link>
          </p>
          <Button look="main" type="submit" disabled={action.busy}>
            {t("account.login")}
          </Button>
          <Link className="button" to="/pages/index/Register" search={{ next: wanted }}>
            {t("account.create")}
          </Link>
        </form>
        <nav className="login-links">
          <Link className="row low bare" to="/pages/market/index">
            <IconMarket size="small" className="soft" />
            <span className="grow">{t("account.pricesWithout")}</span>
            <IconChevronRight size="tiny" className="soft" />
          </Link>
          <p className="login-texts note soft">
            <Link className="link" to="/pages/kf/index">
              {t("help.title")}
            </Link>
            <Link className="link" to="/pages/notice/xieyi1">
              {t("help.agreement")}
            </Link>
            <Link className="link" to="/pages/notice/xieyi">
              {t("help.privacy")}
            </Link>
          </p>
        </nav>
      </div>
    </Screen>
  );
}
