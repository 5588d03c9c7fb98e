/** The chart itself, built on KLineChart with its surroundings. Loaded when a chart is first shown. */
import { dispose, init, type Chart, type KLineData } from "klinecharts";
import type { Interval } from "../../data/candles.ts";
import { formatCountdown } from "../../shared/format.ts";
import { serverNow } from "../../shared/server-clock.ts";
import { formatCandleTime } from "./candle-dates.ts";
import { intervalMs, type Bar } from "./candle-series.ts";
import { ChartData } from "./chart-data.ts";
import { coveredAbove, distinctTicks, NO_GAP, priceRange, timeLabelPx, timeTicks } from "./chart-axes.ts";
import type { ChartColours } from "./chart-colours.ts";
import { formatWritten } from "./chart-figures.ts";
import type { SeenRange } from "./ChartWords.tsx";
import type { ChartSettings } from "./chart-settings.ts";
import { chartStyles, COUNTDOWN_SIDES } from "./chart-styles.ts";
import { Drawings } from "./drawings.ts";
import { ChartPointer } from "./chart-pointer.ts";
import { ChartLegend } from "./chart-legend.ts";
import { drawnPicture } from "./picture.ts";
import { PriceTags, yieldingTicks } from "./price-tags.ts";
import { registerOwnIndicators } from "./own-indicators.ts";
import { registerOwnOverlays } from "./own-overlays.ts";
import { fitSpan, seenRange, type ChartSpan } from "./chart-span.ts";
import { SceneLayer } from "./scene-layer.ts";
import { ShownIndicators } from "./shown-indicators.ts";
import type { ViewListener, ViewTerms } from "./view-terms.ts";

const PRICE_PANE = "candle_pane";
const OLDER_WITHIN_BARS = 20;
/** Default width of a candle and room to the right of the newest one, in px. */
const BAR_PX = 7;
const ROOM_PX = 72;
const BAR_PX_LEAST = 1;
const BAR_PX_MOST = 60;

export class ChartView {
  readonly drawings: Drawings;
  readonly scene: SceneLayer;
  readonly pointer: ChartPointer;
  readonly #chart: Chart;
  readonly #data: ChartData;
  readonly #host: HTMLElement;
  readonly #decimals: number;
  readonly #indicators: ShownIndicators;
  readonly #listener: ViewListener;
  readonly #tags: PriceTags;
  #settings: ChartSettings;
  #colours: ChartColours;
  readonly #legend: ChartLegend;
  readonly #resized: ResizeObserver;
  #span: ChartSpan | null = null;
  #frame = 0;
  #lengthMs = 1_000;
  /** Px of the upper edge that the page covers; below zero before it was measured. */
  #coveredPx = -1;

  constructor(host: HTMLElement, terms: ViewTerms, listener: ViewListener) {
    registerOwnIndicators();
    registerOwnOverlays();
    this.#host = host;
    this.#settings = terms.settings;
    this.#colours = terms.colours;
    this.#decimals = terms.decimals;
    this.#listener = listener;
    const chart = init(host, this.#options());
    if (chart === null) throw new Error("the chart has no place to be drawn in");
    this.#chart = chart;
    // The library puts its canvas into the page's tab order; here the figure around it takes the focus.
    const canvas = host.firstElementChild;
    if (canvas instanceof HTMLElement) canvas.tabIndex = -1;
    chart.setSymbol({ ticker: terms.symbol, pricePrecision: terms.decimals, volumePrecision: 0 });
    chart.setBarSpace(terms.barPx ?? BAR_PX);
    chart.setOffsetRightDistance(terms.room ?? ROOM_PX);
    this.#data = new ChartData(chart, listener.onOlder);
    this.#indicators = new ShownIndicators(chart, host, terms);
    this.#indicators.set(terms.settings);
    this.drawings = new Drawings(chart, host, terms.symbol, listener.onDrawings);
    const covered = () => this.#coveredPx;
    this.#tags = new PriceTags(chart, {
      entryPrices: () => this.scene.prices().levels,
      isCountdownWanted: () => this.#settings.countdown,
      covered,
    });
    this.scene = new SceneLayer(chart, {
      colours: terms.colours,
      tags: this.#tags,
      legend: () => this.#legend.area(),
      covered,
      onSettledTap: listener.onSettledTap,
    });
    this.pointer = new ChartPointer(chart, host, listener.onPointed);
    this.#legend = new ChartLegend(chart, covered, terms);
    this.#keepGap();
    this.#resized = new ResizeObserver(this.#fitSoon);
    this.#resized.observe(host);
    document.fonts.addEventListener("loadingdone", this.#fitSoon);
    chart.subscribeAction("onVisibleRangeChange", () => this.#moved());
  }

  /**
   * Fits everything to the chart's size once the library has laid it out in the next frame, and the legend to the app's
   * own font, which is wider than the one it replaces.
   */
  readonly #fitSoon = () => {
    this.#keepGap();
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#legend.fit();
      this.#holdSpan();
    });
  };

  /** Keeps candles clear of what covers the chart's upper edge. */
  #keepGap(): void {
    const coveredPx = coveredAbove(this.#host);
    if (coveredPx === this.#coveredPx) return;
    this.#coveredPx = coveredPx;
    this.#setAxes();
  }

  #options() {
    return {
      styles: chartStyles(this.#colours, this.#settings),
      hotkey: { enabled: false },
      thousandsSeparator: { sign: "", format: formatWritten },
      decimalFold: { threshold: Number.MAX_SAFE_INTEGER, format: String },
      layout: { barSpaceLimit: { min: BAR_PX_LEAST, max: BAR_PX_MOST } },
      formatter: {
        formatDate: ({ timestamp }: { timestamp: number }) => formatCandleTime(timestamp, this.#shownInterval()),
        formatExtendText: ({ data, index }: { data: KLineData; index: number }) => this.#formatLeft(data, index),
      },
    };
  }

  /** The interval of the candles in view, which stay while another one loads. */
  #shownInterval(): Interval {
    return this.#data.shown ?? this.#settings.interval;
  }

  #formatLeft({ timestamp }: KLineData, index: number): string {
    if (COUNTDOWN_SIDES[index] !== this.#tags.countdown()) return "";
    return formatCountdown(timestamp + intervalMs(this.#shownInterval()) - serverNow());
  }

  #setAxes(): void {
    const { log } = this.#settings;
    this.#chart.overrideYAxis({
      ...this.#tags.axis(),
      paneId: PRICE_PANE,
      name: log ? "logarithm" : "normal",
      gap: NO_GAP,
      createRange: (asked) =>
        priceRange(asked, { decimals: this.#decimals, log, ...this.scene.prices(), abovePx: this.#legend.bottom() }),
      createTicks: ({ defaultTicks }) => yieldingTicks(distinctTicks(defaultTicks), () => this.#tags.spans()),
    });
    this.#chart.overrideXAxis({
      createTicks: () =>
        yieldingTicks(timeTicks(this.#chart, this.#lengthMs), () => this.scene.timeSpans(), timeLabelPx),
    });
  }

  /**
   * Sets all bars of an interval; `lengthMs` is for bars of another length. The zoom stays, and so does the time in
   * view.
   */
  setBars(bars: readonly Bar[], interval: Interval, lengthMs = intervalMs(interval)): void {
    const isFirst = this.#data.shown === null;
    const edge = isFirst ? null : this.#edgeTime();
    this.#lengthMs = lengthMs;
    if (!this.#data.set(bars, interval)) return;
    if (edge !== null) this.#standAt(edge);
    if (isFirst) {
      this.drawings.show();
      this.#legend.fit();
    }
    this.scene.setBars(lengthMs);
    this.#holdSpan();
    this.#moved();
  }

  /** Updates the bars from index `from` on. */
  updateBars(bars: readonly Bar[], from: number): void {
    this.#data.update(bars, from);
    this.#holdSpan();
  }

  /** Fixes the visible time span, whatever the window's width; null lets the member move the chart again. */
  setSpan(span: ChartSpan | null): void {
    this.#span = span;
    this.#legend.setHidden(span !== null);
    this.#chart.setScrollEnabled(span === null);
    this.#chart.setZoomEnabled(span === null);
    this.#holdSpan();
  }

  #holdSpan(): void {
    const plot = this.#chart.getSize(PRICE_PANE, "main");
    const last = this.#chart.getDataList().at(-1);
    if (this.#span === null || plot === null || plot.width <= 0 || last === undefined) return;
    const { barPx, roomPx } = fitSpan(this.#span, {
      widthPx: plot.width,
      lengthMs: this.#lengthMs,
      lastAt: last.timestamp,
    });
    this.setBarPx(barPx);
    this.#chart.setOffsetRightDistance(roomPx);
  }

  /** Applies settings at once. Bars of another interval come with `setBars`. */
  setSettings(settings: ChartSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    this.#chart.setStyles(chartStyles(this.#colours, settings));
    this.#legend.style();
    if (before.log !== settings.log) this.#setAxes();
    this.#indicators.set(settings);
    this.#fitSoon();
    this.scene.redraw();
  }

  setColours(colours: ChartColours): void {
    this.#colours = colours;
    this.#chart.setStyles(chartStyles(colours, this.#settings));
    this.#legend.setColours(colours);
    this.scene.setColours(colours);
  }

  /** Returns the instant at the right edge if the newest bar is out of view; otherwise null. */
  #edgeTime(): number | null {
    return this.isLive() ? null : (this.#chart.getDataList()[this.#chart.getVisibleRange().to - 1]?.timestamp ?? null);
  }

  #standAt(at: number): void {
    const index = this.#chart.getDataList().findLastIndex(({ timestamp }) => timestamp <= at);
    if (index >= 0) this.#chart.scrollToDataIndex(index, 0);
  }

  isLive(): boolean {
    return this.#chart.getVisibleRange().to >= this.#chart.getDataList().length;
  }

  #moved(): void {
    if (this.#data.shown === null) return;
    if (this.#chart.getVisibleRange().from < OLDER_WITHIN_BARS) this.#listener.onOlder();
    this.#listener.onMoved(this.isLive());
  }

  /** Returns the visible range; null while nothing is visible. */
  seen(): SeenRange | null {
    return seenRange(this.#chart);
  }

  backToLive(): void {
    this.#chart.scrollToRealTime(0);
  }

  /** Scrolls so that this instant is at two thirds of the width. */
  showInstant(at: number): void {
    const index = this.#chart.getDataList().findLastIndex(({ timestamp }) => timestamp <= at);
    const ahead = Math.round((this.#chart.getSize()?.width ?? 0) / 3 / this.#chart.getBarSpace().bar);
    if (index >= 0) this.#chart.scrollToDataIndex(index + ahead, 0);
  }

  /** Scrolls by whole bars; negative towards the past. */
  scrollBy(bars: number): void {
    this.#chart.scrollByDistance(-bars * this.#chart.getBarSpace().bar, 0);
  }

  zoom(toward: 1 | -1): void {
    this.#chart.zoomAtCoordinate(toward * 2);
  }

  /** Sets the px between the newest bar and the right edge, used while the newest is in view. */
  setRoom(room: number): void {
    if (this.isLive()) this.#chart.setOffsetRightDistance(room);
  }

  setBarPx(px: number): void {
    this.#chart.setBarSpace(Math.min(Math.max(px, BAR_PX_LEAST), BAR_PX_MOST));
  }

  /** Returns the chart as a PNG with a title line. */
  picture(title: string): Promise<Blob> {
    const { ground, ink, font } = this.#colours;
    return drawnPicture(this.#chart.getConvertPictureUrl(true, "png", ground), { title, ground, ink, font });
  }

  destroy(): void {
    this.#resized.disconnect();
    cancelAnimationFrame(this.#frame);
    document.fonts.removeEventListener("loadingdone", this.#fitSoon);
    this.scene.destroy();
    this.drawings.destroy();
    dispose(this.#host);
  }
}
