import { Button } from "@fairtick/ui";
import { seeCredit, useCredit } from "../../data/credits.ts";
import { chooseWallet, useWallet } from "../../data/wallet.ts";
import { formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import "./wallet.css";

/** Offers to switch to the real wallet if money has arrived in it while the practice wallet is in view. */
export function CreditOffer() {
  const credit = useCredit();
  const wallet = useWallet();
  return credit === null || wallet === "real" ? null : <Offer amount={credit.amount} onStay={seeCredit} />;
}

/** The same offer on a deposit's own screen, while the other wallet is in view. */
export function SwitchOffer({ amount }: { readonly amount: string }) {
  return useWallet() === "real" ? null : <Offer amount={amount} />;
}

function Offer({ amount, onStay }: { readonly amount: string; readonly onStay?: () => void }) {
  const t = useText();
  return (
    <section className="card wallet-credit" data-testid="credit-offer">
      <p aria-live="polite">{t("wallet.credited", { amount: formatMoney(amount) })}</p>
      <div className={onStay === undefined ? "wallet-credit" : "pair"}>
        {onStay !== undefined && (
          <Button lowkey onClick={onStay}>
            {t("wallet.stay")}
          </Button>
        )}
        <Button
          look="tint"
          lowkey
          onClick={() => {
            seeCredit();
            chooseWallet("real");
          }}
        >
          {t("wallet.switch")}
        </Button>
      </div>
    </section>
  );
}
