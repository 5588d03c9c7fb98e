import type { Order } from "@fairtick/protocol";
import { lazy, Suspense } from "react";
import "./verify.css";

const VerifyPanel = lazy(async () => {
  const part = await import("./VerifyPanel.tsx");
  return { default: part.VerifyPanel };
});

/** Checks a settled order in this browser, by itself, and shows what it found. The verifier is fetched with it. */
export function VerifyOrder({ order, decimals }: { readonly order: Order; readonly decimals: number }) {
  return (
    <section className="verify" data-testid="verify">
      <Suspense fallback={<div className="verify-wait" />}>
        <VerifyPanel order={order} decimals={decimals} />
      </Suspense>
    </section>
  );
}
