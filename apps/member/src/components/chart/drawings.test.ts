// @vitest-environment jsdom
import { dispose, type Chart } from "klinecharts";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { NO_DRAWINGS, type DrawingState } from "./drawing-state.ts";
import { keepDrawings, keptDrawings, type Drawing } from "./drawing-store.ts";
import { Drawings } from "./drawings.ts";
import { drawnChart, evenBars, letChartsBeDrawn } from "./testing.ts";

const SYMBOL = "EURUSD";
const MINUTE = 60_000;
const line: Drawing = {
  id: "one",
  tool: "trend",
  points: [
    { timestamp: 10 * MINUTE, value: 1.1 },
    { timestamp: 20 * MINUTE, value: 1.2 },
  ],
};

let chart: Chart;
let host: HTMLElement;
let drawings: Drawings;
let state: DrawingState = NO_DRAWINGS;
const areVisible = () => chart.getOverlays({ groupId: "drawings" }).map(({ visible }) => visible);
/** Stores a product's drawings as another tab does: this one is only told that they have changed. */
function storeInAnotherTab(all: readonly Drawing[], symbol = SYMBOL): void {
  keepDrawings(symbol, all);
  dispatchEvent(new StorageEvent("storage", { key: "fairtickDrawings" }));
}

beforeAll(letChartsBeDrawn);
beforeEach(async () => {
  keepDrawings(SYMBOL, [line, { ...line, id: "two" }]);
  ({ chart, host } = await drawnChart(evenBars(0, 60, MINUTE), "1m"));
  state = NO_DRAWINGS;
  drawings = new Drawings(chart, host, SYMBOL, (told) => {
    state = told;
  });
  drawings.show();
});
afterEach(() => {
  drawings.destroy();
  dispose(host);
  host.remove();
  localStorage.clear();
});

it("shows the hidden drawings as soon as a new one is started", () => {
  drawings.hide(true);
  expect(areVisible()).toEqual([false, false]);
  drawings.start("trend");
  expect(areVisible()).toEqual([true, true, true]);
  expect(state).toMatchObject({ tool: "trend", hidden: false });
});

it("keeps drawings hidden that are undone and redone, and shows all of them again", () => {
  drawings.remove("two");
  drawings.hide(true);
  drawings.undo();
  expect([areVisible(), state.hidden]).toEqual([[false, false], true]);
  drawings.hide(false);
  expect([areVisible(), state.hidden]).toEqual([[true, true], false]);
});

it("shows what another tab stored, and never undoes it", () => {
  drawings.remove("two");
  expect(state).toMatchObject({ count: 1, canUndo: true });
  storeInAnotherTab([line, { ...line, id: "three" }, { ...line, id: "four" }]);
  expect(chart.getOverlays({ groupId: "drawings" }).map(({ id }) => id)).toEqual(["one", "three", "four"]);
  expect(state).toMatchObject({ count: 3, canUndo: false, canRedo: false });
  drawings.remove("four");
  expect(keptDrawings(SYMBOL).map(({ id }) => id)).toEqual(["one", "three"]);
});

it("keeps its steps while another tab draws on another product or stores something else", () => {
  drawings.remove("two");
  storeInAnotherTab([line], "BTCUSD");
  dispatchEvent(new StorageEvent("storage", { key: "fairtickDesk" }));
  expect(state).toMatchObject({ count: 1, canUndo: true });
  drawings.undo();
  expect([keptDrawings(SYMBOL).length, keptDrawings("BTCUSD").length]).toEqual([2, 1]);
});

it("has no drawings left once another tab has cleared the storage", () => {
  localStorage.clear();
  dispatchEvent(new StorageEvent("storage", { key: null }));
  expect(chart.getOverlays({ groupId: "drawings" })).toEqual([]);
  expect(state).toMatchObject({ count: 0, canUndo: false });
});
