import type { Instrument } from "@fairtick/protocol";
import { TowardButton } from "@fairtick/ui";
import { breakEvenRate, formatRate as writeRate, parseRate } from "@fairtick/domain";
import { formatDuration, formatRate } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { navigate } from "../../shared/navigation.tsx";
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

const USUAL_SECONDS = 60;

/**
 * Price, chart and tools, as on the trade screen. In full screen the panel covers the page, with the drawing tools
 * below the chart.
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
      <ReplayLine chart={chart} scene={scene} />
      <IntervalBar />
      {isFull && <DrawingBar chart={chart} />}
    </div>
  );
}

/** Buy up and Buy down, both linked to the order screen, with what a usual order would pay. */
export function BuyButtons({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  const buy = (direction: "up" | "down") => {
    navigate({ to: "/pages/trade/trade", search: { symbol: instrument.symbol, direction } });
  };
  return (
    <div className="pair">
      <TowardButton
        direction="up"
        filled
        onClick={() => {
          buy("up");
        }}
      >
        {t("trade.buyUp")}
      </TowardButton>
      <TowardButton
        direction="down"
        filled
        onClick={() => {
          buy("down");
        }}
      >
        {t("trade.buyDown")}
      </TowardButton>
    </div>
  );
}

/** What an order of the usual duration pays, its fee and its break-even. */
export function UsualTerms({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  const { durations, feeRate } = instrument;
  const offer = durations.find(({ seconds }) => seconds === USUAL_SECONDS) ?? durations[0];
  if (offer === undefined) return null;
  const [rate, fee] = [parseRate(offer.payoutRate), parseRate(feeRate)];
  return (
    <p className="note soft usual-terms">
      <span>
        {t("trade.durationPays", { duration: formatDuration(offer.seconds), rate: formatRate(offer.payoutRate) })}
      </span>
      <span>{t("trade.fee", { rate: formatRate(feeRate) })}</span>
      {rate !== null && fee !== null && (
        <span>{t("trade.breakEven", { rate: formatRate(writeRate(breakEvenRate(fee, rate))) })}</span>
      )}
    </p>
  );
}
