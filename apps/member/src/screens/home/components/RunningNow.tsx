import { lazy, Suspense } from "react";
import { useInstruments } from "../../../data/instruments.ts";
import { LISTED_AT_HOME, usePositions } from "../../../data/orders.ts";
import { useWallet } from "../../../data/wallet.ts";
import { Boundary } from "../../../shared/Boundary.tsx";
import { useText } from "../../../shared/i18n.ts";

/** Loaded with the first running order: most visits to the home screen have none and pay nothing for the order rules. */
const RunningOrder = lazy(async () => {
  const part = await import("./RunningOrder.tsx");
  return { default: part.RunningOrder };
});

/** Running orders with their time left and how they stand. Renders nothing if none is running. */
export function RunningNow() {
  const t = useText();
  const wallet = useWallet();
  const orders = usePositions(wallet).data?.items ?? [];
  const names = new Map(useInstruments().data?.map((instrument) => [instrument.symbol, instrument.name]));
  if (orders.length === 0) return null;
  return (
    <section className="group home-running" aria-label={t("home.runningNow")}>
      <Boundary broken={null}>
        <Suspense fallback={null}>
          {orders.slice(0, LISTED_AT_HOME).map((order) => (
            <RunningOrder key={order.orderNo} order={order} name={names.get(order.symbol) ?? order.symbol} />
          ))}
        </Suspense>
      </Boundary>
    </section>
  );
}
