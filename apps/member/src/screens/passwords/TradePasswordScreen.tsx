import { Button, FailedState, Notice, showToast } from "@fairtick/ui";
import { useId } from "react";
import { CodeField } from "../../components/CodeField.tsx";
import { ContactFields, useDialCode } from "../../components/ContactFields.tsx";
import { FactorField } from "../../components/FactorField.tsx";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import { useMember } from "../../data/account.ts";
import { resetPaymentPassword, setPaymentPassword } from "../../data/security.ts";
import { useAction } from "../../data/use-action.ts";
import { useFactor } from "../../data/use-factor.ts";
import { accountOf, contactProblems } from "../../shared/contact.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { useForm } from "../../shared/use-form.ts";
import { Link, goBack, navigateTo, useIsHere, useSearch } from "../../shared/navigation.tsx";
import { paymentPasswordFormProblems, type PaymentPasswordForm, type PaymentPasswordMode } from "./password-forms.ts";
import "../../components/account.css";

const EMPTY: PaymentPasswordForm = {
  channel: "email",
  dialCode: "",
  phone: "",
  email: "",
  oldPassword: "",
  code: "",
  loginPassword: "",
  password: "",
  confirmPassword: "",
};
const TITLES = {
  set: "account.setPaymentTitle",
  change: "account.changePaymentTitle",
  reset: "account.resetPaymentTitle",
} as const;
const TIMED_OUT = {
  set: "account.timedOutSet",
  change: "account.timedOutPassword",
  reset: "account.timedOutReset",
} as const;

function modeOf(isSet: boolean, isForgotten: boolean): PaymentPasswordMode {
  if (!isSet) return "set";
  return isForgotten ? "reset" : "change";
}

/** Sets, changes or (with `?forgot=1`) resets the transaction password. Leads to `next`, or back. */
export function TradePasswordScreen() {
  const t = useText();
  const { forgot, next: wanted } = useSearch();
  const member = useMember();
  const action = useAction();
  const isHere = useIsHere();
  const factor = useFactor();
  const formId = useId();
  const { values, field, setWrong, passes } = useForm(EMPTY);
  const form = { ...values, dialCode: useDialCode(values.dialCode) };
  const mode = modeOf(member.data?.tradePasswordSet === true, forgot === "1");

  function submit(passkey?: string) {
    if (!passes(paymentPasswordFormProblems(form, mode))) return;
    void action
      .run(() => save(values, mode, factor, passkey), setWrong, TIMED_OUT[mode])
      .then(async (done) => {
        if (!done) return;
        showToast(t(mode === "set" ? "common.successfullySet" : "common.successfullyUpdated"));
        if (!isHere()) return;
        if (wanted?.startsWith("/pages/")) navigateTo(wanted, { replace: true });
        else goBack("/pages/auth/Safe");
      });
  }

  return (
    <Screen
      title={member.data ? t(TITLES[mode]) : t("account.paymentPassword")}
      pushed
      backTo="/pages/auth/Safe"
      noWallet
      busy={member.isPending}
      foot={
        member.data && (
          <Button look="main" type="submit" form={formId} disabled={action.busy}>
            {t("account.save")}
          </Button>
        )
      }
    >
      {member.isError && !member.data && (
        <FailedState
          title={member.error.message}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => {
            void member.refetch();
          }}
        />
      )}
      {member.data && (
        <form
          className="form"
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          {mode === "set" && <Notice>{t("account.paymentNote")}</Notice>}
          {mode === "change" && <PasswordInput digits label={t("account.currentPassword")} {...field("oldPassword")} />}
          {mode === "reset" && (
            <ResetFields
              form={form}
              field={field}
              account={member.data.account}
              recipient={() => (passes(contactProblems(form)) ? accountOf(form) : null)}
            />
          )}
          <NewPassword isFirst={mode === "set"} field={field} />
          <FactorField factor={factor} busy={action.busy} onPasskey={submit} />
          {mode === "set" && <PasswordInput label={t("account.loginPassword")} {...field("loginPassword")} />}
          {mode === "change" && <Forgotten />}
        </form>
      )}
    </Screen>
  );
}

type FormFields = ReturnType<typeof useForm<PaymentPasswordForm>>["field"];

function NewPassword({ isFirst, field }: { readonly isFirst: boolean; readonly field: FormFields }) {
  const t = useText();
  return (
    <>
      <PasswordInput
        digits
        fresh
        label={t(isFirst ? "account.paymentPassword" : "account.newPassword")}
        {...field("password")}
      />
      <PasswordInput digits fresh again label={t("account.confirmPassword")} {...field("confirmPassword")} />
    </>
  );
}

function Forgotten() {
  const t = useText();
  return (
    <p className="end">
      <Link className="link label" to="/pages/auth/SetTradePwd" search={{ forgot: "1" }} replace>
        {t("account.forgotPayment")}
      </Link>
    </p>
  );
}

async function save(
  form: PaymentPasswordForm,
  mode: PaymentPasswordMode,
  factor: ReturnType<typeof useFactor>,
  passkey: string | undefined,
): Promise<void> {
  const { channel, password, confirmPassword, loginPassword, oldPassword } = form;
  if (mode !== "reset") {
    const proof = mode === "change" ? { oldPassword } : { loginPassword };
    await setPaymentPassword({ password, confirmPassword, ...proof });
    return;
  }
  const asked = { channel, code: form.code.trim(), loginPassword, password, confirmPassword };
  await factor.send((secondFactor) => resetPaymentPassword({ ...asked, secondFactor }), passkey);
}

/** The fields for a reset: a code sent to the account, and the login password. */
function ResetFields({
  form,
  field,
  account,
  recipient,
}: {
  readonly form: PaymentPasswordForm;
  readonly field: FormFields;
  /** The masked account, as shown to the member. */
  readonly account: string;
  readonly recipient: () => string | null;
}) {
  const t = useText();
  return (
    <>
      <p className="label">{t("account.sentTo", { account })}</p>
      <ContactFields
        channel={field("channel")}
        phone={field("phone")}
        email={field("email")}
        dialCode={field("dialCode")}
      />
      <CodeField
        purpose="tradePassword"
        channel={form.channel}
        to={accountOf(form)}
        recipient={recipient}
        {...field("code")}
      />
      <PasswordInput label={t("account.loginPassword")} {...field("loginPassword")} />
    </>
  );
}
