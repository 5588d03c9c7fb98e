import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CANDLE_INTERVALS,
  candlesFromTicks,
  candleStart,
  changeToday,
  mergeCandles,
  type CandleInterval,
} from "./candle.ts";
import type { Points } from "./price.ts";
import type { Instant } from "../base/time.ts";

const tick = (time: number, price: number): { time: Instant; price: Points } => {
  return { time: BigInt(time) as Instant, price: BigInt(price) as Points };
};

describe("candles", () => {
  it("count a tick at a boundary in the interval that begins there", () => {
    const ticks = [tick(59_999, 5), tick(60_000, 7), tick(60_500, 9), tick(119_999, 6), tick(180_000, 1)];
    expect(candlesFromTicks(ticks, "1m")).toEqual([
      { time: 0n, open: 5n, high: 5n, low: 5n, close: 5n },
      { time: 60_000n, open: 7n, high: 9n, low: 6n, close: 6n },
      { time: 180_000n, open: 1n, high: 1n, low: 1n, close: 1n },
    ]);
  });

  it("begin at multiples of their interval since 1970 UTC, also before 1970", () => {
    expect(candleStart(-1n as Instant, "1m")).toBe(-60_000n);
    expect(candleStart(86_400_000n as Instant, "1d")).toBe(86_400_000n);
  });

  it("throw when ticks go back in time", () => {
    expect(() => candlesFromTicks([tick(60_000, 1), tick(1, 1)], "1m")).toThrow(/order of time/);
  });

  it("are the same from ticks, from smaller candles and one tick at a time", () => {
    const names = Object.keys(CANDLE_INTERVALS) as CandleInterval[];
    const steps = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 400_000 }), price: fc.integer({ min: 1, max: 99 }) }),
      {
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(steps, fc.constantFrom<CandleInterval>(...names), fc.nat(), (list, interval, pick) => {
        let time = 0;
        const ticks = list.map(({ gap, price }) => tick((time += gap), price));
        const whole = candlesFromTicks(ticks, interval);
        const smaller = names[pick % (names.indexOf(interval) + 1)]!;
        expect(mergeCandles(candlesFromTicks(ticks, smaller), interval)).toEqual(whole);
      }),
    );
  });
});

it.each([
  [110n, 100n, 100_000n],
  [100n, 100n, 0n],
  [99n, 100n, -10_000n],
  [1n, 3n, -666_667n],
  [4n, 3n, 333_333n],
  [null, 3n, null],
  [4n, null, null],
])("row %#: today's change is against the open of the UTC day, in millionths", (price, open, change) => {
  expect(changeToday(price as Points | null, open as Points | null)).toBe(change);
});
