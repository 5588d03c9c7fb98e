// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { quietMoment } from "./quiet-moment.ts";

/** Triggers the browser's next idle callback. */
let idle: (() => void) | null = null;
let isQuiet = false;

/** Dispatches a pointer event. `buttons` is 1 while a finger or the first button is down, as browsers report it. */
function pointer(type: string, buttons: number): void {
  // A chart may stop the propagation of its pointer events.
  document.body.addEventListener(type, (event) => event.stopPropagation(), { once: true });
  document.body.dispatchEvent(new MouseEvent(type, { bubbles: true, buttons }));
}

async function comeIdle(): Promise<void> {
  idle?.();
  await vi.advanceTimersByTimeAsync(0);
}

function ask(): void {
  isQuiet = false;
  void quietMoment().then(() => (isQuiet = true));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestIdleCallback", (callback: () => void) => (idle = callback));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a quiet moment", () => {
  test("comes when the page is idle, and not before", async () => {
    ask();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(isQuiet).toBe(false);
    await comeIdle();
    expect(isQuiet).toBe(true);
  });

  test("never comes during a drag, however idle the page is in between", async () => {
    ask();
    pointer("pointerdown", 1);
    await comeIdle();
    pointer("pointermove", 1);
    await comeIdle();
    expect(isQuiet).toBe(false);
    pointer("pointerup", 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(isQuiet).toBe(false);
    await comeIdle();
    expect(isQuiet).toBe(true);
  });

  test("waits for the end of a drag that began before the request", async () => {
    ask();
    pointer("pointermove", 1);
    await comeIdle();
    expect(isQuiet).toBe(false);
    pointer("pointercancel", 0);
    await vi.advanceTimersByTimeAsync(0);
    await comeIdle();
    expect(isQuiet).toBe(true);
  });

  test("comes after a while if the browser can't tell when it is idle", async () => {
    vi.unstubAllGlobals();
    ask();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(isQuiet).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(isQuiet).toBe(true);
  });
});
