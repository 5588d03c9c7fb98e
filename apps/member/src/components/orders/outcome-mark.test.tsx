import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { OutcomeMark } from "./OutcomeMark.tsx";

it("draws won, lost, tied and voided in different shapes, whatever their colours", () => {
  const shapes = (["won", "lost", "tied", "voided"] as const).map((outcome) =>
    renderToStaticMarkup(<OutcomeMark outcome={outcome} />).replaceAll(outcome, ""),
  );
  expect(new Set(shapes).size).toBe(4);
  expect(new Set(shapes.map((shape) => /d="([^"]*)"/.exec(shape)?.[1])).size).toBe(4);
});
