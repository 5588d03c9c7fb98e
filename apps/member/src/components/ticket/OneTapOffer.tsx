import { Button } from "@fairtick/ui";
import { usePositions } from "../../data/orders.ts";
import { useWallet } from "../../data/wallet.ts";
import { useText } from "../../shared/i18n.ts";
import { answerOneTap, useOneTapOffer } from "./one-tap-offer.ts";
import "./ticket.css";

/**
 * After the first order: whether Up and Down should place at once from now on. It waits until nothing runs: the room that it takes
 * is the chart's, which shows the orders that do. Nothing unless it is due.
 */
export function OneTapOffer() {
  const isDue = useOneTapOffer();
  const running = usePositions(useWallet()).data?.items;
  return isDue && running?.length === 0 ? <OneTapQuestion onAnswer={answerOneTap} /> : null;
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
