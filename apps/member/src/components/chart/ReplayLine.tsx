import { IconClose } from "@fairtick/ui";
import { useText } from "../../shared/i18n.ts";
import { useChartState, type ChartController } from "./chart-controller.ts";
import type { ChartScene } from "./chart-scene.ts";

/** Names the settled order being replayed, with a button to remove it. Renders nothing if there is none. */
export function ReplayLine({ chart, scene }: { readonly chart: ChartController; readonly scene: ChartScene }) {
  const t = useText();
  const { replayed } = useChartState(chart);
  const order = scene.settled.find(({ orderNo }) => orderNo === replayed);
  if (order === undefined) return null;
  return (
    <p className="replay-line label" data-testid="replay" aria-live="polite">
      <span>
        {t("chart.replay")}: {order.words}
      </span>
      <button
        type="button"
        className="bar-button"
        aria-label={t("shell.close")}
        onClick={() => {
          chart.stopReplay();
        }}
      >
        <IconClose size="small" />
      </button>
    </p>
  );
}
