import { EmptyState, FailedState, Gain, Split, Wait } from "@fairtick/ui";
import { Link } from "../../shared/navigation.tsx";
import { useFigures, type Figures, type Week } from "../../data/figures.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatCount, formatDate, formatGain, formatMoney, formatRate, toneOf } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { barsAroundZero, piles } from "./plot-scale.ts";
import { WeekPlot } from "./WeekPlot.tsx";
import "./figures.css";

/** The member's own results, showing losses as plainly as wins. */
export function FiguresScreen() {
  const t = useText();
  const query = useFigures(useWallet());
  const figures = query.data;
  return (
    <Screen title={t("figures.title")} pushed broad backTo="/pages/user/index" busy={query.isPending}>
      {query.isError && figures === undefined ? (
        <FailedState
          title={t("figures.failed")}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => {
            void query.refetch();
          }}
        />
      ) : (
        <div className="stack figures-page">
          <Rates figures={figures} />
          {figures !== undefined &&
            (figures.weeks.some(({ orders }) => orders > 0) ? <Weeks weeks={figures.weeks} /> : <Nothing />)}
        </div>
      )}
    </Screen>
  );
}

function Rates({ figures }: { readonly figures: Figures | undefined }) {
  const t = useText();
  const rate = (value: string | null | undefined) => {
    if (value === undefined) return <Wait like="55.5%" />;
    return value === null ? t("figures.notYet") : formatRate(value);
  };
  return (
    <section className="card">
      <Split
        parts={[
          { name: t("figures.ownRate"), figure: <span data-testid="own-rate">{rate(figures?.ownRate)}</span> },
          { name: t("figures.breakEven"), figure: <span data-testid="break-even">{rate(figures?.breakEven)}</span> },
        ]}
      />
      <p className="note soft figures-note">{t("figures.ratesNote")}</p>
    </section>
  );
}

function Nothing() {
  const t = useText();
  return (
    <EmptyState
      title={t("figures.empty")}
      action={
        <Link className="button tint lowkey" to="/pages/trade/trade">
          {t("orders.placeOne")}
        </Link>
      }
    >
      {t("figures.emptyMore")}
    </EmptyState>
  );
}

function Weeks({ weeks }: { readonly weeks: readonly Week[] }) {
  const t = useText();
  const results = barsAroundZero(weeks.map(({ profit }) => Number(profit)));
  const counts = piles(weeks.map(({ won, lost, tied, voided }) => [won, lost, tied + voided]));
  const amounts = piles(weeks.map(({ staked }) => [Number(staked)]));
  const looks = ["figures-up", "figures-down", "figures-neither"];
  return (
    <>
      <section data-testid="plot-result">
        <h2 className="label">{t("figures.result")}</h2>
        <WeekPlot
          what={t("figures.result")}
          zero={results.zero}
          columns={weeks.map(({ start, profit }, place) => ({
            start,
            amount: Number(profit),
            figure: formatGain(profit),
            bars: [
              {
                ...(results.bars[place] ?? { top: 0, height: 0 }),
                look: profit.startsWith("-") ? "figures-down" : "figures-up",
              },
            ],
          }))}
        />
      </section>
      <section data-testid="plot-counts">
        <h2 className="label">{t("figures.counts")}</h2>
        <WeekPlot
          what={t("figures.counts")}
          zero={1}
          columns={weeks.map(({ start, orders }, place) => ({
            start,
            amount: orders,
            figure: formatCount(orders),
            bars: (counts[place] ?? []).map(({ top, height }, part) => ({ top, height, look: looks[part] ?? "" })),
          }))}
        />
        <ul className="note soft figures-legend">
          {(["won", "lost", "neither"] as const).map((name, part) => (
            <li key={name}>
              <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
                <rect className={looks[part]} width="10" height="10" />
              </svg>
              {t(`figures.${name}`)}
            </li>
          ))}
        </ul>
      </section>
      <section data-testid="plot-staked">
        <h2 className="label">{t("figures.staked")}</h2>
        <WeekPlot
          what={t("figures.staked")}
          zero={1}
          columns={weeks.map(({ start, staked }, place) => ({
            start,
            amount: Number(staked),
            figure: formatMoney(staked),
            bars: (amounts[place] ?? []).map(({ top, height }) => ({ top, height, look: "figures-amount" })),
          }))}
        />
      </section>
      <WeekTable weeks={weeks} />
      <p className="note soft">{t("figures.weeksNote")}</p>
      <Link className="button tint lowkey figures-history" to="/pages/order/index" search={{ tab: "history" }}>
        {t("orders.history")}
      </Link>
    </>
  );
}

/** All figures of the plots in a table, newest week first. */
function WeekTable({ weeks }: { readonly weeks: readonly Week[] }) {
  const t = useText();
  return (
    <section>
      <h2 className="label" id="figures-weeks">
        {t("figures.all")}
      </h2>
      <table className="figures-table" aria-labelledby="figures-weeks">
        <thead>
          <tr className="note soft">
            <th scope="col">{t("figures.week")}</th>
            <th scope="col">{t("figures.orders")}</th>
            <th scope="col">{t("figures.amounts")}</th>
            <th scope="col">{t("figures.profit")}</th>
          </tr>
        </thead>
        <tbody>
          {weeks.toReversed().map((week) => (
            <tr key={week.start} data-testid="week">
              <th scope="row">
                {formatDate(week.start)}
                <span className="note soft block">
                  {[
                    `${t("figures.won")} ${formatCount(week.won)}`,
                    `${t("figures.lost")} ${formatCount(week.lost)}`,
                    ...(week.tied + week.voided > 0
                      ? [`${t("figures.neither")} ${formatCount(week.tied + week.voided)}`]
                      : []),
                  ].join(" · ")}
                </span>
              </th>
              <td className="figure" data-name={t("figures.orders")}>
                {formatCount(week.orders)}
              </td>
              <td className="figure" data-name={t("figures.amounts")}>
                {formatMoney(week.staked)}
              </td>
              <td data-name={t("figures.profit")}>
                <Gain tone={toneOf(week.profit)}>{formatGain(week.profit)}</Gain>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
