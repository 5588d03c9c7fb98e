import type { Instrument } from "@fairtick/protocol";
import { FailedState } from "@fairtick/ui";
import { useContext, useEffect, useRef, useState } from "react";
import { useChartController } from "../../components/chart/chart-controller.ts";
import { firstOpen, useInstruments } from "../../data/instruments.ts";
import { keys, queryClient } from "../../data/queries.ts";
import { useOrder } from "../../data/trading.ts";
import { useText } from "../../shared/i18n.ts";
import { useSearch, useShownPath } from "../../shared/navigation.tsx";
import { ScreenPartsContext } from "../../shared/Screen.tsx";
import type { Width } from "../use-width.ts";
import { DeskLayout } from "./DeskLayout.tsx";
import { useDeskCharts } from "./desk-charts.ts";
import { useDeskCommand } from "./desk-commands.ts";
import { Shortcuts } from "./keys/Shortcuts.tsx";
import { useDeskKeys } from "./keys/use-desk-keys.ts";
import { StatusBar } from "./StatusBar.tsx";
import { TabletLayout } from "./TabletLayout.tsx";
import "./desk.css";

const ORDER = "/pages/trade/trade";

/**
 * The trade routes from 768 px: products, chart, ticket and account side by side. The address names the product and, if
 * there is one, the order, as on a phone.
 */
export function Workspace({ width }: { readonly width: Exclude<Width, "phone"> }) {
  const t = useText();
  const { strip, banner } = useContext(ScreenPartsContext);
  const { symbol: wanted, orderNo } = useSearch();
  const instruments = useInstruments();
  const ordered = useOrder(orderNo).data?.symbol;
  // The product of an order just opened by its number isn't known yet, so the previous one stays in view.
  const [last, setLast] = useState<string>();
  const symbol = ordered ?? wanted ?? last;
  const found = instruments.data?.find((other) => other.symbol === symbol);
  const instrument = symbol === undefined ? firstOpen(instruments.data) : found;
  if (instrument !== undefined && last !== instrument.symbol) setLast(instrument.symbol);
  useTitle(instrument?.name);
  const main = useRef<HTMLElement>(null);
  // A clicked link takes the focus with it when it disappears. Focus the workspace for keyboards and readers.
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <header className="under-bar">
        {strip}
        {banner}
      </header>
      <main className={`workspace ${width}`} ref={main} tabIndex={-1} aria-busy={instruments.isPending || undefined}>
        {instrument === undefined && <h1 className="unseen">{t("trade.title")}</h1>}
        {instrument !== undefined && <Laid width={width} instrument={instrument} orderNo={orderNo} />}
        {instrument === undefined && !instruments.isPending && (
          <FailedState
            title={t(instruments.isError ? "shell.failed" : "order.unknownProduct")}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => void queryClient.refetchQueries({ queryKey: keys.instruments })}
          />
        )}
      </main>
    </>
  );
}

function Laid({
  width,
  instrument,
  orderNo,
}: {
  readonly width: Exclude<Width, "phone">;
  readonly instrument: Instrument;
  readonly orderNo: string | undefined;
}) {
  const charts = useDeskCharts(width, instrument.symbol);
  const controllers = { main: useChartController(), second: useChartController() };
  const [areKeysShown, setKeysShown] = useState(false);
  const showKeys = () => {
    setKeysShown(true);
  };
  useDeskKeys({ breakpoint: width, instrument, place: charts.active, controller: controllers[charts.active] });
  const parts = { instrument, orderNo, charts, controllers };
  return (
    <>
      {width === "tablet" ? <TabletLayout {...parts} /> : <DeskLayout {...parts} breakpoint={width} />}
      {width === "tablet" ? (
        <KeysOfTablet onShortcuts={showKeys} />
      ) : (
        <StatusBar instrument={instrument} onShortcuts={showKeys} />
      )}
      <Shortcuts
        open={areKeysShown}
        onClose={() => {
          setKeysShown(false);
        }}
      />
    </>
  );
}

/** Handles the shortcuts key on a tablet, which has no status bar but may have a keyboard. */
function KeysOfTablet({ onShortcuts }: { readonly onShortcuts: () => void }) {
  useDeskCommand("shortcuts", onShortcuts);
  return null;
}

function useTitle(name: string | undefined): void {
  const t = useText();
  const title = t(useShownPath() === ORDER ? "order.title" : "trade.title");
  useEffect(() => {
    document.title = name === undefined ? title : `${name} · ${title}`;
  }, [name, title]);
}
