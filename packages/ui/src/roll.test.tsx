// @vitest-environment jsdom
import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Roll } from "./roll.tsx";

let prefersStillness = false;

beforeEach(() => {
  prefersStillness = false;
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: prefersStillness }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
const digits = () => [...document.querySelectorAll(".roll > span")].map((digit) => digit.textContent);

it("rolls the figure's own digits for 200 ms after its delay, and is plain text from then on", () => {
  const { container } = render(<Roll figure="+84.00" after={200} />);
  expect(digits()).toEqual(["+", "8", "4", ".", "0", "0"]);
  pass(399);
  expect(digits()).toHaveLength(6);
  pass(1);
  expect(container.innerHTML).toBe("+84.00");
});

it("is plain text at once with reduced motion, or if its moment was cut short", () => {
  prefersStillness = true;
  expect(render(<Roll figure="+84.00" />).container.innerHTML).toBe("+84.00");
  cleanup();
  prefersStillness = false;
  const { container, rerender } = render(<Roll figure="+84.00" />);
  expect(digits()).toHaveLength(6);
  rerender(<Roll figure="+84.00" still />);
  expect(container.innerHTML).toBe("+84.00");
});
