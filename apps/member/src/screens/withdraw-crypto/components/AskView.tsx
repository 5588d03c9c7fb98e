import { Button, IconCheck, Notice } from "@fairtick/ui";
import { useId } from "react";
import { FactorField } from "../../../components/FactorField.tsx";
import { StepBar } from "../../../components/StepBar.tsx";
import { PasswordInput } from "../../../components/PasswordInput.tsx";
import { WalletLine } from "../../../components/wallet/WalletLine.tsx";
import type { useFactor } from "../../../data/use-factor.ts";
import type { WithdrawalMethod } from "../../../data/withdrawals.ts";
import { formatMoney } from "../../../shared/format.ts";
import { chainWords } from "../../../shared/chain-words.ts";
import { useText } from "../../../shared/i18n.ts";
import { Link, navigate } from "../../../shared/navigation.tsx";
import { Screen } from "../../../shared/Screen.tsx";
import type { FieldState } from "../../../shared/use-form.ts";
import { useWithdrawalRequest } from "../use-withdrawal-request.ts";
import { AddressStep, AmountStep } from "./AskSteps.tsx";
import { Sums, Then, Waits } from "./AskTerms.tsx";

/** One question per step: the address, the amount, and the transaction password below the totals. */
export function AskView({ method, available }: { readonly method: WithdrawalMethod; readonly available: string }) {
  const t = useText();
  const formId = useId();
  const request = useWithdrawalRequest(method, available);
  const { form, step, setStep, sums, busy } = request;
  const shownAmount = formatMoney(sums.amount ?? "0.00");
  return (
    <Screen
      title={t("withdraw.cryptoTitle")}
      pushed
      noWallet
      money="real"
      backTo="/pages/qk/index"
      foot={
        <Button look="main" type="submit" form={formId} off={busy}>
          {step === 3 ? t("withdraw.send", { amount: shownAmount }) : t("withdraw.continue")}
        </Button>
      }
    >
      <form className="stack withdraw-page" id={formId} noValidate onSubmit={request.goOn}>
        <StepBar step={step} count={3} />
        {step < 3 && <WalletLine way="from" />}
        {step > 1 && (
          <Chosen name={t("withdraw.to", { chain: chainWords(method) })} onChange={() => setStep(1)}>
            <span className="code withdraw-address">{request.address}</span>
          </Chosen>
        )}
        {step === 1 && <AddressStep chain={chainWords(method)} on={method.chain} {...form.field("address")} />}
        {step === 2 && <AmountStep method={method} available={available} {...form.field("amount")} />}
        {step === 3 && (
          <Chosen name={t("assets.amount")} onChange={() => setStep(2)}>
            <span className="figure">
              {shownAmount} <span className="unit">{t("shell.usd")}</span>
            </span>
          </Chosen>
        )}
        {step > 1 && <Sums method={method} sums={sums} />}
        {step === 3 && (
          <LastStep
            password={form.field("password")}
            factor={request.factor}
            busy={busy}
            onPasskey={(answer) => void request.ask(answer)}
            onForgotten={request.keep}
          />
        )}
        {step > 1 && <Waits method={method} checked={request.checked} />}
        {step === 2 && <Then times={method.times} />}
        {step === 1 && <Notice>{t("withdraw.final")}</Notice>}
      </form>
    </Screen>
  );
}

/** The transaction password, with a link to reset it, and the second factor if there is one. */
function LastStep({
  password,
  factor,
  busy,
  onPasskey,
  onForgotten,
}: {
  readonly password: FieldState<string>;
  readonly factor: ReturnType<typeof useFactor>;
  readonly busy: boolean;
  readonly onPasskey: (answer: string) => void;
  /** Called before the member leaves for the reset. */
  readonly onForgotten: () => void;
}) {
  const t = useText();
  return (
    <>
      <PasswordInput digits label={t("withdraw.password")} {...password} />
      <p className="end">
        <Link
          className="link label"
          to="/pages/auth/SetTradePwd"
          search={{ forgot: "1" }}
          onClick={(event) => {
            // The browser's own navigation would be taken for going back.
            event.preventDefault();
            onForgotten();
            navigate({ to: "/pages/auth/SetTradePwd", search: { forgot: "1" } });
          }}
        >
          {t("account.forgotPayment")}
        </Link>
      </p>
      <FactorField factor={factor} busy={busy} onPasskey={onPasskey} />
    </>
  );
}

function Chosen({
  name,
  onChange,
  children,
}: {
  readonly name: string;
  readonly onChange: () => void;
  readonly children: React.ReactNode;
}) {
  const t = useText();
  return (
    <div className="withdraw-to">
      <IconCheck size="small" className="accent" />
      <span className="grow">
        <span className="note soft block">{name}</span>
        {children}
      </span>
      <button type="button" className="link label" aria-label={`${t("withdraw.change")}: ${name}`} onClick={onChange}>
        {t("withdraw.change")}
      </button>
    </div>
  );
}
