import { expect, test } from "vitest";
import { ALWAYS, spanOf } from "./date-span.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const choice = (fromDay: string, toDay: string) => ({ name: "chosen" as const, fromDay, toDay });

test("today begins at 00:00 UTC, a week is seven days including today, a month thirty", () => {
  expect(spanOf({ ...ALWAYS, name: "today" }, NOON)).toEqual({ from: Date.UTC(2026, 10, 20) });
  expect(spanOf({ ...ALWAYS, name: "week" }, NOON)).toEqual({ from: Date.UTC(2026, 10, 14) });
  expect(spanOf({ ...ALWAYS, name: "month" }, NOON)).toEqual({ from: Date.UTC(2026, 9, 22) });
  expect(spanOf(ALWAYS, NOON)).toEqual({});
});

test("chosen days are both included, and either side may be open", () => {
  expect(spanOf(choice("2026-11-01", "2026-11-02"), NOON)).toEqual({
    from: Date.UTC(2026, 10, 1),
    to: Date.UTC(2026, 10, 3) - 1,
  });
  expect(spanOf(choice("", "2026-11-02"), NOON)).toEqual({ to: Date.UTC(2026, 10, 3) - 1 });
  expect(spanOf(choice("", ""), NOON)).toEqual({});
});

test("days in the wrong order show only the first, because a call with such a span would be refused", () => {
  expect(spanOf(choice("2026-11-05", "2026-11-02"), NOON)).toEqual({
    from: Date.UTC(2026, 10, 5),
    to: Date.UTC(2026, 10, 6) - 1,
  });
});
