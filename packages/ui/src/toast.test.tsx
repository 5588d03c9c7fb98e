// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { showToast, Toasts } from "./toast.tsx";

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
const said = () => screen.getByRole("status").textContent;

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toasts />);
});
afterEach(() => {
  pass(10_000);
  cleanup();
  vi.useRealTimers();
});

it("stands for a second and a half, or as long as it was told", () => {
  act(() => showToast("Operation successful"));
  pass(1_499);
  expect(said()).toBe("Operation successful");
  pass(1);
  expect(said()).toBe("");
  act(() => showToast("Login expired, please log in again", 1_800));
  pass(1_799);
  expect(said()).toBe("Login expired, please log in again");
  pass(1);
  expect(said()).toBe("");
});

it("gives way to the next one, which has its whole time", () => {
  act(() => showToast("Nerwork Error"));
  pass(1_000);
  act(() => showToast("Order successful"));
  expect(said()).toBe("Order successful");
  pass(1_400);
  expect(said()).toBe("Order successful");
  pass(100);
  expect(said()).toBe("");
});
