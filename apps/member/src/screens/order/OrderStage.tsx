import type { Instrument, Order } from "@fairtick/protocol";
import { Button, FailedState } from "@fairtick/ui";
import { useEffect, useState } from "react";
import { SessionState } from "../../components/market/live-figures.tsx";
import { Side } from "../../components/orders/Side.tsx";
import { loadSeal } from "../../components/verify/VerifyOrder.tsx";
import { useInstrument } from "../../data/instruments.ts";
import { useOrder } from "../../data/trading.ts";
import { formatDuration, formatGain, formatMoney } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { navigate } from "../../shared/navigation.tsx";
import { RunningView } from "./components/RunningView.tsx";
import { ResultFoot } from "./result/ResultFoot.tsx";
import { ResultView } from "./result/ResultView.tsx";

/** One order: running until the stream or a poll reports that it is settled, then its result. */
export function OrderStage({ orderNo }: { readonly orderNo: string }) {
  const t = useText();
  const query = useOrder(orderNo);
  const order = query.data;
  const wasRunning = useWasRunning(order?.state);
  const instrument = useInstrument(order?.symbol ?? "");
  const heading = <StageHeading order={order} instrument={instrument} />;
  if (order === undefined || instrument === undefined) {
    return (
      <Screen
        title={t("order.title")}
        heading={heading}
        pushed
        flush
        backTo="/pages/order/index"
        busy={query.isPending}
      >
        {query.isError && (
          <FailedState
            title={t("order.failed")}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => void query.refetch()}
          />
        )}
      </Screen>
    );
  }
  const settled = order.state === "settled";
  return (
    <Screen
      title={`${instrument.name} · ${t(settled ? "order.result" : "order.title")}`}
      heading={heading}
      pushed
      flush
      toRead={!settled}
      backTo="/pages/order/index"
      foot={
        settled ? (
          <ResultFoot key={orderNo} order={order} instrument={instrument} isFresh={wasRunning} />
        ) : (
          <div className="order-foot">
            <Button onClick={() => navigate({ to: "/pages/order/index" })}>{t("order.seePositions")}</Button>
          </div>
        )
      }
    >
      <p className="unseen" aria-live="polite">
        {saidOf(t, order)}
      </p>
      {settled ? (
        <ResultView order={order} instrument={instrument} isFresh={wasRunning} />
      ) : (
        <RunningView order={order} instrument={instrument} />
      )}
    </Screen>
  );
}

/** The product with the order's terms once it is settled, because whether the market is open no longer matters. */
function StageHeading({ order, instrument }: { order: Order | undefined; instrument: Instrument | undefined }) {
  const t = useText();
  return (
    <h1 className="bar-title order-title">
      {instrument?.name ?? t("order.title")}
      {instrument && (
        <span className="note soft cut">
          {order?.state === "settled" ? (
            <>
              <Side direction={order.direction} /> {formatMoney(order.stake)} · {formatDuration(order.duration)}
            </>
          ) : (
            <SessionState instrument={instrument} />
          )}
        </span>
      )}
    </h1>
  );
}

function saidOf(t: Text, { outcome, profit }: Order): string {
  if (outcome === null) return "";
  return t("order.saidResult", { outcome: t(`orders.outcome.${outcome}`), profit: formatGain(profit ?? "0.00") });
}

/** Returns whether the order was seen running on this screen. While it runs, the verifier is loaded for its result. */
function useWasRunning(state: Order["state"] | undefined): boolean {
  const [wasRunning, setWasRunning] = useState(false);
  const isRunning = state === "accepted" || state === "open";
  if (isRunning && !wasRunning) setWasRunning(true);
  useEffect(() => {
    if (isRunning) void loadSeal().catch(() => undefined);
  }, [isRunning]);
  return wasRunning;
}
