import { IconClose } from "@fairtick/ui";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { useChartState, type ChartController } from "./chart-controller.ts";
import type { ChartScene } from "./chart-scene.ts";

/**
 * Names the settled order being replayed and leads to it, with a button to remove it. Renders nothing if there is none.
 */
export function ReplayLine({
  chart,
  scene,
  onLeave,
}: {
  readonly chart: ChartController;
  readonly scene: ChartScene;
  /** Called when the member goes to the order. */
  readonly onLeave?: () => void;
}) {
  const t = useText();
  const { replayed } = useChartState(chart);
  const order = scene.settled.find(({ orderNo }) => orderNo === replayed);
  if (order === undefined) return null;
  return (
    <p className="replay-line label" data-testid="replay" aria-live="polite">
      <Link
        className="link replay-order"
        to="/pages/trade/trade"
        search={{ orderNo: order.orderNo }}
        onClick={() => onLeave?.()}
      >
        {t("chart.replay")}: {order.words}
      </Link>
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
