// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { Gap } from "./Gap.tsx";

const onSize = vi.fn<(size: number) => void>();
const onReset = vi.fn<() => void>();

beforeAll(() => {
  // jsdom lacks it.
  Element.prototype.setPointerCapture = () => {};
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

function gap(
  more: { readonly isAfter?: boolean; readonly isShare?: boolean; readonly line?: "vertical" | "horizontal" } = {},
) {
  render(
    <Gap label="Width" line="vertical" size={264} min={224} max={360} onSize={onSize} onReset={onReset} {...more} />,
  );
  return screen.getByRole("separator", { name: "Width" });
}

it("moves by 8 px with the arrow keys and announces its position", () => {
  const separator = gap();
  expect(separator.getAttribute("aria-valuenow")).toBe("264");
  for (const key of ["ArrowRight", "ArrowLeft", "Home", "End"]) fireEvent.keyDown(separator, { key });
  expect(onSize.mock.calls).toEqual([[272], [256], [224], [360]]);
  fireEvent.keyDown(separator, { key: "ArrowUp" });
  expect(onSize).toHaveBeenCalledTimes(4);
});

it("shrinks a panel after it when it moves towards the panel", () => {
  fireEvent.keyDown(gap({ isAfter: true }), { key: "ArrowRight" });
  expect(onSize).toHaveBeenCalledWith(256);
});

it("follows the pointer within its bounds, and ignores a pointer that didn't press it", () => {
  const separator = gap();
  fireEvent.pointerMove(separator, { clientX: 500 });
  expect(onSize).not.toHaveBeenCalled();
  fireEvent.pointerDown(separator, { clientX: 100, button: 0 });
  fireEvent.pointerMove(separator, { clientX: 110 });
  fireEvent.pointerMove(separator, { clientX: 900 });
  fireEvent.lostPointerCapture(separator);
  fireEvent.pointerMove(separator, { clientX: 100 });
  expect(onSize.mock.calls).toEqual([[274], [360]]);
});

it("resets with a double click and with Delete", () => {
  const separator = gap({ line: "horizontal" });
  fireEvent.doubleClick(separator);
  fireEvent.keyDown(separator, { key: "Delete" });
  expect(onReset).toHaveBeenCalledTimes(2);
});

it("moves shares by percent of both panels' total size", () => {
  const separator = gap({ isShare: true });
  Object.defineProperty(separator.parentElement, "clientWidth", { value: 1000 });
  fireEvent.keyDown(separator, { key: "ArrowRight" });
  fireEvent.pointerDown(separator, { clientX: 100, button: 0 });
  fireEvent.pointerMove(separator, { clientX: 200 });
  expect(onSize.mock.calls).toEqual([[266], [274]]);
});
