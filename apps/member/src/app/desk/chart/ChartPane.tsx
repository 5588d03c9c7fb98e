import type { Instrument } from "@fairtick/protocol";
import { PriceChart } from "../../../components/chart/PriceChart.tsx";
import { useChartSettings } from "../../../components/chart/chart-settings.ts";
import type { ChartController } from "../../../components/chart/chart-controller.ts";
import { DrawingActs, DrawingBar } from "../../../components/chart/DrawingList.tsx";
import { ReplayLine } from "../../../components/chart/ReplayLine.tsx";
import { useChartScene } from "../../../components/chart/use-chart-scene.ts";
import { useFullScreen } from "../../../components/chart/use-full-screen.ts";
import { useReplay } from "../../../components/chart/use-replay.ts";
import { useText } from "../../../shared/i18n.ts";
import type { DeskCharts, DeskPlace } from "../desk-charts.ts";
import type { Breakpoint } from "../layout-store.ts";
import { PaneHead } from "./PaneHead.tsx";
import { PaneTools } from "./PaneTools.tsx";

/** The drawing tools in the desktop's column; the others are in the sheet. */
const TOOLS = ["trend", "horizontal", "vertical", "rectangle", "fibonacci", "measure", "brush"] as const;
/** Space at the right for an order's expiry, px. */
const ROOM_PX = 120;

/** One chart with its product's figures, intervals and tools. Pressing anywhere in it makes the ticket follow it. */
export function ChartPane({
  place,
  instrument,
  breakpoint,
  charts,
  controller,
}: {
  readonly place: DeskPlace;
  readonly instrument: Instrument;
  readonly breakpoint: Breakpoint;
  readonly charts: DeskCharts;
  readonly controller: ChartController;
}) {
  const t = useText();
  const settings = useChartSettings(place);
  const scene = useChartScene(instrument.symbol, settings.ownOrders);
  const { isFull, setFull } = useFullScreen();
  const isActive = charts.active === place;
  const isPair = charts.second !== null;
  const hasToolColumn = breakpoint !== "tablet";
  return (
    <section
      className="panel chart-pane"
      data-full={isFull || undefined}
      data-active={(isPair && isActive) || undefined}
      data-place={place}
      aria-label={t("desk.chart", { name: instrument.name })}
      // In the capture phase, so that the chart is active before the pressed element acts.
      onPointerDownCapture={() => {
        charts.activate(place);
      }}
    >
      <PaneHead place={place} instrument={instrument} breakpoint={breakpoint} charts={charts} controller={controller} />
      <PaneTools
        place={place}
        instrument={instrument}
        controller={controller}
        isTight={isPair || !hasToolColumn}
        hasDraw={!hasToolColumn}
        isFull={isFull}
        onFull={setFull}
      />
      <div className="pane-body">
        {hasToolColumn && (
          <div className="pane-tools-column">
            <DrawingBar chart={controller} tools={TOOLS} column />
            <DrawingActs chart={controller} />
          </div>
        )}
        <PriceChart
          chart={controller}
          instrument={instrument}
          settings={settings}
          scene={scene}
          room={ROOM_PX}
          onSettledTap={useReplay(controller, instrument.symbol, scene)}
        />
        <ReplayLine chart={controller} scene={scene} onLeave={() => setFull(false)} />
      </div>
    </section>
  );
}
