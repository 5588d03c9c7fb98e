import type { Instrument, Order } from "@fairtick/protocol";
import { Button, EmptyState, FailedState, Gain, Split, Wait } from "@fairtick/ui";
import { useMemo } from "react";
import { ChosenDays, DateFilter } from "../../../components/lists/DateFilter.tsx";
import { FilterChip } from "../../../components/lists/FilterChip.tsx";
import { LoadMore, type Pages } from "../../../components/lists/LoadMore.tsx";
import { SettledRow } from "../../../components/orders/OrderRows.tsx";
import { useInstruments } from "../../../data/instruments.ts";
import { useHistory, type HistoryPage } from "../../../data/trading.ts";
import { useWallet } from "../../../data/wallet.ts";
import { useAddressChoice } from "../../../shared/address-choice.ts";
import { ALWAYS, spanOf, type DateChoice } from "../../../shared/date-span.ts";
import { formatGain, formatMoney, toneOf } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { serverNow } from "../../../shared/server-clock.ts";
import { Link, useSearch } from "../../../shared/navigation.tsx";
import "../orders-screen.css";

const OUTCOMES = ["won", "lost", "tied", "voided"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Settled orders with filters and the totals of all that match. */
export function HistoryView({
  dates,
  onDates,
}: {
  readonly dates: DateChoice;
  readonly onDates: (dates: DateChoice) => void;
}) {
  const t = useText();
  const { instruments, symbol, setSymbol, outcome, setOutcome, chosen } = useHistoryChoice();
  // Recomputed only when the choice changes, so that the list isn't reloaded with each tick of the clock.
  const { name, fromDay, toDay } = dates;
  const span = useMemo(() => spanOf({ name, fromDay, toDay }, serverNow()), [name, fromDay, toDay]);
  const history = useHistory(useWallet(), { ...span, ...chosen });
  const pages = history.data?.pages;
  const orders = pages?.flatMap(({ items }) => items);
  const failed = history.isError && orders === undefined;
  const filtered = dates.name !== "always" || Object.keys(chosen).length > 0;
  return (
    <>
      <div className="filters">
        <DateFilter choice={dates} onChange={onDates} />
        <ProductFilter instruments={instruments} value={symbol} onChange={setSymbol} />
        <OutcomeFilter value={outcome} onChange={setOutcome} />
      </div>
      <ChosenDays choice={dates} onChange={onDates} />
      {failed ? (
        <FailedState
          title={t("orders.failed")}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => void history.refetch()}
        />
      ) : (
        <Totals totals={pages?.[0]?.totals} />
      )}
      {orders?.length === 0 && (
        <Nothing
          filtered={filtered}
          onShowAll={() => {
            onDates(ALWAYS);
            setSymbol("");
            setOutcome("");
          }}
        />
      )}
      {orders !== undefined && orders.length > 0 && <List orders={orders} pages={history} />}
    </>
  );
}

/** The product and the outcome in the address, functions that change them, and the filters that they make. */
export function useHistoryChoice() {
  const instruments = useInstruments().data ?? [];
  const [symbol, setSymbol] = useSymbolChoice(instruments);
  const [outcome, setOutcome] = useAddressChoice<Outcome | "">("outcome", OUTCOMES, "");
  const chosen = { ...(symbol !== "" && { symbol }), ...(outcome !== "" && { outcome }) };
  return { instruments, symbol, setSymbol, outcome, setOutcome, chosen };
}

/** The product in the address, and a function that changes it. */
function useSymbolChoice(instruments: readonly Instrument[]) {
  const { symbol: borne = "" } = useSearch();
  // Until the products are loaded, accept whatever is in the address.
  const symbols = instruments.length === 0 ? [borne] : instruments.map((instrument) => instrument.symbol);
  return useAddressChoice("symbol", symbols, "");
}

function ProductFilter({
  instruments,
  value,
  onChange,
}: {
  readonly instruments: readonly Instrument[];
  readonly value: string;
  readonly onChange: (symbol: string) => void;
}) {
  const t = useText();
  return (
    <FilterChip
      label={t("orders.filterProduct")}
      choices={[
        { value: "", label: t("orders.allProducts") },
        ...instruments.map((instrument) => ({ value: instrument.symbol, label: instrument.name })),
      ]}
      value={value}
      onChange={onChange}
    />
  );
}

function OutcomeFilter({
  value,
  onChange,
}: {
  readonly value: Outcome | "";
  readonly onChange: (outcome: Outcome | "") => void;
}) {
  const t = useText();
  return (
    <FilterChip<Outcome | "">
      label={t("orders.filterOutcome")}
      choices={[
        { value: "", label: t("orders.allOutcomes") },
        ...OUTCOMES.map((one) => ({ value: one, label: t(`orders.outcome.${one}`) })),
      ]}
      value={value}
      onChange={onChange}
    />
  );
}

function Totals({ totals }: { readonly totals: HistoryPage["totals"] | undefined }) {
  const t = useText();
  return (
    <div className="history-totals" data-testid="totals">
      <Split
        parts={[
          {
            name: t("orders.netOf", { count: totals?.count ?? 0 }),
            figure: totals ? (
              <Gain tone={toneOf(totals.profit)}>{formatGain(totals.profit)}</Gain>
            ) : (
              <Wait like="+100.00" />
            ),
          },
          { name: t("orders.amounts"), figure: totals ? formatMoney(totals.staked) : <Wait like="100.00" /> },
          { name: t("orders.fees"), figure: totals ? formatMoney(totals.fees) : <Wait like="1.00" /> },
        ]}
      />
    </div>
  );
}

function List({ orders, pages }: { readonly orders: readonly Order[]; readonly pages: Pages }) {
  const t = useText();
  return (
    <>
      <section className="group" aria-label={t("orders.history")}>
        {orders.map((order) => (
          <SettledRow key={order.orderNo} order={order} />
        ))}
      </section>
      <LoadMore pages={pages} />
    </>
  );
}

function Nothing({ filtered, onShowAll }: { readonly filtered: boolean; readonly onShowAll: () => void }) {
  const t = useText();
  if (filtered) {
    return (
      <EmptyState
        title={t("orders.nothingFound")}
        action={
          <Button look="tint" lowkey onClick={onShowAll}>
            {t("orders.showAll")}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      title={t("orders.nothingSettled")}
      action={
        <Link className="button tint lowkey" to="/pages/trade/trade">
          {t("orders.placeOne")}
        </Link>
      }
    >
      {t("orders.nothingSettledMore")}
    </EmptyState>
  );
}
