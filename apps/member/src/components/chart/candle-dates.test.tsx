// @vitest-environment jsdom
import type { Instrument } from "@fairtick/protocol";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { dispose } from "klinecharts";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n, text } from "../../shared/i18n.ts";
import { timeTicks } from "./chart-axes.ts";
import { readColours } from "./chart-colours.ts";
import type { ChartController } from "./chart-controller.ts";
import { ChartView } from "./chart-view.ts";
import { ChartWords, spokenBar } from "./ChartWords.tsx";
import { drawnChart, drawnTexts, evenBars, laidOut, letChartsBeDrawn } from "./testing.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** The first of a hundred days. */
const FIRST = Date.UTC(2026, 7, 21);
const LAST = Date.UTC(2026, 10, 28);
const INSTRUMENT = {
  symbol: "EURUSD",
  name: "EUR/USD",
  decimals: 2,
  price: null,
  dayOpen: null,
  changeToday: null,
  spark: [],
} as unknown as Instrument;
const PRICES = { open: 1, close: 1, high: 1.5, low: 0.5 };
const WORDS = {
  open: "O",
  high: "H",
  low: "L",
  close: "C",
  upper: "U",
  middle: "M",
  lower: "L",
  signal: "S",
  average: "A",
  histogram: "H",
};

const datesDrawn = () => [...drawnTexts].filter((drawn) => /20\d\d/.test(drawn));

beforeAll(letChartsBeDrawn);
beforeEach(async () => {
  await activateAllWords("en");
  // There, a day's candle begins on the evening before.
  vi.stubEnv("TZ", "America/New_York");
  drawnTexts.clear();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe("west of Greenwich, a daily candle bears the date of its day in UTC", () => {
  it("at the crosshair", async () => {
    const host = document.body.appendChild(document.createElement("div"));
    const settings = {
      interval: "1d",
      type: "candles",
      log: false,
      countdown: false,
      ownOrders: false,
      indicators: [],
    } as const;
    const never = () => undefined;
    const view = new ChartView(
      host,
      { symbol: "EURUSD", decimals: 2, settings, colours: readColours(host), words: WORDS },
      { onOlder: never, onMoved: never, onDrawings: never, onSettledTap: never, onPointed: never },
    );
    view.setBars(evenBars(FIRST, 100, DAY), "1d");
    await laidOut();
    drawnTexts.clear();
    view.pointer.moveBy(-1);
    await laidOut();
    expect(datesDrawn()).toContain("Nov 28, 2026");
    // The hours of an interval that is still loading aren't those of the days in view.
    view.setSettings({ ...settings, interval: "1h" });
    drawnTexts.clear();
    view.pointer.moveBy(-1);
    await laidOut();
    expect(datesDrawn()).toContain("Nov 27, 2026");
    view.setBars(evenBars(LAST, 100, HOUR), "1h");
    view.pointer.moveBy(null);
    drawnTexts.clear();
    view.pointer.moveBy(-1);
    await laidOut();
    expect(datesDrawn()).toContain("Dec 1, 2026 22:00:00");
    view.destroy();
    host.remove();
  });

  it("below the chart", async () => {
    const { chart, host } = await drawnChart(evenBars(FIRST, 100, DAY), "1d");
    const ticks = timeTicks(chart, DAY);
    expect(ticks.length).toBeGreaterThan(3);
    const days = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
    expect(ticks.map((tick) => tick.text)).toEqual(ticks.map(({ value }) => days.format(value as number)));
    dispose(host);
    host.remove();
  });

  it("where it is read out, without the time at which that day began here", () => {
    expect(spokenBar(text, { ...PRICES, timestamp: LAST }, INSTRUMENT, "1d")).toMatch(/^Nov 28, 2026\D/);
    expect(spokenBar(text, { ...PRICES, timestamp: LAST }, INSTRUMENT, "1h")).toMatch(/^Nov 27, 2026, 19:00\D/);
  });

  it("in the description of the chart", () => {
    vi.stubGlobal("fetch", () => new Promise(() => undefined));
    const chart = { seen: () => ({ ...PRICES, count: 100, from: FIRST, to: LAST }) } as unknown as ChartController;
    render(
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <ChartWords instrument={INSTRUMENT} name="EUR/USD" chart={chart} interval="1d" />
        </QueryClientProvider>
      </I18nProvider>,
    );
    const words = screen.getByTestId("chart-words").textContent;
    expect(words).toContain("Aug 21, 2026");
    expect(words).toContain("Nov 28, 2026");
    expect(words).not.toContain("19:00");
  });
});
