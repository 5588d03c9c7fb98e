import { FailedState } from "@fairtick/ui";
import { SessionState } from "../../components/market/live-figures.tsx";
import { InstrumentPicker } from "../../components/market/InstrumentPicker.tsx";
import { useInstruments, useShownInstrument } from "../../data/instruments.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { navigate, useSearch } from "../../shared/navigation.tsx";
import { FormStage } from "./FormStage.tsx";
import { OrderStage } from "./OrderStage.tsx";
import "./order.css";

/** The dark order screen: the form, or with `orderNo` in the address that order, running or settled. */
export function OrderScreen() {
  const { symbol, direction, orderNo } = useSearch();
  if (orderNo !== undefined) return <OrderStage key={orderNo} orderNo={orderNo} />;
  return <Form symbol={symbol} direction={direction === "up" || direction === "down" ? direction : null} />;
}

function Form({
  symbol,
  direction,
}: {
  readonly symbol: string | undefined;
  readonly direction: "up" | "down" | null;
}) {
  const t = useText();
  const instruments = useInstruments();
  const instrument = useShownInstrument(symbol);
  const pick = (next: string) => {
    navigate({
      to: "/pages/trade/trade",
      search: { symbol: next, ...(direction !== null && { direction }) },
      replace: true,
    });
  };
  const heading = (
    <h1 className="bar-title order-title">
      <InstrumentPicker symbol={instrument?.symbol ?? symbol ?? ""} onPick={pick} />
      {instrument && (
        <span className="note soft cut">
          <SessionState instrument={instrument} />
        </span>
      )}
    </h1>
  );
  if (instrument === undefined) {
    return (
      <Screen
        title={t("order.title")}
        heading={heading}
        pushed
        flush
        backTo="/pages/trade/index"
        busy={instruments.isPending}
      >
        {!instruments.isPending && (
          <FailedState
            title={t(instruments.isError ? "shell.failed" : "order.unknownProduct")}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => void instruments.refetch()}
          />
        )}
      </Screen>
    );
  }
  return <FormStage key={instrument.symbol} instrument={instrument} direction={direction} heading={heading} />;
}
