import type { Order } from "@fairtick/protocol";
import { IconShield, IconWarning } from "@fairtick/ui";
import { isPassing, useVerification } from "../../../data/proof/verification.ts";
import { holdsAtOnce } from "../../../data/verify-at-once.ts";
import { useText } from "../../../shared/i18n.ts";

/**
 * The result of this browser's own check of an order. What the public log doesn't have yet is checked later, as with the
 * order's result.
 */
export function VerifiedMark({ order, decimals }: { readonly order: Order; readonly decimals: number }) {
  const t = useText();
  const query = useVerification(order, decimals);
  const verdict = query.data?.verdict;
  const isWaiting = verdict?.state === "pending" && holdsAtOnce(verdict.checks);
  if (verdict?.state === "ok" || isWaiting) {
    return (
      <span className="verified note accent" data-testid="desk-verified">
        <IconShield size="tiny" />
        {t("desk.verified")}
      </span>
    );
  }
  if (verdict?.state === "failed" && !isPassing(verdict)) {
    return (
      <span className="verified note alert">
        <IconWarning size="tiny" />
        {t("desk.notVerified")}
      </span>
    );
  }
  const isUnchecked = query.isError || verdict?.state === "unchecked";
  return <span className="note soft">{t(isUnchecked ? "desk.notChecked" : "desk.verifying")}</span>;
}
