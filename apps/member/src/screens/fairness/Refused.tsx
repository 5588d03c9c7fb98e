import type { MessageId } from "@fairtick/i18n";
import { Facts, type Fact } from "@fairtick/ui";
import type { Fairness } from "../../data/fairness.ts";
import { formatCount } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Fold } from "./Fold.tsx";
import { REFUSAL_REASONS } from "./refusal-reasons.ts";
import { spanOf } from "./span-of.ts";

/** Refused orders by reason, and the periods in which a part of the house stood still. */
export function Refused({ figures }: { readonly figures: Fairness }) {
  const t = useText();
  const { days, refusals, incidents } = figures;
  const reasonOf = (reason: string) => (REFUSAL_REASONS.has(reason) ? t(`refusal.${reason}` as MessageId) : reason);
  const facts: Fact[] = [
    {
      name: t("fairness.refusals", { days }),
      note: refusals.length === 0 ? t("fairness.refusals.none") : undefined,
      figure: formatCount(refusals.reduce((sum, { count }) => sum + count, 0)),
      sum: true,
    },
    ...refusals.map(({ reason, count }) => ({ name: reasonOf(reason), figure: formatCount(count) })),
    {
      name: t("fairness.incidents", { days }),
      figure: formatCount(incidents.reduce((sum, { count }) => sum + count, 0)),
      sum: true,
    },
    ...incidents.map(({ part, count, ms, unsigned }) => ({
      name: t(`fairness.part.${part}`),
      note:
        unsigned.length === 0
          ? spanOf(ms)
          : t("fairness.part.unsigned", { span: spanOf(ms), witnesses: unsigned.join(", ") }),
      figure: formatCount(count),
    })),
  ];
  return (
    <Fold title={t("fairness.refusals.title")} testId="fairness-refused">
      <Facts facts={facts} />
    </Fold>
  );
}
