// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { drawnFrame } from "./drawn-frame.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

it("waits for a first view that is drawn long after the companions have loaded", async () => {
  const found = vi.fn<(frame: HTMLElement) => void>();
  void drawnFrame().then(found);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(found).not.toHaveBeenCalled();
  document.body.innerHTML = '<div class="app"><div class="screen"></div></div>';
  await vi.advanceTimersByTimeAsync(200);
  expect(found).toHaveBeenCalledWith(document.querySelector(".screen"));
});

it("takes a view that is there already", async () => {
  document.body.innerHTML = '<div class="app"><div class="screen"></div></div>';
  await expect(drawnFrame()).resolves.toBe(document.querySelector(".screen"));
});
