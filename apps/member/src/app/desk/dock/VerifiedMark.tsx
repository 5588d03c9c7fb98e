import type { Order } from "@fairtick/protocol";
import { IconShield, IconWarning } from "@fairtick/ui";
import { isPassing, useVerification } from "../../../data/proof/verification.ts";
import { useText } from "../../../shared/i18n.ts";

/** The result of this browser's own check of an order, rendered once the verifier has finished. */
export function VerifiedMark({ order, decimals }: { readonly order: Order; readonly decimals: number }) {
  const t = useText();
  const query = useVerification(order, decimals);
  const verdict = query.data?.verdict;
  if (verdict?.state === "ok") {
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
  return <span className="note soft">{t(query.isError ? "desk.notChecked" : "desk.verifying")}</span>;
}
