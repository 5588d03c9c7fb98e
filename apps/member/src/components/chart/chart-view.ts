/** The chart itself, on lightweight-charts: the one module that imports it, fetched when a chart is first shown. */
import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  createChart,
  LineSeries,
  LineStyle,
  TickMarkType,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import { formatDate, formatMinute, formatTime } from "../../shared/format.ts";
import type { Interval } from "../../data/candles.ts";
import { intervalMs, type Bar } from "./candle-series.ts";
import type { ChartColours } from "./chart-colours.ts";
import { priceFormat } from "./chart-figures.ts";
import type { ChartSettings } from "./chart-settings.ts";
import { IndicatorLines, type IndicatorFigures } from "./indicator-lines.ts";
import { OrderMarks, type OrderMark } from "./order-marks.ts";
import { trustDrawings } from "./trusted-logo.ts";

const OLDER_WITHIN_BARS = 20;

function secondsOf(bar: Bar): UTCTimestamp {
  return (bar.time / 1000) as UTCTimestamp;
}

export class ChartView {
  readonly #chart: IChartApi;
  readonly #settings: ChartSettings;
  readonly #decimals: number;
  readonly #main: ISeriesApi<SeriesType>;
  readonly #lines: IndicatorLines;
  readonly #marks: OrderMarks;
  #colours: ChartColours;
  #bars: readonly Bar[] = [];
  #orders: readonly OrderMark[] = [];
  #entryLines: IPriceLine[] = [];

  /** `onOlder` is called when the view comes near the oldest bar. */
  constructor(
    host: HTMLElement,
    settings: ChartSettings,
    decimals: number,
    colours: ChartColours,
    onOlder: () => void,
  ) {
    this.#settings = settings;
    this.#decimals = decimals;
    this.#colours = colours;
    trustDrawings();
    this.#chart = createChart(host, { autoSize: true, ...chartOptions(colours, settings.interval) });
    this.#main = this.#addMain();
    this.#lines = new IndicatorLines(this.#chart, settings.indicators, decimals, colours);
    this.#marks = new OrderMarks(colours);
    this.#main.attachPrimitive(this.#marks);
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < OLDER_WITHIN_BARS && this.#bars.length > 0) onOlder();
    });
  }

  #addMain(): ISeriesApi<SeriesType> {
    const { up, down, ink, line, area } = this.#colours;
    const common = {
      priceFormat: priceFormat(this.#decimals),
      priceLineColor: ink,
      priceLineStyle: LineStyle.Dotted,
    };
    switch (this.#settings.type) {
      case "candles":
        return this.#chart.addSeries(CandlestickSeries, {
          ...common,
          upColor: up,
          downColor: down,
          wickUpColor: up,
          wickDownColor: down,
          borderVisible: false,
        });
      case "bars":
        return this.#chart.addSeries(BarSeries, { ...common, upColor: up, downColor: down, thinBars: true });
      case "line":
        return this.#chart.addSeries(LineSeries, { ...common, color: line, lineWidth: 2 });
      case "area":
        return this.#chart.addSeries(AreaSeries, {
          ...common,
          lineColor: line,
          topColor: area,
          bottomColor: area,
          lineWidth: 2,
        });
    }
  }

  #point(bar: Bar) {
    const time = secondsOf(bar);
    const { type } = this.#settings;
    return type === "candles" || type === "bars" ? { ...bar, time } : { time, value: bar.close };
  }

  /** All bars anew; the place looked at stays where it is in time. */
  setBars(bars: readonly Bar[]): void {
    const range = this.#bars.length > 0 ? this.#chart.timeScale().getVisibleRange() : null;
    const atEnd = this.#chart.timeScale().scrollPosition() >= 0;
    this.#bars = bars;
    this.#main.setData(bars.map((bar) => this.#point(bar)));
    this.#lines.setBars(bars);
    if (range !== null && !atEnd) this.#chart.timeScale().setVisibleRange(range);
    this.#placeMarks();
  }

  /** The bars from index `from` on have changed. */
  updateBars(bars: readonly Bar[], from: number): void {
    this.#bars = bars;
    for (const bar of bars.slice(from)) this.#main.update(this.#point(bar));
    this.#lines.updateBars(bars, from);
    this.#placeMarks();
  }

  /** Figures of the newest bar, for the line over the chart. */
  figures(): IndicatorFigures {
    return this.#lines.figures();
  }

  setOrders(orders: readonly OrderMark[]): void {
    this.#orders = orders;
    for (const line of this.#entryLines) this.#main.removePriceLine(line);
    // Orders that entered at one price have one line and one label.
    this.#entryLines = [...new Set(orders.map(({ entryPrice }) => Number(entryPrice)))].map((price) =>
      this.#main.createPriceLine({
        price,
        color: this.#colours.accent,
        axisLabelColor: this.#colours.accentFill,
        axisLabelTextColor: "#ffffff",
        lineStyle: LineStyle.Dashed,
        lineWidth: 1,
        axisLabelVisible: true,
        title: "",
      }),
    );
    this.#placeMarks();
  }

  #placeMarks(): void {
    const last = this.#bars.at(-1);
    const lengthMs = intervalMs(this.#settings.interval);
    const places = last ? { lastTime: last.time, lastIndex: this.#bars.length - 1, lengthMs } : null;
    this.#marks.set(this.#orders, places, this.#colours);
  }

  destroy(): void {
    this.#chart.remove();
  }
}

function chartOptions(colours: ChartColours, interval: Interval) {
  const seconds = intervalMs(interval) < 60_000;
  const timeOf = (time: Time) => Number(time) * 1000;
  return {
    layout: {
      attributionLogo: true,
      background: { color: "transparent" },
      textColor: colours.soft,
      fontFamily: colours.font,
      fontSize: 12,
      panes: { separatorColor: colours.grid, separatorHoverColor: colours.grid, enableResize: false },
    },
    grid: { vertLines: { color: colours.grid }, horzLines: { color: colours.grid } },
    // A low pane's edge would cut the label that stands on it in two.
    rightPriceScale: { borderVisible: false, entireTextOnly: true },
    timeScale: {
      borderVisible: false,
      timeVisible: interval !== "1d",
      secondsVisible: seconds,
      rightOffset: 6,
      // Times are drawn on the member's own clock; the library itself knows UTC alone.
      tickMarkFormatter: (time: Time, type: TickMarkType) => {
        if (type === TickMarkType.TimeWithSeconds) return formatTime(timeOf(time));
        return type === TickMarkType.Time ? formatMinute(timeOf(time)) : formatDate(timeOf(time));
      },
    },
    localization: {
      timeFormatter: (time: Time) =>
        interval === "1d" ? formatDate(timeOf(time)) : `${formatDate(timeOf(time))} ${formatTime(timeOf(time))}`,
    },
    crosshair: {
      vertLine: { color: colours.soft, labelBackgroundColor: colours.soft },
      horzLine: { color: colours.soft, labelBackgroundColor: colours.soft },
    },
  };
}
