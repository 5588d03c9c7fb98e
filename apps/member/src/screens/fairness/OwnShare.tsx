import { Notice } from "@fairtick/ui";
import { useOwnLiability } from "../../data/proof/liability.ts";
import type { Fairness } from "../../data/fairness.ts";
import { formatDay, formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

/** Whether the published sum includes the member's own balance, as checked in this browser. */
export function OwnShare({
  published,
  member,
}: {
  readonly published: NonNullable<Fairness["liabilities"]>;
  readonly member: string;
}) {
  const t = useText();
  const query = useOwnLiability(published, member);
  const found = query.data;
  const state = found?.state ?? (query.isError ? "unchecked" : "checking");
  const said =
    found?.state === "ok" || found?.state === "leftOut"
      ? t(found.state === "ok" ? "fairness.owed.in" : "fairness.owed.leftOut", {
          amount: formatMoney(found.amount),
          day: formatDay(published.day),
        })
      : {
          ok: "",
          leftOut: "",
          none: t("fairness.owed.notIn"),
          unsure: t("fairness.owed.unsure"),
          pending: t("fairness.owed.pending"),
          failed: t("fairness.owed.failed"),
          unwatched: `${t("fairness.owed.unchecked")} ${t("verify.named.log-unwatched")}`,
          unchecked: t("fairness.owed.unchecked"),
          checking: t("fairness.owed.checking"),
        }[state];
  return (
    <div data-testid="own-share" data-state={state} aria-live="polite">
      <Notice wrong={state === "failed" || state === "leftOut" || state === "unwatched" || state === "unchecked"}>
        {said}
        {found?.state === "failed" && ` (${found.why})`}
      </Notice>
    </div>
  );
}
