import type { Instrument } from "@fairtick/protocol";
import { Button, IconCamera, IconCheck, showToast, Switch } from "@fairtick/ui";
import { formatDateTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { saveFile } from "../../shared/save-file.ts";
import { serverNow } from "../../shared/server-clock.ts";
import type { ChartController } from "./chart-controller.ts";
import { CHART_TYPES, changeChart, useChartSettings, type ChartPlace } from "./chart-settings.ts";

/** How prices are drawn, and a button to save the chart as a picture. */
export function StyleList({
  chart,
  instrument,
  place = "main",
}: {
  readonly chart: ChartController;
  readonly instrument: Instrument;
  readonly place?: ChartPlace;
}) {
  const t = useText();
  const settings = useChartSettings(place);
  const save = useSavePicture(chart, instrument, place);
  return (
    <>
      <div className="chart-choices">
        {CHART_TYPES.map((choice) => (
          <Button
            key={choice}
            lowkey
            aria-pressed={choice === settings.type}
            onClick={() => {
              changeChart({ type: choice }, place);
            }}
          >
            {choice === settings.type && <IconCheck size="small" />}
            {t(`chart.type.${choice}`)}
          </Button>
        ))}
      </div>
      <ul className="chart-list">
        {(["log", "countdown", "ownOrders"] as const).map((flag) => {
          const label = t(flag === "log" ? "chart.logScale" : `chart.${flag}`);
          return (
            <li key={flag} className="chart-list-row">
              <p>{label}</p>
              <Switch
                label={label}
                on={settings[flag]}
                onChange={(on) => {
                  changeChart({ [flag]: on }, place);
                }}
              />
            </li>
          );
        })}
      </ul>
      <Button onClick={save}>
        <IconCamera size="small" />
        {t("chart.picture")}
      </Button>
    </>
  );
}

/** Saves the chart as a PNG with product, interval and time above it, or reports that it failed. */
export function useSavePicture(chart: ChartController, instrument: Instrument, place: ChartPlace = "main"): () => void {
  const t = useText();
  const { interval } = useChartSettings(place);
  return () => {
    const at = serverNow();
    chart
      .picture(`${instrument.name} · ${interval} · ${formatDateTime(at)}`)
      .then((picture) => {
        if (picture !== null) saveFile(picture, `${instrument.symbol}-${interval}-${Math.floor(at / 1000)}.png`);
      })
      .catch(() => {
        showToast(t("chart.pictureFailed"));
      });
  };
}
