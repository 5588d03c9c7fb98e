import {
  HistogramSeries,
  LineSeries,
  LineStyle,
  type IChartApi,
  type ISeriesApi,
  type LineWidth,
  type SeriesType,
  type UTCTimestamp,
} from "lightweight-charts";
import type { Bar } from "./candle-series.ts";
import { priceFormat } from "./chart-figures.ts";
import type { ChartColours } from "./chart-colours.ts";
import type { Indicator } from "./chart-settings.ts";
import { bollingerBands, convergenceDivergence, movingAverage, relativeStrength, type Figures } from "./indicators.ts";

/** Names and newest figures of what is drawn; lines without a name are not listed. */
export type IndicatorFigures = readonly {
  readonly name: string;
  readonly tone: Tone;
  readonly figure: number | null;
}[];
export type Tone = "first" | "second" | "soft";

interface Line {
  readonly name: string;
  readonly tone: Tone;
  readonly series: ISeriesApi<SeriesType>;
  /** Which of the reckoned rows it draws. */
  readonly row: number;
}

interface Group {
  readonly lines: readonly Line[];
  readonly reckon: (closes: readonly number[]) => readonly Figures[];
}

/** The chosen indicators: averages and bands over the price, RSI and MACD in panes of their own. */
export class IndicatorLines {
  readonly #chart: IChartApi;
  readonly #decimals: number;
  readonly #colours: ChartColours;
  readonly #groups: readonly Group[];
  #newest: IndicatorFigures = [];

  constructor(chart: IChartApi, chosen: readonly Indicator[], decimals: number, colours: ChartColours) {
    this.#chart = chart;
    this.#decimals = decimals;
    this.#colours = colours;
    let pane = 0;
    this.#groups = chosen.map((indicator) => {
      if (indicator === "rsi" || indicator === "macd") pane += 1;
      return this.#add(indicator, pane);
    });
    for (const [place, part] of chart.panes().entries()) part.setStretchFactor(place === 0 ? 4 : 1);
  }

  #line(name: string, tone: Tone, row: number, pane = 0, dashed = false): Line {
    const colour = tone === "soft" ? this.#colours.line : this.#colours[tone];
    const series = this.#chart.addSeries(
      LineSeries,
      {
        color: colour,
        lineWidth: (pane === 0 ? 1 : 1.5) as LineWidth,
        lineStyle: dashed ? LineStyle.Dashed : LineStyle.Solid,
        priceLineVisible: false,
        lastValueVisible: false,
        crosshairMarkerVisible: false,
        priceFormat: priceFormat(pane === 0 ? this.#decimals : 1),
      },
      pane,
    );
    return { name, tone, series, row };
  }

  #add(indicator: Indicator, pane: number): Group {
    switch (indicator) {
      case "ma":
        return {
          lines: [this.#line("MA 7", "first", 0), this.#line("MA 25", "second", 1)],
          reckon: (closes) => [movingAverage(closes, 7), movingAverage(closes, 25)],
        };
      case "bollinger":
        return {
          lines: [
            this.#line("", "soft", 0, 0, true),
            this.#line("BB 20", "soft", 1),
            this.#line("", "soft", 2, 0, true),
          ],
          reckon: (closes) => {
            const { upper, middle, lower } = bollingerBands(closes);
            return [upper, middle, lower];
          },
        };
      case "rsi": {
        const line = this.#line("RSI 14", "soft", 0, pane);
        // The whole scale's middle, so that the two marks always stand where they are looked for.
        line.series.applyOptions({
          autoscaleInfoProvider: () => ({ priceRange: { minValue: 10, maxValue: 90 } }),
        });
        for (const price of [30, 70]) {
          line.series.createPriceLine({
            price,
            color: this.#colours.soft,
            lineWidth: 1,
            lineStyle: LineStyle.Dotted,
            axisLabelVisible: false,
            title: "",
          });
        }
        return { lines: [line], reckon: (closes) => [relativeStrength(closes)] };
      }
      case "macd": {
        const columns = this.#chart.addSeries(
          HistogramSeries,
          {
            color: this.#colours.grid,
            priceLineVisible: false,
            lastValueVisible: false,
            priceFormat: priceFormat(this.#decimals),
          },
          pane,
        );
        const lines = [this.#line("MACD", "first", 0, pane), this.#line("Signal", "second", 1, pane)];
        for (const { series } of lines) series.applyOptions({ priceFormat: priceFormat(this.#decimals) });
        return {
          lines: [...lines, { name: "", tone: "soft", series: columns, row: 2 }],
          reckon: (closes) => {
            const { macd, signal, histogram } = convergenceDivergence(closes);
            return [macd, signal, histogram];
          },
        };
      }
    }
  }

  setBars(bars: readonly Bar[]): void {
    this.#reckon(bars, ({ series }, figures) => {
      series.setData(bars.flatMap((bar, at) => pointOf(bar, figures[at])));
    });
  }

  updateBars(bars: readonly Bar[], from: number): void {
    this.#reckon(bars, ({ series }, figures) => {
      for (let at = from; at < bars.length; at += 1) {
        const bar = bars[at];
        for (const point of bar ? pointOf(bar, figures[at]) : []) series.update(point);
      }
    });
  }

  #reckon(bars: readonly Bar[], draw: (line: Line, figures: Figures) => void): void {
    const closes = bars.map(({ close }) => close);
    const newest = this.#groups.flatMap(({ lines, reckon }) => {
      const rows = reckon(closes);
      return lines.map((line) => {
        const figures = rows[line.row] ?? [];
        draw(line, figures);
        return { name: line.name, tone: line.tone, figure: figures.at(-1) ?? null };
      });
    });
    this.#newest = newest.filter(({ name }) => name !== "");
  }

  figures(): IndicatorFigures {
    return this.#newest;
  }
}

function pointOf(bar: Bar, value: number | null | undefined) {
  return value === null || value === undefined ? [] : [{ time: (bar.time / 1000) as UTCTimestamp, value }];
}
