/** The figures in a chart's corner: open, high, low and close in one line, with the indicators' figures below. */
import type { Chart, KLineData, NeighborData, TooltipLegend } from "klinecharts";
import type { ChartColours } from "./chart-colours.ts";
import { formatFigure } from "./chart-figures.ts";
import { LEGEND_TOP_PX } from "./chart-styles.ts";
import { fitLegend, legendArea, type LegendArea, type LegendFit } from "./legend-fit.ts";

const PRICE_PANE = "candle_pane";

/** Short labels for open, high, low and close. */
export interface OhlcWords {
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
}

interface LegendTerms {
  readonly decimals: number;
  readonly words: OhlcWords;
  readonly colours: ChartColours;
}

export class ChartLegend {
  readonly #chart: Chart;
  readonly #covered: () => number;
  readonly #decimals: number;
  readonly #words: OhlcWords;
  #colours: ChartColours;
  #isHidden = false;
  #fit: LegendFit = { isShown: true, sizePx: 12, widthPx: 0, hasOpen: true, hasTitles: true };

  /** @param covered px of the chart's upper edge that the page covers; the line stands below them */
  constructor(chart: Chart, covered: () => number, { decimals, words, colours }: LegendTerms) {
    this.#chart = chart;
    this.#covered = covered;
    this.#decimals = decimals;
    this.#words = words;
    this.#colours = colours;
    chart.setStyles({
      candle: { tooltip: { legend: { template: (bar: NeighborData<KLineData | null>) => this.#ohlc(bar) } } },
    });
  }

  /** Measures the line again after the chart's size changed or its first candles came. */
  fit(): void {
    const last = this.#chart.getDataList().at(-1);
    const plot = this.#chart.getSize(PRICE_PANE, "main");
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    if (last === undefined || plot === null || context === null) return;
    // Only on a canvas within the page are digits as wide as in the chart, where the stylesheet makes them all equal.
    this.#chart.getDom()?.append(canvas);
    const figure = formatFigure(last.close, this.#decimals);
    const { open, high, low, close } = this.#words;
    const parts = [open, high, low, close].map((word) => `${word} ${figure}`);
    const free = { width: plot.width, height: plot.height - this.#covered() };
    this.#fit = fitLegend(parts, free, (text, sizePx) => {
      context.font = `${sizePx}px ${this.#colours.font}`;
      return context.measureText(text).width;
    });
    canvas.remove();
    this.style();
  }

  /** Hides the legend, for charts beside an order's own figures. */
  setHidden(hidden: boolean): void {
    this.#isHidden = hidden;
    this.style();
  }

  /** Returns the space that it takes, including its indicators' lines; none if it isn't shown. */
  area(): LegendArea {
    const figures = this.#chart.getIndicators({ paneId: PRICE_PANE }).map((indicator) => indicator.figures.length);
    const plotPx = this.#chart.getSize(PRICE_PANE, "main")?.width ?? 0;
    const fit = { ...this.#fit, isShown: this.#fit.isShown && !this.#isHidden && plotPx > 0 };
    return legendArea(fit, { figures: figures.filter((count) => count > 0), plotPx });
  }

  /** Returns where the free part of the plot begins, in px from its top. */
  bottom(): number {
    return Math.max(this.#covered(), 0) + this.area().heightPx;
  }

  /** Applies the sizes to the styles, which don't include them. */
  style(): void {
    const { isShown, sizePx: size, hasTitles } = this.#fit;
    const showRule = isShown && !this.#isHidden ? "always" : "none";
    this.#chart.setStyles({
      candle: { tooltip: { showRule, legend: { size }, offsetTop: LEGEND_TOP_PX + this.#covered() } },
      indicator: { tooltip: { showRule, title: { show: hasTitles }, legend: { size } } },
    });
  }

  setColours(colours: ChartColours): void {
    this.#colours = colours;
    this.style();
  }

  /** Returns the figures of the bar under the crosshair, or of the newest. */
  #ohlc({ current }: NeighborData<KLineData | null>): TooltipLegend[] {
    if (current === null) return [];
    const { open, high, low, close } = this.#words;
    const { up, down, soft, ink } = this.#colours;
    const figures = {
      ...(this.#fit.hasOpen && { [open]: current.open }),
      [high]: current.high,
      [low]: current.low,
      [close]: current.close,
    };
    const moved = current.close > current.open ? up : down;
    const color = current.close === current.open ? ink : moved;
    return Object.entries(figures).map(([word, figure]) => ({
      title: { text: `${word} `, color: soft },
      value: { text: formatFigure(figure, this.#decimals), color },
    }));
  }
}
