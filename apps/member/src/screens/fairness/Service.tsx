import { Facts } from "@fairtick/ui";
import type { Fairness } from "../../data/fairness.ts";
import { formatCount, formatDuration, formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

/** Delays, withdrawal times, corrections, refusals, what stood still, minutes without prices. */
export function Service({ figures }: { readonly figures: Fairness }) {
  const t = useText();
  const timesOf = ({ count, p50, p95 }: Fairness["entryDelay"]) =>
    p50 === null || p95 === null
      ? t("fairness.noneYet")
      : t("fairness.times", { p50: spanOf(p50), p95: spanOf(p95), count });
  const { corrections } = figures;
  return (
    <section className="card" data-testid="fairness-service">
      <h2 className="label">{t("fairness.service")}</h2>
      <Facts
        facts={[
          { name: t("fairness.entryDelay"), note: timesOf(figures.entryDelay), figure: "" },
          { name: t("fairness.settlementDelay"), note: timesOf(figures.settlementDelay), figure: "" },
          { name: t("fairness.withdrawalTime"), note: timesOf(figures.withdrawalTime), figure: "" },
          {
            name: t("fairness.corrections"),
            note: t("fairness.correctionsOf", {
              credited: formatMoney(corrections.credited),
              debited: formatMoney(corrections.debited),
            }),
            figure: formatCount(corrections.count),
          },
          {
            name: t("fairness.refusals", { days: figures.days }),
            note: figures.refusals.map(({ reason, count }) => `${reason} ${formatCount(count)}`).join(" · "),
            figure: formatCount(figures.refusals.reduce((sum, { count }) => sum + count, 0)),
          },
          {
            name: t("fairness.incidents", { days: figures.days }),
            note: figures.incidents
              .map(({ part, count, ms }) => `${t(`fairness.part.${part}`)} ${formatCount(count)} (${spanOf(ms)})`)
              .join(" · "),
            figure: formatCount(figures.incidents.reduce((sum, { count }) => sum + count, 0)),
          },
          {
            name: t("fairness.gaps"),
            note: figures.gaps.map(({ symbol, missing }) => `${symbol} ${formatCount(missing)}`).join(" · "),
            figure: t("fairness.of", {
              part: formatCount(figures.gaps.reduce((sum, { missing }) => sum + missing, 0)),
              all: formatCount(figures.gaps.reduce((sum, { minutes }) => sum + minutes, 0)),
            }),
          },
        ]}
      />
    </section>
  );
}

function spanOf(ms: number): string {
  return ms < 10_000 ? `${formatCount(ms)} ms` : formatDuration(Math.round(ms / 1000));
}
