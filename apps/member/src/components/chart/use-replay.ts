import { reportFailure } from "../../data/failures.ts";
import { fetchTrail } from "../../data/candles.ts";
import type { ChartController } from "./chart-controller.ts";
import type { ChartScene } from "./chart-scene.ts";

/**
 * Returns a handler for taps on a settled order's dot: it replays the path tick by tick. The same dot again removes
 * it.
 */
export function useReplay(chart: ChartController, symbol: string, { settled }: ChartScene): (orderNo: string) => void {
  return (orderNo) => {
    const order = settled.find((mark) => mark.orderNo === orderNo);
    if (order === undefined) return;
    if (chart.state().replayed === orderNo) {
      chart.stopReplay();
      return;
    }
    fetchTrail(symbol, order.entryAt, order.exitAt)
      .then((points) => {
        chart.replay(order, points);
      })
      .catch((error: unknown) => {
        reportFailure(error);
      });
  };
}
