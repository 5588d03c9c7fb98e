// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { prices } from "../../data/prices.ts";
import { holdPricesWhileMoved } from "./hold-prices.ts";

const redraw = vi.fn();
let seq = 0;
let place: HTMLElement;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  place = document.body.appendChild(document.createElement("div"));
  stop = holdPricesWhileMoved(place);
  prices.subscribe("EURUSD", "frame", redraw);
});
afterEach(() => {
  stop();
  vi.runAllTimers();
  vi.useRealTimers();
});

/** Sends ticks for half a second and returns how often they were drawn. */
function tick(): number {
  redraw.mockClear();
  for (let count = 0; count < 10; count += 1) {
    seq += 1;
    prices.take("EURUSD", { seq, at: seq, price: "1.1" });
    vi.advanceTimersByTime(50);
  }
  return redraw.mock.calls.length;
}

const send = (on: EventTarget, type: string) => on.dispatchEvent(new MouseEvent(type, { bubbles: true }));

it("holds prices while the chart is moved, and shows them as soon as it is released", () => {
  expect(tick()).toBe(10);
  send(place, "pointerdown");
  expect(tick()).toBe(10);
  send(place, "pointermove");
  expect(tick()).toBeLessThanOrEqual(1);
  redraw.mockClear();
  send(window, "pointerup");
  expect(redraw).toHaveBeenCalledTimes(1);
  expect(tick()).toBe(10);
});

it("doesn't hold prices while the mouse passes over the chart with no button pressed", () => {
  send(place, "pointermove");
  expect(tick()).toBe(10);
  send(place, "pointerdown");
  send(window, "pointerup");
  send(place, "pointermove");
  expect(tick()).toBe(10);
});

it("releases prices if the browser takes over the touch, and if the chart is removed", () => {
  for (const end of [() => send(window, "pointercancel"), stop]) {
    send(place, "pointerdown");
    send(place, "pointermove");
    expect(tick()).toBeLessThanOrEqual(1);
    end();
    expect(tick()).toBe(10);
  }
});
