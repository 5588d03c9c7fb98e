import { Button, Notice } from "@fairtick/ui";
import { formatMoney, formatRate } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { joinSentences } from "../../shared/sentences.ts";
import type { ChangedTerms, OffReason } from "./use-ticket-order.ts";
import type { PlaceState } from "./order-dispatch.ts";

/**
 * The ticket's message, shown where the member is looking: changed terms, a refusal, a missing answer, or why nothing
 * can be placed now. Renders nothing while all is well.
 */
export function TicketSaid({
  state,
  changed,
  off,
  onAskAgain,
}: {
  readonly state: PlaceState;
  readonly changed: ChangedTerms | null;
  readonly off: OffReason | null;
  /** Left out if a nearby button does it. */
  readonly onAskAgain?: (() => void) | undefined;
}) {
  const t = useText();
  if (changed) {
    const { payoutRate, fee } = changed;
    return <Notice wrong>{t("order.termsChanged", { rate: formatRate(payoutRate), fee: formatMoney(fee) })}</Notice>;
  }
  switch (state.step) {
    case "refused":
      return <Notice wrong>{joinSentences(state.error.message, t("order.refused"))}</Notice>;
    case "notPlaced":
      return <Notice wrong>{t("order.notPlaced")}</Notice>;
    case "newDevice":
      return <Notice>{t("order.newDevice")}</Notice>;
    case "cut":
      return (
        <>
          <Notice wrong>{t(state.asking ? "order.cut" : "order.cutLonger")}</Notice>
          {!state.asking && onAskAgain && (
            <Button lowkey onClick={onAskAgain}>
              {t("order.askAgain")}
            </Button>
          )}
        </>
      );
    case "idle":
    case "placing":
      return off === null ? null : <Notice wrong>{off.sentence}</Notice>;
  }
}
