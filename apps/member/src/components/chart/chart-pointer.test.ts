// @vitest-environment jsdom
import { dispose, type Chart, type Crosshair } from "klinecharts";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Bar } from "./candle-series.ts";
import type { ChartData } from "./chart-data.ts";
import { ChartPointer } from "./chart-pointer.ts";
import { drawnChart, evenBars, laidOut, letChartsBeDrawn, TEST_BAR_PX } from "./testing.ts";

const MINUTE = 60_000;
/** The first of 300 bars, of which the newest hundred are in view. */
const FIRST = 1_000 * MINUTE;
const bars = evenBars(FIRST, 300, MINUTE);

let chart: Chart;
let data: ChartData;
let host: HTMLElement;
let pointer: ChartPointer;
let crosshair: Partial<Crosshair> = {};

beforeAll(letChartsBeDrawn);
beforeEach(async () => {
  ({ chart, data, host } = await drawnChart(bars, "1m"));
  pointer = new ChartPointer(chart, host, () => undefined);
  const execute = chart.executeAction.bind(chart);
  vi.spyOn(chart, "executeAction").mockImplementation((type, place) => {
    crosshair = place;
    execute(type, place);
  });
});
afterEach(() => {
  dispose(host);
  host.remove();
});

const width = () => chart.getSize("candle_pane", "main")!.width;
/** Presses a key a number of times and returns the minute of the bar that was read out last, counted from the first. */
function press(by: -1 | 1, times = 1): number {
  let at = NaN;
  for (let count = 0; count < times; count += 1) at = pointer.moveBy(by)!.timestamp;
  return (at - FIRST) / MINUTE;
}
/** Returns the whole candle under the crosshair, as its sides in px of the plot. */
const candle = () => ({ left: crosshair.x! - TEST_BAR_PX / 2, right: crosshair.x! + TEST_BAR_PX / 2 });

it("scrolls to a candle beyond either edge, and no further", async () => {
  expect(press(-1)).toBe(299);
  const { to } = chart.getVisibleRange();
  expect(press(-1, 50)).toBe(249);
  expect(chart.getVisibleRange().to).toBe(to);
  expect(press(-1, 150)).toBe(99);
  expect(candle().left).toBeGreaterThanOrEqual(-1);
  expect(candle().left).toBeLessThan(2);
  expect(press(-1, 200)).toBe(0);
  expect(candle().left).toBeGreaterThanOrEqual(-1);
  await laidOut();
  expect(press(1, 280)).toBe(280);
  expect(candle().right).toBeLessThanOrEqual(width() + 1);
  expect(candle().right).toBeGreaterThan(width() - 2);
});

it("begins at the newest candle in view, wherever the chart was moved to", async () => {
  chart.scrollByDistance(150 * TEST_BAR_PX, 0);
  await laidOut();
  expect(press(-1)).toBe(149);
  press(-1, 20);
  pointer.moveBy(null);
  expect(press(1)).toBe(149);
});

it("places the crosshair at the close in the scale of the candles that it has scrolled to", async () => {
  const rising = evenBars(FIRST, 300, 5 * MINUTE).map(({ time }, at): Bar => ({
    time,
    open: at,
    high: at,
    low: at,
    close: at,
  }));
  data.set(rising, "5m");
  await laidOut();
  press(-1, 250);
  await laidOut();
  const { y } = chart.convertToPixel({ value: 50 }, { paneId: "candle_pane" }) as { y: number };
  expect(crosshair.y).toBeCloseTo(y, 0);
});

it("stays on its candle when older ones are put in front", async () => {
  expect(press(-1, 300)).toBe(0);
  // The library asks for older ones at its edge.
  await laidOut();
  data.set([...evenBars(FIRST - 500 * MINUTE, 500, MINUTE), ...bars], "1m");
  await laidOut();
  expect(press(1)).toBe(1);
  expect(press(-1, 2)).toBe(-1);
  expect(candle().left).toBeGreaterThanOrEqual(-1);
});

it("stays at its time when the interval changes, and when the oldest candles are gone", async () => {
  press(-1, 100);
  const at = FIRST + 200 * MINUTE;
  data.set(evenBars(FIRST, 60, 5 * MINUTE), "5m");
  await laidOut();
  expect(pointer.moveBy(-1)?.timestamp).toBe(at - 5 * MINUTE);
  data.set(evenBars(FIRST + 250 * MINUTE, 50, MINUTE), "1m");
  await laidOut();
  expect(press(1)).toBe(251);
});

it("keeps to the candles in view of a chart that can't be scrolled", () => {
  chart.setScrollEnabled(false);
  const first = press(-1, 150);
  expect(first).toBeGreaterThan(195);
  expect(first).toBeLessThan(203);
  expect(crosshair.x).toBeGreaterThanOrEqual(0);
  expect(press(1)).toBe(first + 1);
});
