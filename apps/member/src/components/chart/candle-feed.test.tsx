// @vitest-environment jsdom
import { Toasts } from "@fairtick/ui";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setStreamUp } from "../../data/connection.ts";
import { prices } from "../../data/prices.ts";
import { activateAllWords } from "../../shared/i18n.ts";
import { navigateTo } from "../../shared/navigation.tsx";
import { serverNow } from "../../shared/server-clock.ts";
import { CandleFeed } from "./candle-feed.ts";
import type { Bar } from "./candle-series.ts";
import { clearShelf, keepBars, keptBars, loadAhead, stockUp } from "./candle-shelf.ts";

const SYMBOL = "EURUSD";
const MINUTE = 60_000;

/** The minute in which the test begins. */
let now = 0;
/** The requests made, newest last. */
let asked: { from: number | null; to: number | null }[] = [];
let answer: "candles" | "page" | "none" | "silence" | "refusal" | "cut" | "late" = "candles";
/** Gives a late answer. */
let release = () => {};
let bars: readonly Bar[] = [];
let failed = 0;
/** How many times live prices were drawn. */
let drawnLive = 0;
let feed: CandleFeed;
let seq = 0;

function serve(_url: string, { body, signal }: RequestInit): Promise<Response> {
  const fields = new URLSearchParams(body as string);
  const number = (name: string) => (fields.has(name) ? Number(fields.get(name)) : null);
  const [from, to] = [number("from"), number("to")];
  asked.push({ from, to });
  switch (answer) {
    case "cut":
      return Promise.reject(new TypeError("Failed to fetch"));
    case "silence":
      return new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
    case "refusal":
      return Promise.resolve(Response.json({ code: 422, msg: "Not now", data: { error: "CONFLICT" } }));
    case "late":
      return new Promise((resolve) => {
        release = () => resolve(Response.json({ code: 200, msg: "", data: [[from, "1", "1", "1", "1"]] }));
      });
    case "none":
      return Promise.resolve(Response.json({ code: 200, msg: "", data: [] }));
    case "candles":
    case "page": {
      const end = to ?? serverNow();
      // The server answers with the newest candles of a span, as many as were asked for.
      const most = answer === "page" ? number("limit")! - 1 : 10;
      const first = Math.max(from ?? 0, Math.floor(end / MINUTE) * MINUTE - most * MINUTE);
      const times = [];
      for (let time = Math.ceil(first / MINUTE) * MINUTE; time <= end; time += MINUTE) times.push(time);
      return Promise.resolve(
        Response.json({ code: 200, msg: "", data: times.map((time) => [time, "1", "1", "1", "1"]) }),
      );
    }
  }
}

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const tick = (at: number) => prices.take(SYMBOL, { seq: (seq += 1), at, price: "1.5" });

/** Returns the toast that appears within 5 s and removes it; empty if there is none. */
async function said(): Promise<string> {
  for (let waited = 0; waited < 5_000; waited += 250) {
    const words = screen.getByRole("status").textContent;
    if (words !== "") {
      await wait(2_000);
      return words;
    }
    await wait(250);
  }
  return "";
}

const newFeed = () =>
  new CandleFeed(SYMBOL, "1m", {
    onAll: (all) => {
      bars = all;
    },
    onNewest: (all) => {
      bars = all;
      drawnLive += 1;
    },
    onFailed: () => {
      failed += 1;
    },
  });

beforeEach(async () => {
  await activateAllWords("en");
  vi.useFakeTimers();
  // Begun at the end of a minute, a test would see more minutes pass than it waits for.
  await vi.advanceTimersByTimeAsync(MINUTE - (serverNow() % MINUTE));
  vi.stubGlobal("fetch", serve);
  navigateTo(`/pages/trade/index?${Math.random()}`);
  render(<Toasts />);
  now = Math.floor(serverNow() / MINUTE) * MINUTE;
  clearShelf();
  asked = [];
  bars = [];
  failed = 0;
  drawnLive = 0;
  answer = "candles";
  feed = newFeed();
});
afterEach(async () => {
  feed.stop();
  await vi.advanceTimersByTimeAsync(70_000);
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/**
 * Draws candles, then lets five minutes pass without a price. The next price shows a gap, which `how` keeps from
 * closing.
 */
async function missAGap(how: typeof answer): Promise<void> {
  feed.start();
  await wait(0);
  expect(bars.length).toBeGreaterThan(5);
  answer = how;
  asked = [];
  await wait(5 * MINUTE);
  tick(now + 5 * MINUTE + 1);
  await wait(0);
  expect(asked).toHaveLength(1);
}

it("loads a gap that timed out at the tap that its message asks for, even if a newer bar hides the gap by then", async () => {
  await missAGap("silence");
  await wait(60_000);
  expect(await said()).toBe("Connection timed out. Tap the screen to retry");
  const [gap] = asked;
  answer = "candles";
  document.body.click();
  await wait(0);
  expect(asked).toEqual([gap, gap]);
  const times = bars.map(({ time }) => time);
  for (let minute = 0; minute <= 5; minute += 1) expect(times).toContain(now + minute * MINUTE);
  expect(failed).toBe(0);
});

/** Draws candles up to the first one there is, and lets minutes pass without a price, until one shows the gap. */
async function sleepFor(minutes: number): Promise<void> {
  feed.start();
  await wait(0);
  answer = "none";
  feed.readOlder();
  await wait(0);
  answer = "page";
  asked = [];
  await wait(minutes * MINUTE);
  tick(now + minutes * MINUTE + 1);
  await wait(0);
  expect(asked).toEqual([{ from: now, to: null }]);
}

it("drops the bars before a gap longer than one answer, and loads them again when scrolled to", async () => {
  await sleepFor(600);
  const from = now + 101 * MINUTE;
  expect(bars.map(({ time }) => time)).toEqual(Array.from({ length: 500 }, (_, at) => from + at * MINUTE));
  expect(bars.at(-1)).toMatchObject({ close: 1.5 });
  // Everything is redrawn: a chart that only got the newest would keep what was dropped.
  expect(drawnLive).toBe(0);
  // That there are none before the first bar was known of another one.
  feed.readOlder();
  await wait(0);
  expect(asked.at(-1)).toEqual({ from: null, to: from - 1 });
  expect(bars.map(({ time }) => time)).toEqual(Array.from({ length: 1_000 }, (_, at) => from + (at - 500) * MINUTE));
});

it("keeps the bars before a gap that one answer just fills", async () => {
  await sleepFor(499);
  expect(bars[0]?.time).toBe(now - 10 * MINUTE);
  expect(bars).toHaveLength(510);
  feed.readOlder();
  await wait(0);
  expect(asked).toHaveLength(1);
});

it("retries a gap that found no server after ten seconds, and when the server is back", async () => {
  await missAGap("cut");
  expect(await said()).toBe("Nerwork Error");
  const tries = asked.length;
  await wait(10_000);
  expect(asked.length).toBeGreaterThan(tries);
  await wait(4_000);
  answer = "candles";
  setStreamUp(false);
  setStreamUp(true);
  await wait(0);
  expect(bars.map(({ time }) => time)).toContain(now + 3 * MINUTE);
});

it("reports a recurring background failure once", async () => {
  answer = "cut";
  feed.start();
  expect(await said()).toBe("Nerwork Error");
  expect(failed).toBe(1);
  await wait(6_000);
  expect(await said()).toBe("");
  expect(failed).toBe(2);
  // The desktop's side panel has a chart too.
  const other = newFeed();
  other.start();
  expect(await said()).toBe("");
  other.stop();
});

it("doesn't retry what was refused, or after it has stopped", async () => {
  answer = "refusal";
  feed.start();
  await wait(0);
  expect(await said()).toBe("Not now");
  document.body.click();
  await wait(20_000);
  expect(asked).toHaveLength(1);
  feed.stop();
  answer = "silence";
  feed = newFeed();
  feed.start();
  await wait(60_000);
  feed.stop();
  document.body.click();
  await wait(20_000);
  expect(asked).toHaveLength(2);
});

it("draws no live price before the history, because a single candle has no scale", async () => {
  answer = "silence";
  feed.start();
  tick(now);
  await wait(100);
  tick(now + MINUTE);
  await wait(100);
  expect(drawnLive).toBe(0);
  await wait(60_000);
  // Two live bars aren't a history either: the chart reports that it has none.
  expect(failed).toBe(1);
  answer = "candles";
  document.body.click();
  await wait(0);
  expect(bars.length).toBeGreaterThan(5);
  expect(bars.at(-1)).toMatchObject({ time: now + MINUTE, close: 1.5 });
  tick(now + MINUTE + 1_000);
  await wait(100);
  expect(drawnLive).toBe(1);
});

it("loads the bars again in which ticks are missing, however short the interruption was", async () => {
  feed.start();
  await wait(0);
  tick(now + 5_000);
  asked = [];
  // The stream left out forty ticks, and with them the end of one bar and the beginning of the next.
  seq += 40;
  await wait(MINUTE);
  tick(now + MINUTE + 10_000);
  await wait(100);
  expect(bars.at(-1)).toMatchObject({ time: now + MINUTE, open: 1.5 });
  await wait(1_000);
  expect(asked).toEqual([{ from: now, to: null }]);
  expect(bars.at(-1)).toMatchObject({ time: now + MINUTE, open: 1, close: 1.5 });
  expect(bars.at(-2)).toMatchObject({ time: now, high: 1 });
});

it("loads ticks that a slow line misses again and again about once a second", async () => {
  feed.start();
  await wait(0);
  tick(now);
  asked = [];
  for (let tenths = 0; tenths < 30; tenths += 1) {
    seq += 1;
    tick(now + tenths * 100);
    await wait(100);
  }
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.length).toBeLessThan(4);
});

it("loads ticks once more that were missed while an answer was on its way, and stores no bars before", async () => {
  feed.start();
  await wait(0);
  tick(now);
  asked = [];
  answer = "late";
  seq += 1;
  tick(now + 100);
  await wait(1_000);
  expect(asked).toHaveLength(1);
  seq += 1;
  tick(now + 1_200);
  await wait(1_500);
  // The answer may be older than the ticks missed since.
  release();
  await wait(1_000);
  expect(asked).toEqual([
    { from: now, to: null },
    { from: now, to: null },
  ]);
  clearShelf();
  feed.stop();
  expect(keptBars(SYMBOL, "1m", serverNow())).toEqual([]);
});

it("draws the stored bars of its interval at once, and loads only what has passed since", async () => {
  feed.start();
  await wait(0);
  const before = bars;
  feed.stop();
  await wait(3 * MINUTE);
  asked = [];
  bars = [];
  feed = newFeed();
  feed.start();
  expect(bars).toEqual(before);
  await wait(0);
  expect(asked).toEqual([{ from: now, to: null }]);
  expect(bars.map(({ time }) => time)).toEqual([
    ...before.map(({ time }) => time),
    ...[1, 2, 3].map((minute) => now + minute * MINUTE),
  ]);
});

it("takes bars that were requested before the chart was there, and then loads only what has passed since", async () => {
  loadAhead(SYMBOL, "1m", serverNow());
  loadAhead(SYMBOL, "1m", serverNow());
  feed.start();
  // Bars on their way may lack this price, so the bar is read once more.
  tick(serverNow());
  await wait(0);
  expect(bars.length).toBeGreaterThan(5);
  expect(asked.map(({ from }) => from)).toEqual([null, now]);
});

it("reports bars requested ahead that failed, and loads them again like any others", async () => {
  answer = "cut";
  loadAhead(SYMBOL, "1m", serverNow());
  feed.start();
  expect(await said()).toBe("Nerwork Error");
  expect(failed).toBe(1);
  answer = "candles";
  await wait(10_000);
  expect(bars.length).toBeGreaterThan(5);
});

it("stores no bars with a gap, and uses none that are too old", async () => {
  await missAGap("silence");
  feed.stop();
  expect(keptBars(SYMBOL, "1m", serverNow())).toEqual([]);
  keepBars(SYMBOL, "1m", [{ time: now, open: 1, high: 1, low: 1, close: 1 }]);
  expect(keptBars(SYMBOL, "1m", now + 400 * MINUTE)).toHaveLength(1);
  expect(keptBars(SYMBOL, "1m", now + 400 * MINUTE + 1)).toEqual([]);
});

it("preloads the other intervals one after another, and stops if one fails or the chart is gone", async () => {
  await stockUp(SYMBOL, "1m", serverNow, new AbortController().signal);
  expect(asked).toHaveLength(7);
  expect(keptBars(SYMBOL, "5m", serverNow())).not.toEqual([]);
  clearShelf();
  asked = [];
  const gone = new AbortController();
  gone.abort();
  await stockUp(SYMBOL, "1m", serverNow, gone.signal);
  expect(asked).toHaveLength(1);
  answer = "refusal";
  asked = [];
  await expect(stockUp(SYMBOL, "1m", serverNow, new AbortController().signal)).rejects.toThrow("Not now");
  expect(asked).toHaveLength(1);
});

it("preloads nothing if the member asked the browser to save data", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  await stockUp(SYMBOL, "1m", serverNow, new AbortController().signal);
  expect(asked).toEqual([]);
});
