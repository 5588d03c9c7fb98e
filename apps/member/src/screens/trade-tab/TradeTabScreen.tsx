import type { Instrument } from "@fairtick/protocol";
import { FailedState, IconBell, showToast } from "@fairtick/ui";
import type { ReactNode } from "react";
import { ChartPanel } from "../../components/chart/ChartPanel.tsx";
import { InstrumentPicker } from "../../components/market/InstrumentPicker.tsx";
import { useTicketStart } from "../../components/ticket/ticket-address.ts";
import { useTicketOrder } from "../../components/ticket/use-ticket-order.ts";
import { usePreview } from "../../components/ticket/use-preview.ts";
import { useInstruments, useShownInstrument } from "../../data/instruments.ts";
import { haptic } from "../../data/settings.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { Link, navigate, useSearch } from "../../shared/navigation.tsx";
import { TradeTicket } from "./TradeTicket.tsx";
import "./trade-tab.css";

/** The trade tab. The chart fills the available room, and the ticket below is within reach of a thumb. */
export function TradeTabScreen() {
  const t = useText();
  const { symbol } = useSearch();
  const instruments = useInstruments();
  const instrument = useShownInstrument(symbol);
  const heading = (
    <h1 className="bar-title">
      <InstrumentPicker
        symbol={instrument?.symbol ?? symbol ?? ""}
        onPick={(next) => navigate({ to: "/pages/trade/index", search: { symbol: next }, replace: true })}
      />
    </h1>
  );
  if (instrument !== undefined) return <Trade key={instrument.symbol} instrument={instrument} heading={heading} />;
  return (
    <Screen title={t("trade.title")} heading={heading} flush busy={instruments.isPending}>
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

function Trade({ instrument, heading }: { readonly instrument: Instrument; readonly heading: ReactNode }) {
  const t = useText();
  const { terms } = useTicketStart();
  const order = useTicketOrder(instrument, { direction: null, terms, clearsDirection: true, keepsTerms: true }, () => {
    haptic();
    showToast(t("common.orderSuccessful"));
  });
  return (
    <Screen
      title={`${instrument.name} · ${t("trade.title")}`}
      heading={heading}
      flush
      actions={
        <Link
          className="bar-button"
          to="/pages/market/alerts"
          search={{ symbol: instrument.symbol }}
          aria-label={t("alerts.title")}
        >
          <IconBell />
        </Link>
      }
      foot={<TradeTicket instrument={instrument} order={order} />}
    >
      <ChartPanel instrument={instrument} preview={usePreview(order)} />
    </Screen>
  );
}
