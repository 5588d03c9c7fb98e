/** Moves the crosshair without a pointer: by keys, and with the crosshair of another chart. */
import type { Chart, Crosshair, KLineData } from "klinecharts";

const PRICE_PANE = "candle_pane";

export class ChartPointer {
  readonly #chart: Chart;
  /**
   * Start of the bar that keys have moved the crosshair to. Its index would be another bar's once older ones are put in
   * front or the interval changes.
   */
  #pointedAt: number | null = null;

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

  /**
   * Moves the crosshair by whole bars, at first to the newest one in view, scrolls to it and returns the bar under it;
   * null hides it.
   */
  moveBy(bars: number | null): KLineData | null {
    const all = this.#chart.getDataList();
    if (bars === null || all.length === 0) {
      this.#pointedAt = null;
      this.#takeAway();
      return null;
    }
    const inView = this.#inView();
    const { first, last } = this.#chart.isScrollEnabled() ? { first: 0, last: all.length - 1 } : inView;
    const from = this.#pointedIndex();
    const index = from === null ? inView.last : Math.min(Math.max(from + bars, first), last);
    const bar = all[index];
    if (!bar) return null;
    this.#pointedAt = bar.timestamp;
    // The scale of the candles scrolled to comes with the library's layout, which follows this turn.
    if (this.#scrollTo(index)) queueMicrotask(() => this.#place());
    this.#place();
    return bar;
  }

  /** Returns the index of the bar that keys have pointed to, or of the one that its time is in now. */
  #pointedIndex(): number | null {
    const at = this.#pointedAt;
    if (at === null) return null;
    return Math.max(
      this.#chart.getDataList().findLastIndex(({ timestamp }) => timestamp <= at),
      0,
    );
  }

  /** Returns the indices of the first and the last bar that can be seen as a whole. */
  #inView(): { readonly first: number; readonly last: number } {
    const newest = this.#chart.getDataList().length - 1;
    const { halfBar } = this.#chart.getBarSpace();
    const sides = [{ x: halfBar }, { x: this.#plotPx() - halfBar }];
    const [left, right] = [this.#chart.convertFromPixel(sides, { paneId: PRICE_PANE })].flat();
    return { first: Math.max(left?.dataIndex ?? 0, 0), last: Math.min(right?.dataIndex ?? newest, newest) };
  }

  /** Scrolls just as far as a bar is out of view. Returns whether it was. */
  #scrollTo(index: number): boolean {
    const [place] = [this.#chart.convertToPixel([{ dataIndex: index }], { paneId: PRICE_PANE })].flat();
    const plotPx = this.#plotPx();
    if (place?.x === undefined || plotPx <= 0) return false;
    const { halfBar } = this.#chart.getBarSpace();
    const beyond = Math.max(halfBar - place.x, 0) || Math.min(plotPx - halfBar - place.x, 0);
    if (beyond !== 0) this.#chart.scrollByDistance(beyond, 0);
    return beyond !== 0;
  }

  #plotPx(): number {
    return this.#chart.getSize(PRICE_PANE, "main")?.width ?? 0;
  }

  /** Shows the crosshair at the close of the bar that keys have pointed to. */
  #place(): void {
    const index = this.#pointedIndex();
    const bar = index === null ? undefined : this.#chart.getDataList()[index];
    if (index === null || bar === undefined) return;
    const [place] = [
      this.#chart.convertToPixel([{ dataIndex: index, value: bar.close }], { paneId: PRICE_PANE }),
    ].flat();
    this.#chart.executeAction("onCrosshairChange", { ...place, paneId: PRICE_PANE });
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
