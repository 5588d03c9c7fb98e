import { describe, expect, test } from "vitest";
import { barOf, gapStart, intervalMs, withHistory, withPrice, type Bar } from "./candle-series.ts";

const bar = (time: number, open: number, high: number, low: number, close: number): Bar => ({
  time,
  open,
  high,
  low,
  close,
});

test("a candle from the call becomes a bar", () => {
  expect(barOf([60_000, "1.10", "1.30", "1.00", "1.20"])).toEqual(bar(60_000, 1.1, 1.3, 1, 1.2));
});

describe("a live price", () => {
  const bars = [bar(0, 1, 2, 1, 2), bar(60_000, 2, 2, 2, 2)];

  test("widens the bar of its instant and becomes its close", () => {
    expect(withPrice(bars, 3, 119_999, intervalMs("1m")).at(-1)).toEqual(bar(60_000, 2, 3, 2, 3));
    expect(withPrice(bars, 1, 60_000, intervalMs("1m")).at(-1)).toEqual(bar(60_000, 2, 2, 1, 1));
  });

  test("opens the next bar at its boundary", () => {
    expect(withPrice(bars, 5, 120_000, intervalMs("1m"))).toEqual([...bars, bar(120_000, 5, 5, 5, 5)]);
  });

  test("older than the newest bar changes nothing", () => {
    expect(withPrice(bars, 9, 59_999, intervalMs("1m"))).toBe(bars);
  });

  test("starts a chart without history", () => {
    expect(withPrice([], 4, 61_234, intervalMs("1m"))).toEqual([bar(60_000, 4, 4, 4, 4)]);
  });
});

describe("history after a gap", () => {
  test("replaces what the phone saw only in part and keeps the bars around it", () => {
    const seen = [bar(0, 1, 1, 1, 1), bar(1000, 1, 1, 1, 1), bar(5000, 4, 4, 4, 4), bar(6000, 5, 5, 5, 5)];
    const fetched = [bar(1000, 1, 3, 1, 2), bar(2000, 2, 2, 2, 2), bar(3000, 3, 3, 3, 3), bar(5000, 3, 5, 3, 4)];
    expect(withHistory(seen, fetched)).toEqual([bar(0, 1, 1, 1, 1), ...fetched, bar(6000, 5, 5, 5, 5)]);
  });

  test("keeps the live close of the newest bar", () => {
    const live = [bar(1000, 2, 6, 2, 6)];
    expect(withHistory(live, [bar(1000, 1, 4, 1, 4)])).toEqual([bar(1000, 1, 6, 1, 6)]);
  });

  test("is requested once a whole bar may be missing", () => {
    const bars = [bar(60_000, 1, 1, 1, 1)];
    expect(gapStart(bars, 179_999, 60_000)).toBeNull();
    expect(gapStart(bars, 180_000, 60_000)).toBe(60_000);
    expect(gapStart([], 180_000, 60_000)).toBeNull();
  });
});
