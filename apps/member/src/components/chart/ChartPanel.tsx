import type { Instrument } from "@fairtick/protocol";
import { IfFresh, LivePrice, SessionState, TodayChange } from "../market/live-figures.tsx";
import { useChartController } from "./chart-controller.ts";
import { useChartSettings } from "./chart-settings.ts";
import type { Preview } from "./chart-scene.ts";
import { ChartActs, IntervalBar } from "./ChartTools.tsx";
import { DrawingBar } from "./DrawingList.tsx";
import { PriceChart } from "./PriceChart.tsx";
import { useChartScene } from "./use-chart-scene.ts";
import { ReplayLine } from "./ReplayLine.tsx";
import { useReplay } from "./use-replay.ts";
import { useFullScreen } from "./use-full-screen.ts";

/**
 * Price, chart and tools, as on the trade screen. In full screen the chart gets the room of the tab bar and of the
 * ticket's fields, and the drawing tools are below it.
 */
export function ChartPanel({
  instrument,
  preview = null,
}: {
  readonly instrument: Instrument;
  /** What the ticket next to it would begin. */
  readonly preview?: Preview | null;
}) {
  const settings = useChartSettings();
  const chart = useChartController();
  const scene = useChartScene(instrument.symbol, settings.ownOrders, preview);
  const { isFull, setFull } = useFullScreen();
  return (
    <div className={isFull ? "chart-panel full" : "chart-panel"} data-testid="chart-panel">
      <div className="chart-head">
        <p className="grow">
          <LivePrice instrument={instrument} pace="frame" className="big" />{" "}
          <IfFresh instrument={instrument}>
            <TodayChange instrument={instrument} />
          </IfFresh>
          {(!instrument.open || instrument.suspended) && (
            <span className="note soft chart-session">
              {" "}
              <SessionState instrument={instrument} />
            </span>
          )}
        </p>
        <ChartActs chart={chart} instrument={instrument} full={isFull} onFull={setFull} />
      </div>
      <PriceChart
        chart={chart}
        instrument={instrument}
        settings={settings}
        scene={scene}
        onSettledTap={useReplay(chart, instrument.symbol, scene)}
      />
      <div className="chart-foot">
        <IntervalBar />
        <ReplayLine chart={chart} scene={scene} />
      </div>
      {isFull && <DrawingBar chart={chart} />}
    </div>
  );
}
