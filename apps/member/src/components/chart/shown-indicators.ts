/** Keeps the library's indicators in sync with those that the member has chosen. */
import type { AxisCreateRangeParams, AxisRange, Chart, IndicatorFigure } from "klinecharts";
import { NO_GAP, withMargins } from "./chart-axes.ts";
import type { ChartSettings, ShownIndicator } from "./chart-settings.ts";
import { decimalsOf, isOnPrice, type IndicatorName } from "./indicator-list.ts";
import { quickly } from "./candle-math.ts";
import { TITLES_FROM_PX } from "./legend-fit.ts";

const PRICE_PANE = "candle_pane";
/** A pane's height in px; less if the whole chart is low. */
const PANE_PX = 84;
const LOW_PANE_PX = 52;
const LOW_CHART_PX = 420;
/** Indicators that depend on all candles, not only on the newest. */
const WHOLE: ReadonlySet<IndicatorName> = new Set(["SAR", "SESSION"]);

/** What indicators with several lines call them. */
export interface LineWords {
  readonly high: string;
  readonly low: string;
  readonly upper: string;
  readonly middle: string;
  readonly lower: string;
  readonly signal: string;
  readonly average: string;
  readonly histogram: string;
}

/** Returns the lines of an indicator that the library names in English abbreviations; null for all others. */
export function namedLines(name: IndicatorName, words: LineWords): IndicatorFigure[] | null {
  const line = (key: string, word: string): IndicatorFigure => ({ key, title: `${word}: `, type: "line" });
  const { high, low, upper, middle, lower } = words;
  if (name === "BOLL") return [line("up", upper), line("mid", middle), line("dn", lower)];
  return name === "SESSION" ? [line("high", high), line("low", low)] : null;
}

/** Lines that the library calls by abbreviations nobody knows (DIF, DEA, MATRIX), and what the page calls them. */
const CALLED: Partial<Record<IndicatorName, Readonly<Record<string, "signal" | "average" | "histogram" | "MACD">>>> = {
  MACD: { dif: "MACD", dea: "signal", macd: "histogram" },
  TRIX: { maTrix: "signal" },
  ROC: { maRoc: "average" },
  MTM: { maMtm: "average" },
  PSY: { maPsy: "average" },
  DMA: { ama: "average" },
};

/**
 * Returns an indicator's figures under the page's words. On a narrow plot, columns aren't told in the legend, which has
 * one line: they are the difference of its two lines.
 */
export function callFigures(
  name: IndicatorName,
  figures: readonly IndicatorFigure[],
  { words, isNarrow }: { readonly words: LineWords; readonly isNarrow: boolean },
): IndicatorFigure[] {
  return figures.map((figure) => {
    const called = CALLED[name]?.[figure.key];
    if (called === undefined) return figure;
    if (called === "histogram" && isNarrow) {
      const { title: _, ...untold } = figure;
      return untold;
    }
    return { ...figure, title: `${called === "MACD" ? called : words[called]}: ` };
  });
}

/** Keeps an indicator's lines clear of the figures above them. */
function belowFigures(asked: AxisCreateRangeParams): AxisRange {
  const { showRule, legend } = asked.chart.getStyles().indicator.tooltip;
  const abovePx = showRule === "none" ? 0 : legend.size + FIGURES_MARGIN_PX;
  return withMargins(asked.defaultRange, asked, { abovePx, split: null });
}

interface IndicatorTerms {
  /** Decimals of the product's price. */
  readonly decimals: number;
  readonly words: LineWords;
}

/** Space above and below those figures. */
const FIGURES_MARGIN_PX = 6;

function idOf(name: string): string {
  return `indicator_${name}`;
}

export class ShownIndicators {
  readonly #chart: Chart;
  readonly #host: HTMLElement;
  readonly #terms: IndicatorTerms;
  #shown: readonly ShownIndicator[] = [];
  #isHeikinAshi = false;

  constructor(chart: Chart, host: HTMLElement, { decimals, words }: IndicatorTerms) {
    this.#chart = chart;
    this.#host = host;
    this.#terms = { decimals, words };
  }

  /** Adds, changes and removes what differs; everything else stays untouched. */
  set({ indicators, type }: Pick<ChartSettings, "indicators" | "type">): void {
    for (const { name } of this.#shown) {
      if (!indicators.some((other) => other.name === name)) this.#chart.removeIndicator({ id: idOf(name) });
    }
    for (const indicator of indicators) this.#show(indicator);
    this.#shown = indicators;
    this.#setHeikinAshi(type === "heikinAshi");
  }

  #show({ name, params }: ShownIndicator): void {
    const before = this.#shown.find((other) => other.name === name);
    if (before?.params.join() === params.join()) return;
    const calcParams = [...params];
    if (before) {
      this.#chart.overrideIndicator({ id: idOf(name), name, calcParams });
      return;
    }
    const paneId = isOnPrice(name) ? PRICE_PANE : `pane_${name}`;
    const precision = decimalsOf(name, this.#terms.decimals);
    const figures = namedLines(name, this.#terms.words);
    const shown = { ...(precision !== undefined && { precision }), ...(figures && { figures }) };
    this.#chart.createIndicator({ id: idOf(name), name, calcParams, paneId, ...shown }, true);
    if (paneId !== PRICE_PANE) {
      const height = this.#host.clientHeight < LOW_CHART_PX ? LOW_PANE_PX : PANE_PX;
      this.#chart.setPaneOptions({ id: paneId, height, minHeight: LOW_PANE_PX, dragEnabled: true });
      this.#chart.overrideYAxis({ paneId, gap: NO_GAP, createRange: belowFigures });
    }
    this.#call(name);
    if (!WHOLE.has(name)) this.#hasten(name);
  }

  #call(name: IndicatorName): void {
    const made = this.#chart.getIndicators({ id: idOf(name) })[0];
    const isNarrow = this.#host.clientWidth < TITLES_FROM_PX;
    if (made) made.figures = callFigures(name, made.figures, { words: this.#terms.words, isNarrow });
  }

  #hasten(name: IndicatorName): void {
    const made = this.#chart.getIndicators({ id: idOf(name) })[0];
    if (made) made.calc = quickly(made.calc);
  }

  #setHeikinAshi(on: boolean): void {
    if (on === this.#isHeikinAshi) return;
    this.#isHeikinAshi = on;
    if (!on) this.#chart.removeIndicator({ id: idOf("HEIKIN_ASHI") });
    else {
      const made = { id: idOf("HEIKIN_ASHI"), name: "HEIKIN_ASHI", paneId: PRICE_PANE, zLevel: -1 };
      this.#chart.createIndicator(made, true);
    }
  }
}
