import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { Button, IconCheck, Notice, showToast } from "@fairtick/ui";
import { openEntry } from "@fairtick/ui/sheet-history.ts";
import { useEffect, useId, useState, type FormEvent } from "react";
import { FactorField } from "../../../components/FactorField.tsx";
import { StepBar } from "../../../components/StepBar.tsx";
import { PasswordInput } from "../../../components/PasswordInput.tsx";
import { WalletLine } from "../../../components/wallet/WalletLine.tsx";
import { storedMemberId } from "../../../data/member-id.ts";
import { reportFailure } from "../../../data/failures.ts";
import { useWish } from "../../../data/use-wish.ts";
import { useFactor } from "../../../data/use-factor.ts";
import { CallError } from "../../../data/transport.ts";
import {
  checkAddress,
  type CheckedAddress,
  refreshWithdrawalMethods,
  requestWithdrawal,
  type WithdrawalMethod,
} from "../../../data/withdrawals.ts";
import { decimalSign, formatMoney } from "../../../shared/format.ts";
import { chainWords } from "../../../shared/chain-words.ts";
import { useText } from "../../../shared/i18n.ts";
import { Link, navigate, useIsHere } from "../../../shared/navigation.tsx";
import { Screen } from "../../../shared/Screen.tsx";
import { useForm, type FieldState } from "../../../shared/use-form.ts";
import {
  addressProblems,
  amountProblems,
  EMPTY_FORM,
  passwordProblems,
  sumsOf,
  type WithdrawForm,
} from "../withdraw-form.ts";
import { AddressStep, AmountStep } from "./AskSteps.tsx";
import { Sums, Then, Waits } from "./AskTerms.tsx";

/** What the checksums of addresses are made of. */
const HASHES = { keccak256: keccak_256, sha256 };

type Step = 1 | 2 | 3;

/** What was answered when somebody left for a forgotten password: they come back to the last question. */
let left: Left | null = null;

interface Left {
  readonly chain: string;
  readonly member: string | null;
  readonly form: WithdrawForm;
  readonly checked: CheckedAddress | null;
}

function takeLeft(chain: string): Left | null {
  const taken = left;
  left = null;
  return taken !== null && taken.chain === chain && taken.member === storedMemberId() ? taken : null;
}

/** One question a step: where to, how much, and the transaction password under what it comes to. */
export function AskView({ method, available }: { readonly method: WithdrawalMethod; readonly available: string }) {
  const t = useText();
  const isHere = useIsHere();
  const formId = useId();
  const [kept] = useState(() => takeLeft(method.chain));
  const begun = kept ?? { form: EMPTY_FORM, checked: null };
  const form = useForm(begun.form);
  const [checked, setChecked] = useState<CheckedAddress | null>(begun.checked);
  const factor = useFactor();
  const [step, setStep] = useState<Step>(kept === null ? 1 : 3);
  const [busy, setBusy] = useState(false);
  const wish = useWish();
  const { values } = form;
  const sums = sumsOf(values, method, available, decimalSign());
  const address = values.address.trim();
  const shownAmount = formatMoney(sums.amount ?? "0.00");
  // Going back leads to the question before; from the first one it leaves the form.
  useEffect(
    () =>
      step === 1
        ? undefined
        : openEntry(() => {
            setStep(step === 3 ? 2 : 1);
          }),
    [step],
  );

  async function ask(passkey?: string) {
    setBusy(true);
    try {
      const amount = sums.amount ?? "";
      const terms = { chain: method.chain, address, amount, fee: method.fee };
      const asked = { ...terms, tradePassword: values.password, clientId: wish.idOf([address, amount]) };
      const made = await factor.send((secondFactor) => requestWithdrawal({ ...asked, secondFactor }), passkey);
      showToast(t("common.operationSuccessful"));
      if (isHere()) navigate({ to: "/pages/qk/qk", search: { withdrawNo: made.withdrawNo }, replace: true });
    } catch (error) {
      reportFailure(error, t("withdraw.safeAgain"));
      if (error instanceof CallError) place(error);
      if (error instanceof CallError && error.failure?.error === "QUOTE_CHANGED") void refreshWithdrawalMethods();
    } finally {
      setBusy(false);
    }
  }

  /** What the server alone could know leads back to the step that it is about. */
  function place(error: CallError) {
    const name = error.failure?.error ?? "";
    // The field that it is about says so.
    if (name.startsWith("SECOND_FACTOR_")) return;
    const wrong = { [fieldOf(name)]: error.kind === "refused" ? error.message : t("withdraw.safeAgain") };
    form.setWrong(wrong);
    if (fieldOf(name) === "address") setStep(1);
    if (fieldOf(name) === "amount") setStep(2);
  }

  /** Which addresses are the house's own the server alone knows. */
  async function goToAmount() {
    setBusy(true);
    try {
      setChecked(await checkAddress(method.chain, address));
      setStep(2);
    } catch (error) {
      reportFailure(error);
      if (error instanceof CallError && error.kind === "refused") form.setWrong({ address: error.message });
    } finally {
      setBusy(false);
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (step === 1 && !busy && form.passes(addressProblems(values, method, HASHES))) void goToAmount();
    if (step === 2 && form.passes(amountProblems(values, method, available, decimalSign()))) setStep(3);
    if (step === 3 && !busy && form.passes(passwordProblems(values))) void ask();
  }

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
      <form className="stack withdraw-page" id={formId} noValidate onSubmit={submit}>
        <StepBar step={step} count={3} />
        {step < 3 && <WalletLine way="from" />}
        {step > 1 && (
          <Chosen name={t("withdraw.to", { chain: chainWords(method) })} onChange={() => setStep(1)}>
            <span className="code withdraw-address">{address}</span>
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
            factor={factor}
            busy={busy}
            onPasskey={(answer) => void ask(answer)}
            onForgotten={() => {
              left = { chain: method.chain, member: storedMemberId(), form: { ...values, password: "" }, checked };
            }}
          />
        )}
        {step > 1 && <Waits method={method} checked={checked} />}
        {step === 2 && <Then times={method.times} />}
        {step === 1 && <Notice>{t("withdraw.final")}</Notice>}
      </form>
    </Screen>
  );
}

/** The transaction password, with the way to a new one, and the second factor where there is one. */
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
  /** Called before one is led away. */
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
            // The browser's own way there would be taken for one back.
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

/** Which field a refusal is about. */
function fieldOf(error: string): "address" | "amount" | "password" {
  if (error.startsWith("ADDRESS_")) return "address";
  if (error.startsWith("WITHDRAWAL_")) return "amount";
  return "password";
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
