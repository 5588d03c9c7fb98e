import type { Instrument } from "@fairtick/protocol";
import { useMemo } from "react";
import { useChartController } from "../../../components/chart/chart-controller.ts";
import type { Preview } from "../../../components/chart/chart-scene.ts";
import { useChartSettings } from "../../../components/chart/chart-settings.ts";
import type { ChartSpan } from "../../../components/chart/chart-span.ts";
import { PriceChart } from "../../../components/chart/PriceChart.tsx";
import { trailBarMs } from "../../../components/chart/trail-bars.ts";
import { useChartScene } from "../../../components/chart/use-chart-scene.ts";
import { usePriceTrail } from "../../../data/price-trail.ts";

/** How much of the past and the future is shown, as multiples of the order's duration. */
const PAST_PARTS = 1.6;
const AHEAD_PARTS = 1.12;
/** Minimum past. Short orders share it, so that choosing another duration loads nothing. */
const PAST_MS_LEAST = 192_000;

/** The last minutes tick by tick, and the area that would win if the order began now. */
export function FormChart({
  instrument,
  duration,
  preview,
}: {
  readonly instrument: Instrument;
  /** In seconds. */
  readonly duration: number;
  readonly preview: Preview | null;
}) {
  const settings = useChartSettings("order");
  const chart = useChartController();
  const lengthMs = duration * 1000;
  const pastMs = lengthMs * PAST_PARTS;
  const points = usePriceTrail(instrument.symbol, { spanMs: Math.max(pastMs, PAST_MS_LEAST) });
  const barMs = trailBarMs(lengthMs * (PAST_PARTS + AHEAD_PARTS));
  const trail = useMemo(() => ({ points, lengthMs: barMs }), [points, barMs]);
  const span = useMemo(
    (): ChartSpan => ({ kind: "moving", pastMs, aheadMs: lengthMs * AHEAD_PARTS }),
    [pastMs, lengthMs],
  );
  const scene = useChartScene(instrument.symbol, settings.ownOrders, preview);
  return (
    <div className="order-area">
      <PriceChart instrument={instrument} settings={settings} chart={chart} trail={trail} span={span} scene={scene} />
    </div>
  );
}
