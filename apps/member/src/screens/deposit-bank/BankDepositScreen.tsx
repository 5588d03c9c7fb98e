import { AmountField, Button, EmptyState, Notice, Wait } from "@fairtick/ui";
import { useId, type FormEvent } from "react";
import { LinkField } from "../../components/LinkField.tsx";
import { wantsIdentity } from "../../components/IdentityFirst.tsx";
import { isRegionRefusal, MethodsFailed } from "../../components/MethodsFailed.tsx";
import { WalletLine } from "../../components/wallet/WalletLine.tsx";
import { useMember } from "../../data/account.ts";
import { bankWish, changeBankDraft, forgetBankDraft, useBankDraft, type BankDraft } from "../../data/bank-draft.ts";
import {
  announceRemittance,
  useDepositMethods,
  useReceivingCards,
  type DepositMethods,
  type ReceivingCard,
} from "../../data/deposits.ts";
import { useAction, type Action } from "../../data/use-action.ts";
import { amountWriting } from "../../shared/amount-writing.ts";
import { decimalSign, formatMoney, formatPrice, formatRegion } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { navigate, useIsHere, useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { useForm } from "../../shared/use-form.ts";
import { bankProblems, fiatPreview } from "./bank-form.ts";
import { ReceiptStep } from "./ReceiptStep.tsx";
import "../../components/account.css";
import { amountSent } from "../../components/deposits/deposit-amount.ts";
import "../../components/deposits/deposits.css";
import "./deposit-bank.css";

/** A deposit by bank transfer: origin, amount and card, then its reference and the receipt. */
export function BankDepositScreen() {
  const { depositNo } = useSearch();
  return depositNo === undefined ? <FormStep /> : <ReceiptStep depositNo={depositNo} />;
}

function FormStep() {
  const t = useText();
  const methods = useDepositMethods(true, useBankDraft().region);
  const currencies = methods.data?.bank;
  const action = useAction();
  const formId = useId();
  const hasForm = currencies !== undefined && currencies.length > 0;
  const failed = methods.isError && currencies === undefined;
  return (
    <Screen
      title={t("bank.title")}
      pushed
      noWallet
      money="real"
      backTo="/pages/rk/index"
      busy={methods.isPending}
      foot={
        hasForm ? (
          <Button look="main" type="submit" form={formId} disabled={action.busy}>
            {t("bank.next")}
          </Button>
        ) : undefined
      }
    >
      {(currencies?.length === 0 || (failed && !isAboutMember(methods.error))) && <OtherRegion />}
      {failed && (
        <MethodsFailed
          error={methods.error}
          failed={t("deposit.methodsFailed")}
          onRetry={() => void methods.refetch()}
        />
      )}
      {!methods.isError && currencies === undefined && (
        <div className="form">
          <Wait like="A receiving card" />
        </div>
      )}
      {currencies?.length === 0 && <EmptyState title={t("deposit.noMethods")}>{t("deposit.noMethodsMore")}</EmptyState>}
      {hasForm && <RemittanceForm currencies={currencies} action={action} formId={formId} />}
    </Screen>
  );
}

/** Returns whether the member can't deposit from any region, so that choosing another one is pointless. */
function isAboutMember(error: unknown): boolean {
  return wantsIdentity(error) || isRegionRefusal(error);
}

/** The region field without a form. It leads away from a region that nothing can be sent from. */
function OtherRegion() {
  const own = useMember().data?.region ?? "";
  return (
    <div className="form">
      <RegionField region={useBankDraft().region || own} wrong={undefined} />
    </div>
  );
}

/** The form. Its button is placed below the page. */
function RemittanceForm({
  currencies,
  action,
  formId,
}: {
  readonly currencies: DepositMethods["bank"];
  readonly action: Action;
  readonly formId: string;
}) {
  const t = useText();
  const draft = useBankDraft();
  const own = useMember().data?.region ?? "";
  const isHere = useIsHere();
  const { wrong, setWrong, passes } = useForm<BankDraft>(draft);
  const region = draft.region || own;
  const currency = offeredCurrency(currencies, draft.currency);
  const cards = useReceivingCards(region, currency);
  const card = cards.data?.find(({ cardId }) => cardId === draft.cardId) ?? onlyOf(cards.data);
  const bounds = currencies.find((one) => one.currency === currency) ?? currencies[0];
  const form = { region, currency, cardId: card?.cardId ?? "", amount: draft.amount };

  function change(part: Partial<BankDraft>) {
    changeBankDraft(part);
    setWrong({});
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!passes(bankProblems(form, bounds, decimalSign()))) return;
    const asked = { cardId: form.cardId, amount: amountSent(form.amount, decimalSign()) };
    void action.run(async () => {
      const { depositNo } = await announceRemittance({ ...asked, clientId: bankWish.idOf(asked) });
      forgetBankDraft();
      if (isHere()) navigate({ to: "/pages/rk/bankrk", search: { depositNo }, replace: true });
    }, setWrong);
  }

  return (
    <form className="form" id={formId} noValidate onSubmit={submit}>
      <WalletLine way="to" />
      <RegionField region={region} wrong={wrong.region} />
      <Choice
        label={t("bank.currency")}
        value={currency}
        none={t("bank.chooseCurrency")}
        wrong={wrong.currency}
        choices={currencies.map((one) => ({ value: one.currency, label: one.currency }))}
        onChange={(value) => change({ currency: value })}
      />
      <CardField
        region={region}
        currency={currency}
        card={card}
        wrong={wrong.cardId}
        failed={cards.isError}
        none={cards.data?.length === 0}
      />
      <AmountField
        label={t("bank.amount")}
        unit={t("shell.usd")}
        writing={amountWriting()}
        value={draft.amount}
        wrong={wrong.amount}
        hint={
          bounds && t("bank.bounds", { minimum: formatMoney(bounds.minimum), maximum: formatMoney(bounds.maximum) })
        }
        onInput={(amount) => {
          change({ amount });
        }}
      />
      {card !== undefined && <Sending amount={draft.amount} card={card} currency={currency} />}
    </form>
  );
}

/** Returns the chosen currency, or the only one there is; empty if the member has to choose. */
function offeredCurrency(currencies: DepositMethods["bank"], chosen: string): string {
  const offered = currencies.map((one) => one.currency);
  // A currency chosen for another region may not be offered here.
  if (offered.includes(chosen)) return chosen;
  return offered.length === 1 ? (offered[0] ?? "") : "";
}

function onlyOf(cards: readonly ReceivingCard[] | undefined): ReceivingCard | undefined {
  return cards?.length === 1 ? cards[0] : undefined;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Shown while nothing is chosen. */
  readonly none: string;
  readonly wrong: string | undefined;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, none, wrong, choices, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="box">
        <select
          id={id}
          value={value}
          aria-invalid={wrong === undefined ? undefined : true}
          aria-describedby={wrong === undefined ? undefined : `${id}-note`}
          onChange={(event) => {
            onChange(event.currentTarget.value);
          }}
        >
          {value === "" && <option value="">{none}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      </div>
      {wrong !== undefined && (
        <p className="hint alert" id={`${id}-note`}>
          {wrong}
        </p>
      )}
    </div>
  );
}

/** The region that the money is sent from, chosen on the same screen as the member's own region. */
function RegionField({ region, wrong }: { readonly region: string; readonly wrong: string | undefined }) {
  const t = useText();
  return (
    <LinkField
      label={t("account.region")}
      value={region === "" ? null : formatRegion(region)}
      none={t("account.chooseRegion")}
      wrong={wrong}
      to="/pages/index/SelectRegion"
      search={{ for: "bank" }}
    />
  );
}

function CardField({
  region,
  currency,
  card,
  wrong,
  failed,
  none,
}: {
  readonly region: string;
  readonly currency: string;
  readonly card: ReceivingCard | undefined;
  readonly wrong: string | undefined;
  readonly failed: boolean;
  readonly none: boolean;
}) {
  const t = useText();
  if (none) return <Notice>{t("bank.noCards")}</Notice>;
  return (
    <>
      <LinkField
        label={t("bank.card")}
        value={card === undefined ? null : `${card.bank} · ${card.number}`}
        none={t("bank.chooseCard")}
        wrong={wrong}
        to="/pages/rk/SelectCard"
        search={{ region, currency }}
      />
      {failed && <p className="hint alert">{t("bank.cardsFailed")}</p>}
    </>
  );
}

/** The amount in the card's currency, with its rate. */
function Sending({
  amount,
  card,
  currency,
}: {
  readonly amount: string;
  readonly card: ReceivingCard;
  readonly currency: string;
}) {
  const t = useText();
  const digits = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
  const fiat = fiatPreview(amount, card.rate, digits ?? 2, decimalSign());
  return (
    <dl className="facts card" data-testid="you-send">
      <div>
        <dt>
          {t("bank.youSend")}
          <span className="note">{`1 USD = ${formatPrice(card.rate)} ${currency}`}</span>
        </dt>
        <dd>
          {fiat === null ? "–" : formatPrice(fiat)} <span className="unit">{currency}</span>
        </dd>
      </div>
    </dl>
  );
}
