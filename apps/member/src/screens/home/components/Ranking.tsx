import { Change, EmptyState, FailedState, Segments, Spark, Wait } from "@fairtick/ui";
import type { Instrument } from "@fairtick/protocol";
import { useMemo } from "react";
import { changeToday, directionOf, useInstruments } from "../../../data/instruments.ts";
import { usePrice } from "../../../data/prices.ts";
import { useAddressChoice } from "../../../shared/address-choice.ts";
import { formatChange, formatPrice } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { instrumentWords } from "../../../shared/instrument-words.ts";
import { Link } from "../../../shared/navigation.tsx";
import { rank, type RankingView } from "../ranking.ts";

const WAITING_ROWS = 8;
const VIEWS = ["all", "rising", "falling"] as const;

/** Products with their price and today's change. Sorted only when the list is loaded, so that rows don't jump. */
export function Ranking() {
  const t = useText();
  const [view, setView] = useAddressChoice<RankingView>("ranking", VIEWS, "all");
  const query = useInstruments();
  const rows = query.data && rank(query.data, view);
  return (
    <section className="home-ranking">
      <Segments
        label={t("home.ranking")}
        look="slim"
        value={view}
        onChange={setView}
        choices={[
          { value: "all", label: t("home.all") },
          { value: "rising", label: t("home.rising") },
          { value: "falling", label: t("home.falling") },
        ]}
      />
      <div className="ranking-head note soft" aria-hidden="true">
        <span>{t("home.product")}</span>
        <span className="end">{t("home.latestPrice")}</span>
        <span className="end">{t("home.todaysChange")}</span>
      </div>
      <div className="group" aria-busy={query.isPending}>
        {rows?.map((instrument) => (
          <RankingRow key={instrument.symbol} instrument={instrument} />
        ))}
        {query.isPending && Array.from({ length: WAITING_ROWS }, (_, row) => <WaitingRow key={row} />)}
        {rows?.length === 0 && <EmptyState title={t(view === "falling" ? "home.noneFalling" : "home.noneRising")} />}
        {!rows && query.isError && (
          <FailedState
            title={query.error.message}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => {
              void query.refetch();
            }}
          />
        )}
      </div>
    </section>
  );
}

function RankingRow({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  const live = usePrice(instrument.symbol);
  const price = live?.price ?? instrument.price;
  // The sparkline is redrawn when the list is loaded, not with each price.
  const course = useMemo(() => <Spark points={instrument.spark.map(Number)} />, [instrument.spark]);
  const change = changeToday(instrument, live?.price);
  return (
    <Link className="row near ranking-row" to="/pages/trade/index" search={{ symbol: instrument.symbol }}>
      <span>
        <span className="cut block">{instrument.name}</span>
        <span className="note soft block">
          {instrument.open && !instrument.suspended ? instrumentWords(t, instrument) : t("home.notOpen")}
        </span>
      </span>
      {course}
      <span className="figure">{price === null ? "–" : formatPrice(price, instrument.decimals)}</span>
      <span>
        {change === null ? "–" : <Change direction={directionOf(change)}>{formatChange(String(change))}</Change>}
      </span>
    </Link>
  );
}

function WaitingRow() {
  return (
    <div className="row near ranking-row">
      <span>
        <span className="block">
          <Wait like="EUR/USD" />
        </span>
        <span className="note block">
          <Wait like="Euro / dollar" />
        </span>
      </span>
      <span />
      <span className="figure">
        <Wait like="1.000000" />
      </span>
      <span>
        <Wait like="+0.00%" />
      </span>
    </div>
  );
}
