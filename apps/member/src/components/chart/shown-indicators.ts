/** Keeps the library's indicators in sync with those that the member has chosen. */
import type { Chart } from "klinecharts";
import type { ChartSettings, ShownIndicator } from "./chart-settings.ts";
import { isOnPrice, type IndicatorName } from "./indicator-list.ts";
import { quickly } from "./candle-math.ts";

const PRICE_PANE = "candle_pane";
/** A pane's height in px; less if the whole chart is low. */
const PANE_PX = 84;
const LOW_PANE_PX = 52;
const LOW_CHART_PX = 420;
/** Indicators that depend on all candles, not only on the newest. */
const WHOLE: ReadonlySet<IndicatorName> = new Set(["SAR", "SESSION"]);

function idOf(name: string): string {
  return `indicator_${name}`;
}

export class ShownIndicators {
  readonly #chart: Chart;
  readonly #host: HTMLElement;
  #shown: readonly ShownIndicator[] = [];
  #isHeikinAshi = false;

  constructor(chart: Chart, host: HTMLElement) {
    this.#chart = chart;
    this.#host = host;
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
    this.#chart.createIndicator({ id: idOf(name), name, calcParams, paneId }, true);
    if (paneId !== PRICE_PANE) {
      const height = this.#host.clientHeight < LOW_CHART_PX ? LOW_PANE_PX : PANE_PX;
      this.#chart.setPaneOptions({ id: paneId, height, minHeight: LOW_PANE_PX, dragEnabled: true });
    }
    if (!WHOLE.has(name)) this.#hasten(name);
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
