import { describe, expect, it } from "vitest";
import { barsOfTrail, trailBarMs, withNewer } from "./trail-bars.ts";

describe("the length of a bar", () => {
  it.each([
    [75_000, 500],
    [37_500, 250],
    [180_000, 1_000],
    [3_600_000, 20_000],
    [86_400_000, 60_000],
  ])("of a span of %i ms is %i ms", (span, length) => {
    expect(trailBarMs(span)).toBe(length);
  });
});

const bar = (time: number, close: number, open = close) => ({
  time,
  open,
  high: Math.max(open, close),
  low: Math.min(open, close),
  close,
});

describe("bars of a trail", () => {
  it("begin with the previous close, and repeat it if no price came", () => {
    const points = [
      { at: 1_100, price: 5 },
      { at: 1_400, price: 7 },
      { at: 3_200, price: 6 },
    ];
    expect(barsOfTrail(points, 1_000)).toEqual([
      { time: 1_000, open: 5, high: 7, low: 5, close: 7 },
      bar(2_000, 7),
      bar(3_000, 6, 7),
    ]);
  });

  it("don't exist without prices", () => {
    expect(barsOfTrail([], 500)).toEqual([]);
  });
});

describe("newer bars", () => {
  const drawn = [bar(1, 5), bar(2, 6, 5), bar(3, 7, 6)];

  it("are appended to the drawn ones, which keep what moved out on the left", () => {
    expect(withNewer(drawn, [bar(2, 6), bar(3, 8, 6), bar(4, 9, 8)])).toEqual([
      bar(1, 5),
      bar(2, 6, 5),
      bar(3, 8, 6),
      bar(4, 9, 8),
    ]);
  });

  it("that come with older ones require a full redraw", () => {
    expect(withNewer(drawn, [bar(0, 4), ...drawn])).toBeNull();
  });

  it("that correct a bar in between require a full redraw", () => {
    expect(withNewer(drawn, [bar(1, 5), bar(2, 9, 5), bar(3, 7, 9)])).toBeNull();
  });

  it("that don't connect to the drawn ones require a full redraw", () => {
    expect(withNewer(drawn, [bar(9, 5)])).toBeNull();
    expect(withNewer([], drawn)).toBeNull();
  });
});
