import { expect, test } from "vitest";
import { formatFigure, formatWritten } from "./chart-figures.ts";

test.each([
  ["-0.000012", "−0.000012"],
  ["-0.0000", "0.0000"],
  ["0.00", "0.00"],
  ["-10", "−10"],
  ["n/a", "n/a"],
])("the library's %s is written %s", (written, shown) => {
  expect(formatWritten(written)).toBe(shown);
});

test("a figure that is rounded to zero has no sign", () => {
  expect(formatFigure(-0.000_04, 4)).toBe("0.0000");
  expect(formatFigure(-0.000_06, 4)).toBe("−0.0001");
});
