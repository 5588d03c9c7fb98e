import { FailedState, IconChevronRight } from "@fairtick/ui";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { onReconnected } from "../../data/connection.ts";
import { useText } from "../../shared/i18n.ts";
import { useChartState, type ChartController } from "./chart-controller.ts";
import { actOfKey } from "./chart-keys.ts";
import { ChartWords, spokenBar, wordsId } from "./ChartWords.tsx";
import { useDrawnChart, type PriceChartProps } from "./use-drawn-chart.ts";
import "./chart.css";

/**
 * The live chart of one product. It fills its container, whose height must be set elsewhere. Changing the interval,
 * type or indicators leaves no blank frame, and the zoom stays.
 */
export function PriceChart(props: PriceChartProps) {
  const [attempt, setAttempt] = useState(0);
  return (
    <DrawnChart
      {...props}
      // A new product gets a new chart, so that the previous prices never appear under its name.
      key={`${props.instrument.symbol} ${attempt}`}
      onAgain={() => {
        setAttempt((count) => count + 1);
      }}
    />
  );
}

function DrawnChart(props: PriceChartProps & { readonly onAgain: () => void }) {
  const { instrument, settings, chart, span, trail, onAgain } = props;
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const { view, state, drawnAs } = useDrawnChart(host, props);
  // A trail has no interval of its own, but is never of days.
  const interval = trail === undefined ? (drawnAs ?? settings.interval) : "1s";
  const [said, setSaid] = useState("");
  useEffect(() => (state === "failed" ? onReconnected(onAgain) : undefined), [state, onAgain]);

  function onKeyDown(event: KeyboardEvent) {
    const act = actOfKey(event);
    if (act === null || view === null) return;
    event.preventDefault();
    if (act.kind !== "point") act.run(chart);
    else {
      if (act.by === null) chart.draw(null);
      const bar = view.pointer.moveBy(act.by);
      setSaid(bar === null ? "" : spokenBar(t, bar, instrument, interval));
    }
  }

  const name = t("trade.chartLabel", {
    type: t(`chart.type.${settings.type}`),
    interval: settings.interval,
    name: instrument.name,
  });
  return (
    <figure
      className={span ? "price-chart still" : "price-chart"}
      data-testid="chart"
      data-state={state}
      data-interval={settings.interval}
      data-drawn={drawnAs ?? undefined}
    >
      <ChartWords instrument={instrument} name={name} chart={chart} interval={interval} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys move the crosshair and the chart */}
      <div
        className="price-chart-host"
        ref={host}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        tabIndex={0}
        role="application"
        aria-label={name}
        aria-describedby={wordsId(instrument)}
        onKeyDown={onKeyDown}
      />
      <p className="unseen" aria-live="polite">
        {said}
      </p>
      <BackToLive chart={chart} />
      {state === "failed" && (
        <div className="price-chart-over">
          <FailedState title={t("trade.chartFailed")} retryLabel={t("shell.tapToRetry")} onRetry={onAgain} />
        </div>
      )}
    </figure>
  );
}

/** A button back to the newest candle, shown while that is out of view. */
function BackToLive({ chart }: { readonly chart: ChartController }) {
  const t = useText();
  const { isReady, isLive } = useChartState(chart);
  if (!isReady || isLive) return null;
  return (
    <button type="button" className="back-to-live label" onClick={() => chart.backToLive()}>
      {t("chart.backToLive")}
      <IconChevronRight size="tiny" />
    </button>
  );
}
