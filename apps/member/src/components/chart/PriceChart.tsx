import type { Instrument } from "@fairtick/protocol";
import { FailedState, Wait } from "@fairtick/ui";
import { useEffect, useMemo, useRef, useState } from "react";
import { onReconnected } from "../../data/connection.ts";
import { usePositions } from "../../data/orders.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatMoney, formatTime } from "../../shared/format.ts";
import { formatFigure } from "./chart-figures.ts";
import { useText } from "../../shared/i18n.ts";
import { CandleFeed } from "./candle-feed.ts";
import { onColoursChange, readColours } from "./chart-colours.ts";
import type { ChartSettings } from "./chart-settings.ts";
import type { ChartView } from "./chart-view.ts";
import type { IndicatorFigures } from "./indicator-lines.ts";
import type { OrderMark } from "./order-marks.ts";
import "./chart.css";

const LEGEND_MS = 250;

/** One instrument's chart, alive: it fills the place it is given. */
export function PriceChart(props: { readonly instrument: Instrument; readonly settings: ChartSettings }) {
  const [attempt, setAttempt] = useState(0);
  return (
    <DrawnChart
      {...props}
      key={attempt}
      onAgain={() => {
        setAttempt((count) => count + 1);
      }}
    />
  );
}

function DrawnChart({
  instrument,
  settings,
  onAgain,
}: {
  readonly instrument: Instrument;
  readonly settings: ChartSettings;
  /** Draws everything anew: after a failure, and when the colours change. */
  readonly onAgain: () => void;
}) {
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<ChartView | null>(null);
  const [state, setState] = useState<"waiting" | "shown" | "failed">("waiting");
  const [figures, setFigures] = useState<IndicatorFigures>([]);
  const again = useRef(onAgain);
  const marks = useOrderMarks(instrument.symbol);
  const newestMarks = useRef(marks);
  const { symbol, decimals } = instrument;

  useEffect(() => {
    const place = host.current;
    if (place === null) return undefined;
    let gone = false;
    let feed: CandleFeed | null = null;
    const stopColours = onColoursChange(() => {
      again.current();
    });
    const legend = setInterval(() => {
      if (view.current !== null) setFigures(view.current.figures());
    }, LEGEND_MS);
    setState("waiting");
    import("./chart-view.ts")
      .then(({ ChartView }) => {
        if (gone) return;
        const chart = new ChartView(place, settings, decimals, readColours(place), () => feed?.readOlder());
        view.current = chart;
        chart.setOrders(newestMarks.current);
        feed = new CandleFeed(symbol, settings.interval, {
          onAll: (bars) => {
            chart.setBars(bars);
            setState("shown");
          },
          onNewest: (bars, from) => {
            chart.updateBars(bars, from);
          },
          onFailed: () => {
            setState("failed");
          },
        });
        feed.start();
      })
      .catch(() => {
        if (!gone) setState("failed");
      });
    return () => {
      gone = true;
      clearInterval(legend);
      stopColours();
      feed?.stop();
      view.current?.destroy();
      view.current = null;
    };
  }, [symbol, decimals, settings]);

  useEffect(() => (state === "failed" ? onReconnected(onAgain) : undefined), [state, onAgain]);

  useEffect(() => {
    newestMarks.current = marks;
    again.current = onAgain;
    view.current?.setOrders(marks);
  }, [marks, onAgain]);

  const name = t("trade.chartLabel", {
    type: t(`trade.type.${settings.type}`),
    interval: settings.interval,
    name: instrument.name,
  });
  return (
    <figure className="price-chart" aria-label={name} data-testid="chart" data-state={state}>
      <Legend figures={figures} decimals={decimals} />
      <div className="price-chart-host" ref={host} />
      {state === "failed" && (
        <div className="price-chart-over">
          <FailedState title={t("trade.chartFailed")} retryLabel={t("shell.tapToRetry")} onRetry={onAgain} />
        </div>
      )}
    </figure>
  );
}

/** Names and newest figures of the indicators, in their lines' colours. Its height is kept while they are fetched. */
function Legend({ figures, decimals }: { readonly figures: IndicatorFigures; readonly decimals: number }) {
  return (
    <figcaption className="price-chart-legend note">
      {figures.map(({ name, tone, figure }) => (
        <span key={name} className={`legend-${tone}`}>
          {name}{" "}
          <span className="figure">
            {figure === null ? <Wait like="0.00" /> : formatFigure(figure, name.startsWith("RSI") ? 1 : decimals)}
          </span>
        </span>
      ))}
    </figcaption>
  );
}

/** Own open orders on this instrument, in the wallet in view. */
function useOrderMarks(symbol: string): readonly OrderMark[] {
  const t = useText();
  const items = usePositions(useWallet()).data?.items;
  return useMemo(
    () =>
      (items ?? []).flatMap((order) => {
        const { orderNo, entryAt, entryPrice, expiresAt } = order;
        if (order.symbol !== symbol || entryAt === null || entryPrice === null || expiresAt === null) return [];
        const words = t("trade.orderMark", {
          direction: t(`shell.${order.direction ?? "sealed"}`),
          stake: formatMoney(order.stake),
          time: formatTime(expiresAt),
        });
        return [{ orderNo, entryAt, entryPrice, expiresAt, words }];
      }),
    // The words' function is new at each drawing; the orders decide.
    // oxlint-disable-next-line react/exhaustive-deps
    [items, symbol],
  );
}
