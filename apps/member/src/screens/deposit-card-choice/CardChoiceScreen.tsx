import { EmptyState, IconCheck, Wait } from "@fairtick/ui";
import { MethodsFailed } from "../../components/MethodsFailed.tsx";
import { useMember } from "../../data/account.ts";
import { changeBankDraft, useBankDraft } from "../../data/bank-draft.ts";
import { type ReceivingCard, useReceivingCards } from "../../data/deposits.ts";
import { formatPrice } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { goBack, Link, useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import "../../components/deposits/deposits.css";

/** The receiving cards of a region and currency. Choosing one returns to the form. */
export function CardChoiceScreen() {
  const t = useText();
  const search = useSearch();
  const draft = useBankDraft();
  const own = useMember().data?.region ?? "";
  const region = search["region"] ?? (draft.region || own);
  const currency = search["currency"] ?? draft.currency;
  const query = useReceivingCards(region, currency);
  const waiting = query.data === undefined && !query.isError && currency !== "";
  return (
    <Screen title={t("bank.chooseCard")} pushed noWallet money="real" backTo="/pages/rk/bankrk" busy={waiting}>
      <div className="stack deposit-page">
        <Choice query={query} region={region} currency={currency} />
      </div>
    </Screen>
  );
}

function Choice({
  query,
  region,
  currency,
}: {
  readonly query: ReturnType<typeof useReceivingCards>;
  readonly region: string;
  readonly currency: string;
}) {
  const t = useText();
  const cards = query.data;
  if (query.isError && cards === undefined) {
    return <MethodsFailed error={query.error} failed={t("bank.cardsFailed")} onRetry={() => void query.refetch()} />;
  }
  if (currency === "") return <CurrencyFirst />;
  if (cards === undefined) {
    return (
      <div className="group" aria-hidden="true">
        <div className="row">
          <Wait like="A receiving card" />
        </div>
      </div>
    );
  }
  if (cards.length === 0) return <EmptyState title={t("bank.noCards")}>{t("bank.noCardsMore")}</EmptyState>;
  return <Cards cards={cards} region={region} currency={currency} />;
}

function CurrencyFirst() {
  const t = useText();
  return (
    <EmptyState
      title={t("bank.currencyFirst")}
      action={
        <Link className="button tint lowkey" to="/pages/rk/bankrk" replace>
          {t("bank.toForm")}
        </Link>
      }
    >
      {t("bank.currencyFirstMore")}
    </EmptyState>
  );
}

function Cards({
  cards,
  region,
  currency,
}: {
  readonly cards: readonly ReceivingCard[];
  readonly region: string;
  readonly currency: string;
}) {
  const { cardId } = useBankDraft();
  return (
    <ul className="group">
      {cards.map((card) => (
        <li key={card.cardId}>
          <button
            type="button"
            className="row"
            aria-pressed={card.cardId === cardId}
            onClick={() => {
              changeBankDraft({ region, currency, cardId: card.cardId });
              goBack("/pages/rk/bankrk");
            }}
          >
            <span className="grow">
              {card.bank}
              <span className="note soft block">
                {card.holder} · {card.number}
              </span>
            </span>
            <span className="figure note soft">{`1 USD = ${formatPrice(card.rate)} ${currency}`}</span>
            {card.cardId === cardId && <IconCheck size="small" className="accent" />}
          </button>
        </li>
      ))}
    </ul>
  );
}
