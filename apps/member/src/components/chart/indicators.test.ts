import { describe, expect, test } from "vitest";
import {
  bollingerBands,
  convergenceDivergence,
  exponentialAverage,
  movingAverage,
  relativeStrength,
} from "./indicators.ts";

// The worked example that StockCharts' ChartSchool publishes for the 14-day RSI, Wilder's smoothing.
const RSI_CLOSES = [
  44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931, 46.0328, 45.614,
  46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439, 46.2122, 46.2521, 45.7137, 46.4515, 45.7835, 45.3548,
  44.0288, 44.1783, 44.2181, 44.5672, 43.4205, 42.6628, 43.1314,
];
const RSI_PUBLISHED = [
  70.53, 66.32, 66.55, 69.41, 66.36, 57.97, 62.93, 63.26, 56.06, 62.38, 54.71, 50.42, 39.99, 41.46, 41.87, 45.46, 37.3,
  33.08, 37.77,
];
const line = Array.from({ length: 60 }, (_, at) => 100 + at);

describe("moving averages", () => {
  test("the simple one is the mean of the last closes and starts when there are enough", () => {
    expect(movingAverage([1, 2, 3, 4, 8], 3)).toEqual([null, null, 2, 3, 5]);
  });

  test("the exponential one starts as the simple one and then weighs the newest by 2 / (period + 1)", () => {
    expect(exponentialAverage([2, 4, 6, 10], 3)).toEqual([null, null, 4, 7]);
    expect(exponentialAverage([null, 2, 4, 6], 3)).toEqual([null, null, null, 4]);
  });
});

describe("Bollinger bands", () => {
  test("stand two standard deviations of the population from the mean", () => {
    const bands = bollingerBands([2, 4, 4, 4, 5, 5, 7, 9], 8, 2);
    expect([bands.lower.at(-1), bands.middle.at(-1), bands.upper.at(-1)]).toEqual([1, 5, 9]);
    expect(bands.upper.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => null));
  });

  test("lie on the average where nothing moves", () => {
    const bands = bollingerBands(Array.from({ length: 20 }, () => 3));
    expect([bands.lower.at(-1), bands.upper.at(-1)]).toEqual([3, 3]);
  });
});

describe("RSI", () => {
  test("equals the published worked example", () => {
    const figures = relativeStrength(RSI_CLOSES);
    expect(figures.slice(0, 14).every((figure) => figure === null)).toBe(true);
    expect(figures.slice(14).map((figure) => Number(figure?.toFixed(2)))).toEqual(RSI_PUBLISHED);
  });

  test("is 100 where it only rises, 0 where it only falls, 50 where nothing moves", () => {
    expect(relativeStrength(line).at(-1)).toBe(100);
    expect(relativeStrength(line.toReversed()).at(-1)).toBe(0);
    expect(relativeStrength(Array.from({ length: 20 }, () => 1)).at(-1)).toBe(50);
  });
});

describe("MACD", () => {
  test("of a straight line is the distance of the two averages' lags: (26 − 12) / 2", () => {
    const { macd, signal, histogram } = convergenceDivergence(line);
    expect(macd.at(24)).toBeNull();
    expect(macd.at(25)).toBeCloseTo(7, 9);
    expect(signal.at(32)).toBeNull();
    expect(signal.at(33)).toBeCloseTo(7, 9);
    expect(histogram.at(-1)).toBeCloseTo(0, 9);
  });
});
