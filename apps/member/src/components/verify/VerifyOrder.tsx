import type { Order } from "@fairtick/protocol";
import { lazy, Suspense } from "react";
import { useText } from "../../shared/i18n.ts";
import type { SealCard as LoadedCard } from "./SealCard.tsx";
import { SealMark } from "./SealMark.tsx";
import "./verify.css";

const VerifyPanel = lazy(async () => {
  const part = await import("./VerifyPanel.tsx");
  return { default: part.VerifyPanel };
});

const SealCard = lazy(loadSeal);

/** Loads the verifier while an order runs, so that nobody waits for it at the result. */
export async function loadSeal(): Promise<{ readonly default: typeof LoadedCard }> {
  const part = await import("./SealCard.tsx");
  return { default: part.SealCard };
}

/** Verifies a settled order in this browser and shows the result. Loads the verifier on demand. */
export function VerifyOrder({ order, decimals }: { readonly order: Order; readonly decimals: number }) {
  return (
    <section className="verify" data-testid="verify">
      <Suspense fallback={<div className="verify-wait" />}>
        <VerifyPanel order={order} decimals={decimals} />
      </Suspense>
    </section>
  );
}

interface SealProps {
  readonly order: Order;
  readonly decimals: number;
  readonly name: string;
  readonly draws: boolean;
}

/** The same check at an order's result, as a card with the seal. */
export function SealOrder(props: SealProps) {
  const t = useText();
  return (
    <section className="verify" data-testid="verify">
      <Suspense
        fallback={
          <div className="seal-card">
            <SealMark state="empty" />
            <span className="grow">
              <span className="seal-title">{t("result.verifying")}</span>
              <span className="note soft block">{t("result.verifyingWhat")}</span>
            </span>
          </div>
        }
      >
        <SealCard {...props} />
      </Suspense>
    </section>
  );
}
