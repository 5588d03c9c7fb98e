import { IconFullScreen, IconIndicators, IconLeaveFullScreen } from "@fairtick/ui";
import { useState } from "react";
import type { Instrument } from "@fairtick/protocol";
import { useText } from "../../shared/i18n.ts";
import { INTERVALS } from "./candle-series.ts";
import type { ChartController } from "./chart-controller.ts";
import { changeChart, useChartSettings, type ChartPlace } from "./chart-settings.ts";
import { ChartSheet } from "./ChartSheet.tsx";

/** The intervals in one row, with the chosen one pressed. */
export function IntervalBar({ place = "main" }: { readonly place?: ChartPlace }) {
  const t = useText();
  const { interval } = useChartSettings(place);
  return (
    <fieldset className="chart-intervals" aria-label={t("trade.interval")}>
      {INTERVALS.map((choice) => (
        <button
          key={choice}
          type="button"
          className="label"
          aria-pressed={choice === interval}
          onClick={() => {
            changeChart({ interval: choice }, place);
          }}
        >
          <span>{choice}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** The buttons beside the price: the sheet with indicators, drawings and style, and full screen. */
export function ChartActs({
  chart,
  instrument,
  place = "main",
  full,
  onFull,
}: {
  readonly chart: ChartController;
  readonly instrument: Instrument;
  readonly place?: ChartPlace;
  readonly full?: boolean;
  readonly onFull?: (full: boolean) => void;
}) {
  const t = useText();
  const { indicators } = useChartSettings(place);
  const [open, setOpen] = useState(false);
  const names = indicators.map(({ name }) => t(`chart.indicator.${name}`)).join(", ");
  return (
    <div className="chart-tools">
      <button
        type="button"
        className={indicators.length > 0 ? "bar-button accent" : "bar-button"}
        aria-label={t("trade.indicatorsShown", { names: names === "" ? t("trade.noIndicators") : names })}
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
        }}
      >
        <IconIndicators size="small" />
      </button>
      {onFull && (
        <button
          type="button"
          className="bar-button"
          aria-label={t(full ? "chart.leaveFullScreen" : "chart.fullScreen")}
          onClick={() => {
            onFull(!full);
          }}
        >
          {full ? <IconLeaveFullScreen size="small" /> : <IconFullScreen size="small" />}
        </button>
      )}
      <ChartSheet
        open={open}
        chart={chart}
        instrument={instrument}
        place={place}
        onClose={() => {
          setOpen(false);
        }}
      />
    </div>
  );
}
