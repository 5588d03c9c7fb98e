import { reportFailure } from "../../data/failures.ts";
import { fetchTrail } from "../../data/candles.ts";
import type { ChartController } from "./chart-controller.ts";
import type { ChartScene } from "./chart-scene.ts";

/** Answers a tap on a settled order's dot: its path is drawn again, tick by tick. The same dot again takes it away. */
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
