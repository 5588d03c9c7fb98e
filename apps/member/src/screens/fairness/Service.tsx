import { Facts } from "@fairtick/ui";
import type { Fairness } from "../../data/fairness.ts";
import { formatCount, formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Fold } from "./Fold.tsx";
import { spanOf } from "./span-of.ts";

/** Delays, withdrawal times, corrections and minutes without prices. */
export function Service({ figures }: { readonly figures: Fairness }) {
  const t = useText();
  const timesOf = ({ count, p50, p95 }: Fairness["entryDelay"]) =>
    p50 === null || p95 === null
      ? t("fairness.noneYet")
      : t("fairness.times", { p50: spanOf(p50), p95: spanOf(p95), count });
  const { corrections } = figures;
  return (
    <Fold title={t("fairness.service")} testId="fairness-service">
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
            name: t("fairness.gaps"),
            note: figures.gaps.map(({ symbol, missing }) => `${symbol} ${formatCount(missing)}`).join(" · "),
            figure: t("fairness.of", {
              part: formatCount(figures.gaps.reduce((sum, { missing }) => sum + missing, 0)),
              all: formatCount(figures.gaps.reduce((sum, { minutes }) => sum + minutes, 0)),
            }),
          },
        ]}
      />
    </Fold>
  );
}
