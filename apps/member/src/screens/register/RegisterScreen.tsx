import { Button, Field, Notice, showToast, Tick } from "@fairtick/ui";
import { Trans } from "@lingui/react";
import { useEffect, useId, type FormEvent } from "react";
import { CodeField } from "../../components/CodeField.tsx";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import { ContactFields } from "../../components/ContactFields.tsx";
import { LanguageLink } from "../../components/LanguageLink.tsx";
import { useDeployment } from "../../data/deployment.ts";
import { keepRegisterDraft, readRegisterDraft } from "../../data/register-draft.ts";
import { useChosenRegion, useLikelyRegion } from "../../data/regions.ts";
import { register, sessionToken, watchSession } from "../../data/session.ts";
import { makeWelcomeDue } from "../../data/welcome.ts";
import { useAction } from "../../data/use-action.ts";
import { accountOf, contactProblems } from "../../shared/contact.ts";
import { useText } from "../../shared/i18n.ts";
import { placeAfterLogin } from "../../shared/place-after-login.ts";
import { Screen } from "../../shared/Screen.tsx";
import { useForm } from "../../shared/use-form.ts";
import { Link, navigateTo, useSearch } from "../../shared/navigation.tsx";
import { RegionButton } from "./RegionButton.tsx";
import { registerProblems, type RegisterForm } from "./register-form.ts";
import "../../components/account.css";

const EMPTY: RegisterForm = {
  region: "",
  channel: "email",
  dialCode: "",
  phone: "",
  email: "",
  code: "",
  password: "",
  confirmPassword: "",
  inviteCode: "",
  acceptTerms: false,
};

/** Both texts can be read before one agrees; the draft below keeps what was typed meanwhile. */
const ACCEPTED = {
  agreement: <Link className="link" to="/pages/notice/xieyi1" />,
  privacy: <Link className="link" to="/pages/notice/xieyi" />,
};

/**
 * What was typed survives a look at the region screen or at the texts, and what is no secret of it a reload; both until
 * somebody is logged in: the next one on this device may be another.
 */
let draft: RegisterForm = { ...EMPTY, ...readRegisterDraft() };
watchSession(() => {
  if (sessionToken() !== null) draft = EMPTY;
});

export function RegisterScreen() {
  const t = useText();
  const { next: wanted, inviteCode } = useSearch();
  const region = useChosenRegion();
  const iso2 = region?.iso2;
  const likely = useLikelyRegion();
  const minAge = useDeployment()?.minAge ?? 18;
  const action = useAction();
  const formId = useId();
  const { values, set, field, wrong, setWrong, passes } = useForm<RegisterForm>(() => ({
    ...draft,
    inviteCode: draft.inviteCode || (inviteCode ?? ""),
  }));
  useEffect(() => {
    draft = values;
    // A code that the address brings is not kept: another link that is followed on this tab brings another.
    const ownCode = values.inviteCode === inviteCode ? "" : values.inviteCode;
    keepRegisterDraft({ ...values, region: iso2, inviteCode: ownCode });
  }, [values, iso2, inviteCode]);
  const form = { ...values, region: iso2 ?? "", dialCode: values.dialCode || (likely?.dialCode ?? "") };
  const blocked = region?.policy === "blocked";

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!passes(registerProblems(form))) return;
    const account = accountOf(form);
    void action
      .run(
        () =>
          register({
            region: form.region,
            channel: form.channel,
            [form.channel]: account,
            code: form.code.trim(),
            password: form.password,
            confirmPassword: form.confirmPassword,
            inviteCode: form.inviteCode.trim() || undefined,
            acceptTerms: true,
          }),
        setWrong,
        "account.timedOutRegister",
      )
      .then(async (done) => {
        if (!done) return;
        draft = EMPTY;
        showToast(t("common.registerSuccessful"));
        makeWelcomeDue();
        navigateTo(placeAfterLogin(wanted), { replace: true });
      });
  }

  return (
    <Screen
      title={t("account.create")}
      pushed
      backTo="/pages/index/index"
      noWallet
      actions={<LanguageLink />}
      foot={
        <Button look="main" type="submit" form={formId} disabled={action.busy} off={blocked}>
          {blocked ? t("account.blocked") : t("account.create")}
        </Button>
      }
    >
      <form className="form" id={formId} noValidate onSubmit={submit}>
        <RegionButton region={region} wrong={wrong.region} />
        {region && <PolicyNotice region={region} />}
        <ContactFields
          channel={field("channel")}
          phone={field("phone")}
          email={field("email")}
          dialCode={{ ...field("dialCode"), value: form.dialCode }}
        />
        <CodeField
          purpose="register"
          channel={values.channel}
          region={form.region || undefined}
          to={accountOf(form)}
          recipient={() => (passes(contactProblems(form)) ? accountOf(form) : null)}
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
          <Trans id="account.accept" values={{ age: Math.max(minAge, region?.legalAge ?? 0) }} components={ACCEPTED} />
        </Tick>
      </form>
    </Screen>
  );
}

/** What a region's policy keeps its members from. */
function PolicyNotice({ region }: { readonly region: NonNullable<ReturnType<typeof useChosenRegion>> }) {
  const t = useText();
  const { policy, policyReason } = region;
  if (policy === "practice") return <Notice>{policyReason ?? t("account.practiceOnly")}</Notice>;
  return policy === "blocked" ? <Notice wrong>{policyReason ?? t("account.blocked")}</Notice> : null;
}
