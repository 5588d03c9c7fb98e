// @vitest-environment jsdom
import { expect, test } from "vitest";
import { changeChart, chartSettings, readSettings } from "./chart-settings.ts";
import { boundsOf, INDICATORS, readParams } from "./indicator-list.ts";

const usual = chartSettings("main");

test("settings of an earlier version are migrated", () => {
  const kept = { interval: "5m", type: "area", indicators: ["bollinger", "macd", "gone"] };
  expect(readSettings(kept, usual)).toMatchObject({
    interval: "5m",
    type: "area",
    indicators: [
      { name: "BOLL", params: [20, 2] },
      { name: "MACD", params: [12, 26, 9] },
    ],
  });
});

test("unreadable settings fall back to the default, each part separately", () => {
  expect(readSettings("?", usual)).toBe(usual);
  const kept = { interval: "2h", type: "hollow", log: "yes", indicators: [{ name: "RSI", params: [0] }, 7] };
  expect(readSettings(kept, usual)).toMatchObject({
    interval: usual.interval,
    type: "hollow",
    log: false,
    indicators: [{ name: "RSI", params: [14] }],
  });
});

test("each chart of a desktop keeps its own settings, with each indicator once and in the list's order", () => {
  changeChart(
    {
      interval: "1h",
      indicators: [
        { name: "RSI", params: [9] },
        { name: "MA", params: [5, 9] },
      ],
    },
    "second",
  );
  expect(chartSettings("second").indicators.map(({ name }) => name)).toEqual(["MA", "RSI"]);
  expect(chartSettings("main").interval).toBe(usual.interval);
  expect(JSON.parse(localStorage.getItem("fairtickChart2") ?? "")).toMatchObject({ interval: "1h" });
});

test("only parameters within their bounds are accepted", () => {
  expect(readParams("BOLL", [30, 2.5])).toEqual([30, 2.5]);
  expect(readParams("BOLL", [30, 2.4])).toEqual([20, 2]);
  expect(readParams("MA", [7])).toEqual([7, 25]);
  expect(readParams("RSI", [401])).toEqual([14]);
  expect(boundsOf("BOLL", 1)).toEqual({ least: 0.5, most: 5, step: 0.5 });
});

test("there are at least twelve indicators, each with its own parameters", () => {
  expect(INDICATORS.length).toBeGreaterThanOrEqual(12);
  for (const { name, params } of INDICATORS) expect(readParams(name, [...params])).toEqual(params);
});
