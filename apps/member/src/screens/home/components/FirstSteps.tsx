import { Button, IconClose } from "@fairtick/ui";
import { useState } from "react";
import { useInstruments } from "../../../data/instruments.ts";
import { chooseWallet, useWallet } from "../../../data/wallet.ts";
import { endWelcome } from "../../../data/welcome.ts";
import { useText } from "../../../shared/i18n.ts";
import { navigate } from "../../../shared/navigation.tsx";
import "./first-steps.css";

const STEPS = ["one", "two", "three"] as const;

/** Three short steps for who has just registered, the last of which leads to a first practice order. */
export function FirstSteps({ onEnd }: { readonly onEnd: () => void }) {
  const t = useText();
  const [step, setStep] = useState(0);
  const wallet = useWallet();
  const open = useInstruments().data?.find((instrument) => instrument.open && !instrument.suspended);

  function end() {
    endWelcome();
    onEnd();
  }

  function order() {
    end();
    if (wallet !== "practice") chooseWallet("practice");
    navigate({ to: "/pages/trade/trade", search: { symbol: open?.symbol } });
  }

  return (
    <section className="card stack first-steps" aria-label={t("welcome.title")} data-testid="first-steps">
      <div className="first-steps-head">
        <h2 className="title">{t("welcome.title")}</h2>
        <button type="button" className="bar-button soft" aria-label={t("welcome.skip")} onClick={end}>
          <IconClose size="small" />
        </button>
      </div>
      <div aria-live="polite">
        <p className="note soft">{t("welcome.step", { step: step + 1 })}</p>
        <p>{t(`welcome.${STEPS[step] ?? "three"}`)}</p>
      </div>
      {step < STEPS.length - 1 ? (
        <Button
          look="tint"
          lowkey
          onClick={() => {
            setStep(step + 1);
          }}
        >
          {t("welcome.next")}
        </Button>
      ) : (
        <Button look="main" onClick={order}>
          {t("welcome.order")}
        </Button>
      )}
    </section>
  );
}
