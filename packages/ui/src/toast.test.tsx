// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { showNews, showToast, Toasts } from "./toast.tsx";

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

it("news waits for the answer that is shown, and is shown for its full time afterwards", () => {
  say("Successfully set");
  act(() => showNews("EUR/USD has reached 1.08", 4_000));
  act(() => showNews("GBP/USD has reached 1.27", 4_000));
  expect(said()).toBe("Successfully set");
  pass(1_500);
  expect(said()).toBe("EUR/USD has reached 1.08");
  draw();
  pass(4_000);
  expect(said()).toBe("GBP/USD has reached 1.27");
  draw();
  pass(3_999);
  expect(said()).toBe("GBP/USD has reached 1.27");
  pass(1);
  expect(said()).toBe("");
});

it("an answer doesn't wait for news, which comes back afterwards, also if both came in one frame", () => {
  act(() => {
    showNews("EUR/USD has reached 1.08", 4_000);
    showToast("Successfully set");
  });
  draw();
  expect(said()).toBe("Successfully set");
  pass(1_500);
  expect(said()).toBe("EUR/USD has reached 1.08");
  draw();
  pass(4_000);
  expect(said()).toBe("");
});
