import { EmptyState } from "@fairtick/ui";
import { useState } from "react";
import { BuyButtons, ChartPanel, UsualTerms } from "../components/chart/ChartPanel.tsx";
import { InstrumentPicker } from "../components/market/InstrumentPicker.tsx";
import { PositionRow, SettledRow } from "../components/orders/OrderRows.tsx";
import { useInstruments } from "../data/instruments.ts";
import { usePositions } from "../data/orders.ts";
import { useHistory, useOrder } from "../data/trading.ts";
import { useWallet } from "../data/wallet.ts";
import { spanOf } from "../shared/date-span.ts";
import { useText } from "../shared/i18n.ts";
import { useServerNow } from "../shared/server-clock.ts";
import { useSearch, useShownPath } from "../shared/navigation.tsx";
import "./side-panels.css";

const SETTLED_ROWS = 8;

/** What stands left of the phone on a desk: the member's orders, running and of today. */
export function OrdersSide() {
  const t = useText();
  const wallet = useWallet();
  const now = useServerNow(60_000);
  const running = usePositions(wallet).data?.items ?? [];
  const settled =
    useHistory(wallet, spanOf({ name: "today", fromDay: "", toDay: "" }, now)).data?.pages[0]?.items ?? [];
  return (
    <aside aria-label={t("orders.title")}>
      <h2 className="title">{t("orders.title")}</h2>
      {running.length > 0 && (
        <div className="group">
          {running.map((order) => (
            <PositionRow key={order.orderNo} order={order} />
          ))}
        </div>
      )}
      {running.length === 0 && settled.length === 0 && (
        <div className="group">
          <EmptyState title={t("orders.nothingRunning")}>{t("orders.nothingRunningMore")}</EmptyState>
        </div>
      )}
      {settled.length > 0 && (
        <>
          <h2 className="title">{t("orders.settledToday")}</h2>
          <div className="group">
            {settled.slice(0, SETTLED_ROWS).map((order) => (
              <SettledRow key={order.orderNo} order={order} />
            ))}
          </div>
        </>
      )}
    </aside>
  );
}

/** What stands right of the phone on a desk: the chart of the product in view, and beside an order nothing else. */
export function ChartSide() {
  const { orderNo } = useSearch();
  return orderNo === undefined ? <ProductSide /> : <OrderSide orderNo={orderNo} />;
}

/** The product of an order that is on the screen. */
function OrderSide({ orderNo }: { readonly orderNo: string }) {
  return <ProductSide symbol={useOrder(orderNo).data?.symbol} />;
}

function ProductSide({ symbol }: { readonly symbol?: string | undefined }) {
  const t = useText();
  const instruments = useInstruments().data;
  const search = useSearch();
  const isOrdering = useShownPath() === "/pages/trade/trade";
  const [picked, setPicked] = useState<string | null>(null);
  const wanted = symbol ?? (isOrdering ? search["symbol"] : (picked ?? search["symbol"]));
  const instrument = instruments?.find((other) => other.symbol === wanted) ?? instruments?.[0];
  if (!instrument) return <aside />;
  return (
    <aside aria-label={t("trade.title")}>
      {isOrdering ? (
        <h2 className="title">{instrument.name}</h2>
      ) : (
        <InstrumentPicker symbol={instrument.symbol} onPick={setPicked} />
      )}
      <div className="card side-chart">
        <ChartPanel instrument={instrument} />
      </div>
      {!isOrdering && (
        <div>
          <UsualTerms instrument={instrument} />
          <BuyButtons instrument={instrument} />
        </div>
      )}
    </aside>
  );
}
