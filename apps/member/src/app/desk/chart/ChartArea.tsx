import type { Instrument } from "@fairtick/protocol";
import { useEffect, type CSSProperties } from "react";
import type { ChartController } from "../../../components/chart/chart-controller.ts";
import { useInstruments } from "../../../data/instruments.ts";
import { useText } from "../../../shared/i18n.ts";
import type { DeskCharts, DeskPlace } from "../desk-charts.ts";
import { Gap } from "../Gap.tsx";
import { BOUNDS, changeLayout, FIRST, useLayout, type Breakpoint } from "../layout-store.ts";
import { ChartPane } from "./ChartPane.tsx";

const PERCENT = 100;

/** Links two charts of one product, so that each shows the time at the other one's crosshair. */
function shareTime(one: ChartController, other: ChartController): () => void {
  const stops = [one.onPointed(other.pointTo), other.onPointed(one.pointTo)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** One chart, or two side by side with a movable gap. */
export function ChartArea({
  breakpoint,
  charts,
  controllers,
}: {
  readonly breakpoint: Breakpoint;
  readonly charts: DeskCharts;
  readonly controllers: Readonly<Record<DeskPlace, ChartController>>;
}) {
  const t = useText();
  const instruments = useInstruments().data ?? [];
  const layout = useLayout(breakpoint);
  const { main: one, second: other } = controllers;
  const isOneTime = charts.second !== null && charts.second === charts.main;
  useEffect(() => (isOneTime ? shareTime(one, other) : undefined), [isOneTime, one, other]);
  const find = (symbol: string | null) => instruments.find((instrument) => instrument.symbol === symbol);
  const main = find(charts.main);
  const second = find(charts.second);
  const pane = (place: DeskPlace, instrument: Instrument) => (
    <ChartPane
      place={place}
      instrument={instrument}
      breakpoint={breakpoint}
      charts={charts}
      controller={controllers[place]}
    />
  );
  if (main === undefined) return null;
  if (second === undefined) return pane("main", main);
  const share = Math.round(layout.charts * PERCENT);
  const setShare = (percent: number) => {
    changeLayout(breakpoint, { charts: percent / PERCENT });
  };
  return (
    <div
      className="desk-charts"
      style={{ "--charts": `${share}fr`, "--rest": `${PERCENT - share}fr` } as CSSProperties}
    >
      {pane("main", main)}
      <Gap
        label={t("desk.gap.charts")}
        line="vertical"
        isShare
        size={share}
        min={BOUNDS.charts.min * PERCENT}
        max={BOUNDS.charts.max * PERCENT}
        onSize={setShare}
        onReset={() => {
          setShare(FIRST[breakpoint].charts * PERCENT);
        }}
      />
      {pane("second", second)}
    </div>
  );
}
