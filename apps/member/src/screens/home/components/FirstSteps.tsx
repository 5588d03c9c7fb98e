import { Button, IconClose } from "@fairtick/ui";
import { useInstruments } from "../../../data/instruments.ts";
import { chooseWallet, useWallet } from "../../../data/wallet.ts";
import { endWelcome, goOnWelcoming } from "../../../data/welcome.ts";
import { useText } from "../../../shared/i18n.ts";
import { navigate } from "../../../shared/navigation.tsx";
import "./first-steps.css";

/** Offers a new member a first order with play money, on the usual order screen. */
export function FirstSteps() {
  const t = useText();
  const wallet = useWallet();
  const open = useInstruments().data?.find((instrument) => instrument.open && !instrument.suspended);

  function order() {
    goOnWelcoming("choose");
    if (wallet !== "practice") chooseWallet("practice");
    navigate({ to: "/pages/trade/trade", search: { symbol: open?.symbol } });
  }

  return (
    <section className="card stack first-steps" aria-label={t("welcome.title")} data-testid="first-steps">
      <div className="first-steps-head">
        <h2 className="title">{t("welcome.title")}</h2>
        <button type="button" className="bar-button soft" aria-label={t("welcome.skip")} onClick={endWelcome}>
          <IconClose size="small" />
        </button>
      </div>
      <p>{t("welcome.intro")}</p>
      <Button look="main" onClick={order}>
        {t("welcome.order")}
      </Button>
    </section>
  );
}
