import { showToast } from "@fairtick/ui";
import { openEntry } from "@fairtick/ui/sheet-history.ts";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { addressProblems } from "../../components/withdrawals/address-problems.ts";
import { reportFailure } from "../../data/failures.ts";
import { createFormShelf, useKeptForm } from "../../data/kept-form.ts";
import { storedMemberId } from "../../data/member-id.ts";
import { CallError } from "../../data/transport.ts";
import { useFactor } from "../../data/use-factor.ts";
import { useWish } from "../../data/use-wish.ts";
import {
  checkAddress,
  type CheckedAddress,
  refreshWithdrawalMethods,
  requestWithdrawal,
  type WithdrawalMethod,
} from "../../data/withdrawals.ts";
import { decimalSign } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { navigate, useIsHere } from "../../shared/navigation.tsx";
import type { FormState } from "../../shared/use-form.ts";
import {
  amountProblems,
  EMPTY_FORM,
  passwordProblems,
  sumsOf,
  type WithdrawSums,
  type WithdrawForm,
} from "./withdraw-form.ts";

type Step = 1 | 2 | 3;

/** The answers given when the member left for a forgotten password, so that they return to the last question. */
let left: Left | null = null;

interface Left {
  readonly chain: string;
  readonly member: string | null;
  readonly form: WithdrawForm;
  readonly checked: CheckedAddress | null;
}

const typedInto = createFormShelf<WithdrawForm>((values) => ({ ...values, password: "" }));

function takeLeft(chain: string): Left | null {
  const taken = left;
  left = null;
  return taken !== null && taken.chain === chain && taken.member === storedMemberId() ? taken : null;
}

/** The state of a withdrawal request, question by question. */
export interface WithdrawalRequest {
  readonly form: FormState<WithdrawForm>;
  readonly factor: ReturnType<typeof useFactor>;
  readonly step: Step;
  readonly setStep: (step: Step) => void;
  readonly sums: WithdrawSums;
  readonly address: string;
  /** The server's answer about the address; null before it was asked. */
  readonly checked: CheckedAddress | null;
  readonly busy: boolean;
  /** Answers the current question: goes on to the next one, or sends the request. */
  readonly goOn: (event: FormEvent) => void;
  /** Sends the request with a passkey's answer. */
  readonly ask: (passkey?: string) => Promise<void>;
  /** Keeps the answers while the member leaves for a new password. */
  readonly keep: () => void;
}

/** The withdrawal form in three steps: the address, the amount and the transaction password. */
export function useWithdrawalRequest(method: WithdrawalMethod, available: string): WithdrawalRequest {
  const t = useText();
  const isHere = useIsHere();
  const [kept] = useState(() => takeLeft(method.chain));
  const form = useKeptForm(typedInto, kept?.form ?? EMPTY_FORM);
  const [checked, setChecked] = useState(kept?.checked ?? null);
  const factor = useFactor();
  const [step, setStep] = useStep(kept === null ? 1 : 3);
  const [busy, setBusy] = useState(false);
  const wish = useWish("withdrawal");
  const { values } = form;
  const sums = sumsOf(values, method, available, decimalSign());
  const address = values.address.trim();
  const typed = useRef(address);
  useEffect(() => {
    typed.current = address;
  }, [address]);

  async function ask(passkey?: string) {
    setBusy(true);
    try {
      const amount = sums.amount ?? "";
      const terms = { chain: method.chain, address, amount, fee: method.fee };
      const asked = { ...terms, tradePassword: values.password, clientId: wish.idOf([method.chain, address, amount]) };
      const made = await factor.send((secondFactor) => requestWithdrawal({ ...asked, secondFactor }), passkey);
      wish.granted();
      showToast(t("common.operationSuccessful"));
      if (isHere()) navigate({ to: "/pages/qk/qk", search: { withdrawNo: made.withdrawNo }, replace: true });
    } catch (error) {
      if (error instanceof CallError && error.failure?.error === "QUOTE_CHANGED") takeNewFee();
      else takeFailure(error);
    } finally {
      setBusy(false);
    }
  }

  /** Goes back to the amount, below which the new fee and what is left of the amount are shown. */
  function takeNewFee() {
    const words = t("withdraw.feeChanged");
    showToast(words);
    form.setWrong({ amount: words });
    setStep(2);
    void refreshWithdrawalMethods();
  }

  /** Reports a failure and, if it is about one field, goes back to it. The second factor's own field shows its own. */
  function takeFailure(error: unknown) {
    reportFailure(error, t("withdraw.safeAgain"));
    if (!(error instanceof CallError)) return;
    const isAnswered = error.kind === "refused";
    const field = isAnswered ? fieldOf(error.failure?.error ?? "") : "password";
    if (field === null) return;
    form.setWrong({ [field]: isAnswered ? error.message : t("withdraw.safeAgain") });
    if (field !== "password") setStep(field === "address" ? 1 : 2);
  }

  /** Checks the address with the server, which alone knows the house's own addresses. */
  async function goToAmount() {
    setBusy(true);
    try {
      const found = await checkAddress(method.chain, address);
      // Changed in the meantime, so this answer is about another address.
      if (typed.current !== address) return;
      setChecked(found);
      setStep(2);
    } catch (error) {
      reportFailure(error);
      if (error instanceof CallError && error.kind === "refused") form.setWrong({ address: error.message });
    } finally {
      setBusy(false);
    }
  }

  function goOn(event: FormEvent) {
    event.preventDefault();
    if (step === 1 && !busy && form.passes(addressProblems(values, method))) void goToAmount();
    if (step === 2 && form.passes(amountProblems(values, method, available, decimalSign()))) setStep(3);
    if (step === 3 && !busy && form.passes(passwordProblems(values))) void ask();
  }

  function keep() {
    left = { chain: method.chain, member: storedMemberId(), form: { ...values, password: "" }, checked };
  }

  return { form, factor, step, setStep, sums, address, checked, busy, goOn, ask, keep };
}

/** The current step. Going back leads to the previous question, and from the first one out of the form. */
function useStep(first: Step): readonly [Step, (step: Step) => void] {
  const [step, setStep] = useState(first);
  useEffect(() => (step === 1 ? undefined : openEntry(() => setStep(step === 3 ? 2 : 1))), [step]);
  return [step, setStep];
}

/** Returns which field a refusal is about; null for none, such as that of a busy house. */
function fieldOf(error: string): "address" | "amount" | "password" | null {
  if (error.startsWith("ADDRESS_")) return "address";
  if (error.startsWith("WITHDRAWAL_")) return "amount";
  return error.startsWith("TRADE_PASSWORD_") ? "password" : null;
}
