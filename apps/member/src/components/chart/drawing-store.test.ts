// @vitest-environment jsdom
import { afterEach, expect, test } from "vitest";
import { keepDrawings, keptDrawings, type Drawing } from "./drawing-store.ts";
import { openDrawingBook } from "./drawing-book.ts";
import { UndoHistory } from "./undo-history.ts";

const line: Drawing = {
  id: "one",
  tool: "trend",
  points: [
    { timestamp: 1, value: 1.1 },
    { timestamp: 2, value: 1.2 },
  ],
};

afterEach(() => {
  localStorage.clear();
});

test("drawings are stored by product, and removing the last leaves nothing behind", () => {
  keepDrawings("EURUSD", [line, { id: "two", tool: "text", points: [{ timestamp: 3, value: 2 }], text: "Here" }]);
  keepDrawings("BTCUSD", [line]);
  expect(keptDrawings("EURUSD").map(({ id, text }) => [id, text])).toEqual([
    ["one", undefined],
    ["two", "Here"],
  ]);
  keepDrawings("EURUSD", []);
  expect(keptDrawings("EURUSD")).toEqual([]);
  expect(JSON.parse(localStorage.getItem("fairtickDrawings") ?? "")).toEqual({ BTCUSD: [line] });
});

test("unreadable drawings are left out, and the rest is drawn", () => {
  const broken = [
    null,
    "line",
    { id: 3, tool: "trend", points: line.points },
    { id: "a", tool: "spiral", points: line.points },
    { id: "b", tool: "trend", points: [{ timestamp: "soon", value: 1 }] },
    line,
  ];
  localStorage.setItem("fairtickDrawings", JSON.stringify({ EURUSD: broken }));
  expect(keptDrawings("EURUSD")).toEqual([line]);
  localStorage.setItem("fairtickDrawings", "[[");
  expect(keptDrawings("EURUSD")).toEqual([]);
});

test("the newest hundred are stored for each product", () => {
  keepDrawings(
    "EURUSD",
    Array.from({ length: 130 }, (_, at) => ({ ...line, id: String(at) })),
  );
  expect(keptDrawings("EURUSD")).toHaveLength(100);
  expect(keptDrawings("EURUSD")[0]?.id).toBe("30");
});

test("steps can be undone and redone until a new step is made", () => {
  const history = new UndoHistory(0);
  history.push(1);
  history.push(2);
  expect([history.undo(), history.undo(), history.undo()]).toEqual([1, 0, 0]);
  expect([history.canUndo, history.canRedo]).toEqual([false, true]);
  expect(history.redo()).toBe(1);
  history.push(5);
  expect([history.now, history.canRedo, history.redo()]).toEqual([5, false, 5]);
});

test("charts of one product share its drawings and undo history, separately from other products", () => {
  const told: string[] = [];
  const books = (["EURUSD", "EURUSD", "BTCUSD"] as const).map((symbol, at) =>
    openDrawingBook(symbol, () => told.push(`${at}`)),
  );
  const [one, two, other] = books as [(typeof books)[0], (typeof books)[0], (typeof books)[0]];
  one.step([line]);
  expect(two.state().now).toEqual([line]);
  two.undo();
  expect([one.state().now, one.state().canRedo, keptDrawings("EURUSD")]).toEqual([[], true, []]);
  one.redo();
  expect([told, other.state().now, keptDrawings("EURUSD")]).toEqual([["1", "0", "1"], [], [line]]);
  two.close();
  one.undo();
  expect(told).toHaveLength(3);
  one.close();
  // Opened again, it starts with what is stored and nothing to undo.
  const later = openDrawingBook("EURUSD", () => undefined);
  expect([later.state().now, later.state().canUndo, later.state().canRedo]).toEqual([[], false, false]);
  later.close();
  other.close();
});
