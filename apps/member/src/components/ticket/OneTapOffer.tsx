import { Button } from "@fairtick/ui";
import { usePositions } from "../../data/orders.ts";
import { useSettings } from "../../data/settings.ts";
import { useWallet } from "../../data/wallet.ts";
import { useText } from "../../shared/i18n.ts";
import { answerOneTap, useOneTapOffer } from "./one-tap-offer.ts";
import "./ticket.css";

/**
 * Asks after the first order whether Up and Down should place at once from now on. It waits until no order is running,
 * because it takes room from the chart, which shows running orders. Renders nothing unless the question is due, nor if
 * the member has turned the confirmation off elsewhere.
 */
export function OneTapOffer() {
  const isDue = useOneTapOffer();
  const running = usePositions(useWallet()).data?.items;
  const { confirmOrders } = useSettings();
  return isDue && confirmOrders && running?.length === 0 ? <OneTapQuestion onAnswer={answerOneTap} /> : null;
}

/** The question with two answers of equal weight. */
export function OneTapQuestion({ onAnswer }: { readonly onAnswer: (isWanted: boolean) => void }) {
  const t = useText();
  return (
    <section className="one-tap" data-testid="one-tap">
      <p className="label">{t("ticket.offer")}</p>
      <div className="pair">
        <Button lowkey onClick={() => onAnswer(true)}>
          {t("ticket.offerYes")}
        </Button>
        <Button lowkey onClick={() => onAnswer(false)}>
          {t("ticket.offerNo")}
        </Button>
      </div>
    </section>
  );
}
