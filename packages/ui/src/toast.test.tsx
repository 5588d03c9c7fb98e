// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { showToast, Toasts } from "./toast.tsx";

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
/** Shows a toast, which appears with the next frame. */
function say(text: string, durationMs?: number): void {
  act(() => showToast(text, durationMs));
  draw();
}
function draw(): void {
  act(() => {
    vi.advanceTimersToNextFrame();
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

it("is shown for a second and a half, or for the given time", () => {
  say("Operation successful");
  pass(1_499);
  expect(said()).toBe("Operation successful");
  pass(1);
  expect(said()).toBe("");
  say("Login expired, please log in again", 1_800);
  pass(1_799);
  expect(said()).toBe("Login expired, please log in again");
  pass(1);
  expect(said()).toBe("");
});

it("is replaced by the next one, which is shown for its full time", () => {
  say("Nerwork Error");
  pass(1_000);
  say("Order successful");
  expect(said()).toBe("Order successful");
  pass(1_400);
  expect(said()).toBe("Order successful");
  pass(100);
  expect(said()).toBe("");
});

it("shown before the first frame, counts its full time from that frame", () => {
  cleanup();
  showToast("Login expired, please log in again", 1_800);
  pass(5_000);
  render(<Toasts />);
  draw();
  pass(1_799);
  expect(said()).toBe("Login expired, please log in again");
  pass(1);
  expect(said()).toBe("");
});
