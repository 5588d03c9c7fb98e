import { Button, IconCandles, IconCheck, IconIndicators, Sheet, Tick } from "@fairtick/ui";
import { useState } from "react";
import { useText } from "../../shared/i18n.ts";
import { INTERVALS } from "./candle-series.ts";
import { CHART_TYPES, changeChart, INDICATORS, useChartSettings } from "./chart-settings.ts";

/** The intervals, how the chart is drawn, and what is drawn into it: one row; at a desk two, where one is too narrow. */
export function ChartTools() {
  const t = useText();
  const { interval, type, indicators } = useChartSettings();
  const [open, setOpen] = useState<"type" | "indicators" | null>(null);
  const names = indicators.map((indicator) => t(`trade.indicator.${indicator}`)).join(", ");
  const close = () => {
    setOpen(null);
  };
  return (
    <div className="chart-tools">
      <fieldset className="chart-intervals" aria-label={t("trade.interval")}>
        {INTERVALS.map((choice) => (
          <button
            key={choice}
            type="button"
            className="label"
            aria-pressed={choice === interval}
            onClick={() => {
              changeChart({ interval: choice });
            }}
          >
            <span>{choice}</span>
          </button>
        ))}
      </fieldset>
      <hr />
      <button
        type="button"
        className="bar-button"
        aria-label={t("trade.chartType", { type: t(`trade.type.${type}`) })}
        aria-haspopup="dialog"
        onClick={() => {
          setOpen("type");
        }}
      >
        <IconCandles size="small" />
      </button>
      <button
        type="button"
        className={indicators.length > 0 ? "bar-button accent" : "bar-button"}
        aria-label={t("trade.indicatorsShown", { names: names === "" ? t("trade.noIndicators") : names })}
        aria-haspopup="dialog"
        onClick={() => {
          setOpen("indicators");
        }}
      >
        <IconIndicators size="small" />
      </button>
      <Sheet open={open === "type"} onClose={close} title={t("trade.chartTypes")} closeLabel={t("shell.close")}>
        <div className="chart-choices">
          {CHART_TYPES.map((choice) => (
            <Button
              key={choice}
              lowkey
              aria-pressed={choice === type}
              onClick={() => {
                changeChart({ type: choice });
                close();
              }}
            >
              {choice === type && <IconCheck size="small" />}
              {t(`trade.type.${choice}`)}
            </Button>
          ))}
        </div>
      </Sheet>
      <Sheet open={open === "indicators"} onClose={close} title={t("trade.indicators")} closeLabel={t("shell.close")}>
        <div className="chart-choices">
          {INDICATORS.map((choice) => (
            <Tick
              key={choice}
              on={indicators.includes(choice)}
              onChange={(on) => {
                // Kept in the list's own order, so that panes do not jump.
                changeChart({
                  indicators: INDICATORS.filter((other) => (other === choice ? on : indicators.includes(other))),
                });
              }}
            >
              {t(`trade.indicator.${choice}`)}
            </Tick>
          ))}
        </div>
      </Sheet>
    </div>
  );
}
