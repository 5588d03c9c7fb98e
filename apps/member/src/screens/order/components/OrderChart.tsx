import type { Instrument, Order } from "@fairtick/protocol";
import { useMemo } from "react";
import { useChartController } from "../../../components/chart/chart-controller.ts";
import { useChartSettings } from "../../../components/chart/chart-settings.ts";
import type { ChartSpan } from "../../../components/chart/chart-span.ts";
import { PriceChart } from "../../../components/chart/PriceChart.tsx";
import { trailBarMs } from "../../../components/chart/trail-bars.ts";
import { orderScene } from "../../../components/chart/use-chart-scene.ts";
import { usePriceTrail } from "../../../data/price-trail.ts";
import { useText } from "../../../shared/i18n.ts";

/** Time shown before the entry and after the expiry, as multiples of the order's duration. */
const BEFORE_PARTS = 0.15;
const AFTER_PARTS = 0.12;
const BEFORE_MS_MAX = 180_000;

/** One order's price from shortly before its entry to its end. It fills the available room. */
export function OrderChart({ order, instrument }: { readonly order: Order; readonly instrument: Instrument }) {
  const t = useText();
  const settings = useChartSettings("order");
  const chart = useChartController();
  const { from, end, to } = shownSpan(order);
  const isOver = order.state === "settled";
  const { exitAt, exitPrice } = order;
  const ticks = usePriceTrail(order.symbol, isOver ? { from, to: exitAt ?? end } : { from });
  const trail = useMemo(() => {
    const last = isOver ? (exitAt ?? end) : end;
    const points = ticks.filter(({ at }) => at <= last);
    const exit = isOver && exitPrice !== null ? [{ at: last, price: Number(exitPrice) }] : [];
    return { points: points.length === 0 ? points : [...points, ...exit], lengthMs: trailBarMs(to - from) };
  }, [ticks, isOver, exitAt, exitPrice, from, end, to]);
  const span = useMemo((): ChartSpan => ({ kind: "fixed", from, to }), [from, to]);
  const scene = useMemo(
    () => orderScene(t, order),
    // The text function changes with each render; only the order matters.
    // oxlint-disable-next-line react/exhaustive-deps
    [order],
  );
  return (
    <div className="order-area" data-testid="order-chart">
      <PriceChart instrument={instrument} settings={settings} chart={chart} trail={trail} span={span} scene={scene} />
    </div>
  );
}

/** Returns the chart's time range and when the order ends; milliseconds since 1970. */
function shownSpan({ duration, entryAt, acceptedAt, expiresAt }: Order) {
  const lengthMs = duration * 1000;
  const began = entryAt ?? acceptedAt;
  const end = expiresAt ?? began + lengthMs;
  const before = Math.min(lengthMs * BEFORE_PARTS, BEFORE_MS_MAX);
  return { from: Math.floor(began - before), end, to: Math.ceil(end + lengthMs * AFTER_PARTS) };
}
