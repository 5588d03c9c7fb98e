// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { showToast, Toasts } from "./toast.tsx";

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
/** What is told is on the screen with the next frame. */
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

it("stands for a second and a half, or as long as it was told", () => {
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

it("gives way to the next one, which has its whole time", () => {
  say("Nerwork Error");
  pass(1_000);
  say("Order successful");
  expect(said()).toBe("Order successful");
  pass(1_400);
  expect(said()).toBe("Order successful");
  pass(100);
  expect(said()).toBe("");
});

it("told before anything is drawn, has its whole time from the first drawing on", () => {
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
