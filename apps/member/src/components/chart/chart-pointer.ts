/** Moves the crosshair without a pointer: by keys, and with the crosshair of another chart. */
import type { Chart, Crosshair, KLineData } from "klinecharts";

const PRICE_PANE = "candle_pane";

export class ChartPointer {
  readonly #chart: Chart;
  /** The bar that keys have moved the crosshair to. */
  #pointed: number | null = null;

  /** @param onPointed gets the instant of the bar under the member's pointer, or null when it has left the chart */
  constructor(chart: Chart, host: HTMLElement, onPointed: (at: number | null) => void) {
    this.#chart = chart;
    chart.subscribeAction("onCrosshairChange", (crosshair) => {
      const at = this.#instantOf(crosshair);
      if (at !== null) onPointed(at);
    });
    // The library reports each move within the chart, but not leaving it.
    host.addEventListener("mouseleave", () => onPointed(null));
  }

  #instantOf(crosshair: unknown): number | null {
    const x = typeof crosshair === "object" && crosshair !== null && "x" in crosshair ? crosshair.x : undefined;
    if (typeof x !== "number") return null;
    const [place] = [this.#chart.convertFromPixel([{ x }], { paneId: PRICE_PANE })].flat();
    return place?.timestamp ?? null;
  }

  /** Moves the crosshair by whole bars and returns the bar under it; null hides it. */
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

  /** Shows the instant at another chart's crosshair, without a price; null hides it. */
  showInstant(at: number | null): void {
    const index = at === null ? -1 : this.#chart.getDataList().findLastIndex(({ timestamp }) => timestamp <= at);
    if (index < 0) {
      this.#takeAway();
      return;
    }
    const [place] = [this.#chart.convertToPixel([{ dataIndex: index }], { paneId: PRICE_PANE })].flat();
    // With no real pane, the library draws a vertical line through all panes with its time, and no horizontal one.
    if (place?.x !== undefined) this.#chart.executeAction("onCrosshairChange", { x: place.x, paneId: "linked" });
  }

  #takeAway(): void {
    // The types require a position, but an empty one would mean the newest bar.
    this.#chart.executeAction("onCrosshairChange", undefined as unknown as Crosshair);
  }
}
