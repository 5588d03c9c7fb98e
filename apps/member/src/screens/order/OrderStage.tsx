import { Button, FailedState } from "@fairtick/ui";
import { SessionState } from "../../components/market/live-figures.tsx";
import { OneTapOffer } from "../../components/ticket/OneTapOffer.tsx";
import { useInstrument } from "../../data/instruments.ts";
import { useOrder } from "../../data/trading.ts";
import { formatGain } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { navigate } from "../../shared/navigation.tsx";
import { ResultView } from "./components/ResultView.tsx";
import { RunningView } from "./components/RunningView.tsx";
import { continueWith } from "../../components/ticket/continued-terms.ts";

/** One order: running until the stream (or a second look) says that it is settled, then its result. */
export function OrderStage({ orderNo }: { readonly orderNo: string }) {
  const t = useText();
  const query = useOrder(orderNo);
  const order = query.data;
  const instrument = useInstrument(order?.symbol ?? "");
  const heading = (
    <h1 className="bar-title order-title">
      {instrument?.name ?? t("order.title")}
      {instrument && (
        <span className="note soft cut">
          <SessionState instrument={instrument} />
        </span>
      )}
    </h1>
  );
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
  const title = `${instrument.name} · ${t(settled ? "order.result" : "order.title")}`;
  const said =
    settled && order.outcome !== null
      ? t("order.saidResult", {
          outcome: t(`orders.outcome.${order.outcome}`),
          profit: formatGain(order.profit ?? "0.00"),
        })
      : "";
  return (
    <Screen
      title={title}
      heading={heading}
      pushed
      flush
      toRead={!settled}
      backTo="/pages/order/index"
      foot={
        settled ? (
          <div className="pair">
            <Button onClick={() => navigate({ to: "/pages/order/index", search: { tab: "history" } })}>
              {t("order.close")}
            </Button>
            <Button
              onClick={() => {
                continueWith({ stake: order.stake, durationSeconds: order.duration });
                navigate({
                  to: "/pages/trade/trade",
                  search: { symbol: order.symbol, direction: order.direction ?? undefined },
                  replace: true,
                });
              }}
            >
              {t("order.continue")}
            </Button>
          </div>
        ) : (
          <div className="order-foot">
            <OneTapOffer />
            <Button onClick={() => navigate({ to: "/pages/order/index" })}>{t("order.seePositions")}</Button>
          </div>
        )
      }
    >
      <p className="unseen" aria-live="polite">
        {said}
      </p>
      {settled ? (
        <ResultView order={order} instrument={instrument} />
      ) : (
        <RunningView order={order} instrument={instrument} />
      )}
    </Screen>
  );
}
