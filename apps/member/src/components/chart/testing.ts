import { init, type Chart } from "klinecharts";
import { ChartData } from "./chart-data.ts";
import type { Interval } from "../../data/candles.ts";
import type { Bar } from "./candle-series.ts";

const WIDTH_PX = 745;
const HEIGHT_PX = 400;
/** Px of a candle in these charts: a hundred candles fit into the plot beside its price axis. */
export const TEST_BAR_PX = 7;

/** All texts drawn on any canvas so far. */
export const drawnTexts = new Set<string>();

/** The library measures texts, and draws on a canvas that jsdom doesn't have. */
const CANVAS = new Proxy(
  {},
  {
    get: (_, name) => {
      if (name === "measureText") return (text: string) => ({ width: text.length * TEST_BAR_PX });
      return name === "fillText" ? (text: string) => drawnTexts.add(text) : () => undefined;
    },
    set: () => true,
  },
);

/** Gives jsdom what the chart's library needs from a browser, for all tests of a file. */
export function letChartsBeDrawn(): void {
  const { prototype } = HTMLElement;
  Object.defineProperty(prototype, "clientWidth", { configurable: true, get: () => WIDTH_PX });
  Object.defineProperty(prototype, "clientHeight", { configurable: true, get: () => HEIGHT_PX });
  Object.defineProperty(HTMLCanvasElement.prototype, "getContext", { configurable: true, value: () => CANVAS });
  Object.defineProperty(document, "fonts", { configurable: true, value: new EventTarget() });
  // Nothing changes its size here.
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
}

/** Returns bars whose prices don't move: `count` of them from `from` on, both ends in ms. */
export function evenBars(from: number, count: number, lengthMs: number): readonly Bar[] {
  return Array.from({ length: count }, (_, at) => ({
    time: from + at * lengthMs,
    open: 1,
    high: 1.5,
    low: 0.5,
    close: 1,
  }));
}

/** Returns a chart of the library itself, with these bars, laid out as in a browser. */
export async function drawnChart(
  bars: readonly Bar[],
  interval: Interval,
): Promise<{ readonly chart: Chart; readonly data: ChartData; readonly host: HTMLElement }> {
  const host = document.body.appendChild(document.createElement("div"));
  const chart = init(host);
  if (chart === null) throw new Error("the chart has no place to be drawn in");
  chart.setSymbol({ ticker: "EURUSD", pricePrecision: 2, volumePrecision: 0 });
  chart.setBarSpace(TEST_BAR_PX);
  chart.setOffsetRightDistance(0);
  const data = new ChartData(chart, () => undefined);
  data.set(bars, interval);
  await laidOut();
  return { chart, data, host };
}

/** Waits until the library has laid its charts out, which it does in the next frame. */
export function laidOut(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
