/** The crosshair, where it is not led by a pointer: by keys, and by the crosshair of another chart. */
import type { Chart, Crosshair, KLineData } from "klinecharts";

const PRICE_PANE = "candle_pane";

export class ChartPointer {
  readonly #chart: Chart;
  /** The bar that the crosshair was led to by keys. */
  #pointed: number | null = null;

  /** @param onPointed told the instant of the bar that the member's pointer stands on; null where it has left the chart */
  constructor(chart: Chart, host: HTMLElement, onPointed: (at: number | null) => void) {
    this.#chart = chart;
    chart.subscribeAction("onCrosshairChange", (crosshair) => {
      const at = this.#instantOf(crosshair);
      if (at !== null) onPointed(at);
    });
    // The library tells of each move in the chart, and not of the last one out of it.
    host.addEventListener("mouseleave", () => onPointed(null));
  }

  #instantOf(crosshair: unknown): number | null {
    const x = typeof crosshair === "object" && crosshair !== null && "x" in crosshair ? crosshair.x : undefined;
    if (typeof x !== "number") return null;
    const [place] = [this.#chart.convertFromPixel([{ x }], { paneId: PRICE_PANE })].flat();
    return place?.timestamp ?? null;
  }

  /** Moves the crosshair by whole bars and answers the bar it stands on; null takes it away. */
  moveBy(bars: number | null): KLineData | null {
    const all = this.#chart.getDataList();
    const last = all.length - 1;
    if (bars === null || last < 0) {
      this.#pointed = null;
      this.#takeAway();
      return null;
    }
    this.#pointed = Math.min(Math.max((this.#pointed ?? last + (bars < 0 ? 1 : 0)) + bars, 0), last);
    const bar = all[this.#pointed];
    if (!bar) return null;
    const place = this.#chart.convertToPixel(
      { dataIndex: this.#pointed, value: bar.close },
      { paneId: PRICE_PANE },
    ) as { x?: number; y?: number };
    this.#chart.executeAction("onCrosshairChange", { ...place, paneId: PRICE_PANE });
    return bar;
  }

  /** Shows an instant that another chart's crosshair stands at; null takes it away. A price is not pointed at. */
  showInstant(at: number | null): void {
    const index = at === null ? -1 : this.#chart.getDataList().findLastIndex(({ timestamp }) => timestamp <= at);
    if (index < 0) {
      this.#takeAway();
      return;
    }
    const [place] = [this.#chart.convertToPixel([{ dataIndex: index }], { paneId: PRICE_PANE })].flat();
    // Of no pane: a line through all of them with its time, and none across.
    if (place?.x !== undefined) this.#chart.executeAction("onCrosshairChange", { x: place.x, paneId: "linked" });
  }

  #takeAway(): void {
    // Its types ask for a place, and an empty one is taken for the newest bar.
    this.#chart.executeAction("onCrosshairChange", undefined as unknown as Crosshair);
  }
}
