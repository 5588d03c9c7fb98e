import { FailedState, IconBell } from "@fairtick/ui";
import { BuyButtons, ChartPanel, UsualTerms } from "../../components/chart/ChartPanel.tsx";
import { InstrumentPicker } from "../../components/market/InstrumentPicker.tsx";
import { useInstruments } from "../../data/instruments.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { Link, navigate, useSearch } from "../../shared/navigation.tsx";
import "./trade-tab.css";

/** The chart fills the screen; Buy up and Buy down lie in reach of a thumb. */
export function TradeTabScreen() {
  const t = useText();
  const { symbol } = useSearch();
  const instruments = useInstruments();
  const instrument = symbol ? instruments.data?.find((other) => other.symbol === symbol) : instruments.data?.[0];
  const heading = (
    <h1 className="bar-title">
      <InstrumentPicker
        symbol={instrument?.symbol ?? symbol ?? ""}
        onPick={(next) => navigate({ to: "/pages/trade/index", search: { symbol: next }, replace: true })}
      />
    </h1>
  );
  return (
    <Screen
      title={instrument ? `${instrument.name} · ${t("trade.title")}` : t("trade.title")}
      heading={heading}
      flush
      actions={
        instrument && (
          <Link
            className="bar-button"
            to="/pages/market/alerts"
            search={{ symbol: instrument.symbol }}
            aria-label={t("alerts.title")}
          >
            <IconBell />
          </Link>
        )
      }
      busy={instruments.isPending}
    >
      {instrument ? (
        <>
          <ChartPanel instrument={instrument} />
          <div className="trade-foot">
            <UsualTerms instrument={instrument} />
            <BuyButtons instrument={instrument} />
          </div>
        </>
      ) : (
        !instruments.isPending && (
          <FailedState
            title={t(instruments.isError ? "shell.failed" : "order.unknownProduct")}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => void instruments.refetch()}
          />
        )
      )}
    </Screen>
  );
}
