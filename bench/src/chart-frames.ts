import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "@fairtick/postgres";
import { type Browser, chromium, type Page } from "playwright-core";
import { BROWSER } from "@fairtick/testkit/browser";
import { buildStaleApps } from "../../scripts/build-app.ts";
import { findChromium } from "../../scripts/chromium.ts";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { BLANK_FRAMES, BARE_CHART, DRAG, type Dragged, INTERVAL_SWITCH } from "./chart-frames-page.ts";
import { QUIET } from "./home-route.ts";
import { median, quantile, spread } from "./pairs.ts";
import { feedTicks } from "./prices-on-screen.ts";
import type { Figure } from "./report.ts";
import { startProduct } from "./product.ts";

const CANDLES = 10_000;
const TICKS_PER_SECOND = 20;
const SLOWDOWN = 4;
const SETTLED_MS = 6_000;
const VIEWPORT = { width: 390, height: 844 };
const SYMBOL = "EURUSD";
const HOST = ".price-chart-host";
const LIBRARY = join(
  dirname(createRequire(join(import.meta.dirname, "../../apps/member/package.json")).resolve("klinecharts")),
  "umd/klinecharts.min.js",
);

/**
 * Measures the running product's chart while it is dragged over 10,000 candles with 20 ticks a second, in a browser
 * slowed four times. For comparison, it measures an empty page, which shows this browser's own frame times without a
 * graphics card, and the bare library with the same candles, ticks, size and drag. Also measures how long another
 * interval takes to be drawn.
 */
export const chartFrames: Benchmark = { name: "chart-frames", run };

async function run({ quick }: BenchmarkOptions): Promise<BenchmarkResult> {
  const found = findChromium();
  if (!found.ok) throw new Error(found.sentence);
  await buildStaleApps();
  const folder = mkdtempSync(join(tmpdir(), "fairtick-bench-chart-"));
  const product = await startProduct(folder, await freePort());
  const browser = await chromium.launch({ executablePath: BROWSER.path, args: QUIET });
  const forMs = quick ? 3_000 : 10_000;
  const [empty, bare, ours]: [Dragged[], Dragged[], Dragged[]] = [[], [], []];
  const switches: number[] = [];
  let blank = 0;
  try {
    for (let round = 0; round < (quick ? 1 : 5); round += 1) {
      const own = await dragOurs(browser, product.url, forMs);
      ours.push(own.dragged);
      bare.push(await dragBare(browser, own.size, forMs));
      empty.push(await dragEmpty(browser, own.size, forMs));
      const switched = await switchIntervals(browser, product.url);
      switches.push(...switched.tookMs);
      blank += switched.blank;
    }
    return {
      settings: { candles: CANDLES, ticksPerSecond: TICKS_PER_SECOND, slowdown: SLOWDOWN, forMs, rounds: ours.length },
      figures: [
        ...dragFigures(ours, bare, empty),
        {
          name: "another interval until it is drawn, the same slowdown: p95",
          value: quantile(switches, 0.95),
          unit: "ms",
          atMost: 150,
          noise: spread(switches),
        },
        { name: "blank frames while intervals change", value: blank, unit: "", atMost: 0 },
      ],
    };
  } finally {
    await browser.close();
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the figures of the chart, the bare library and an empty page, round by round. */
function dragFigures(ours: readonly Dragged[], bare: readonly Dragged[], empty: readonly Dragged[]): Figure[] {
  const frames = (all: readonly Dragged[]) => all.map(({ frameMs }) => quantile(frameMs, 0.95));
  const work = (all: readonly Dragged[]) => all.map(({ workMs }) => quantile(workMs, 0.95));
  const told = (values: readonly number[]) => `${median(values).toFixed(1)} ms`;
  const ratios = work(ours).map((own, round) => own / (work(bare)[round] ?? Number.NaN));
  return [
    {
      name: "dragging 10,000 candles, processor slowed four times: frame p95",
      value: median(frames(ours)),
      unit: "ms",
      atMost: 16.7,
      baseline: `bare library ${told(frames(bare))}, empty page ${told(frames(empty))}`,
      noise: spread(frames(ours)),
    },
    {
      name: "the same: work of a frame, p95 / the bare library's",
      value: median(ratios),
      unit: "×",
      atMost: 1,
      baseline: `${told(work(ours))}; bare library ${told(work(bare))}, empty page ${told(work(empty))}`,
      noise: spread(ratios),
    },
  ];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

async function dragOurs(browser: Browser, url: string, forMs: number): Promise<{ dragged: Dragged; size: Size }> {
  const page = await browser.newPage({ viewport: VIEWPORT, bypassCSP: true });
  const feed = await feedTicks(page, url, TICKS_PER_SECOND);
  try {
    let interval: string | null = null;
    await page.route("**/client/market/candles", async (route) => {
      const asked = new URLSearchParams(route.request().postData() ?? "").get("interval");
      interval ??= asked;
      // The other intervals are prefetched and stay as they are.
      if (asked !== interval) return route.continue();
      const isOlder = (route.request().postData() ?? "").includes("to=");
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: readonly [number, ...string[]][] };
      const [, ...prices] = body.data.at(-1) ?? [0];
      const made = isOlder ? [] : madeCandles(Number(prices.at(-1)));
      const data = made.map((candle) => candle.map((part, at) => (at === 0 ? part : part.toFixed(5))));
      return route.fulfill({ response: answer, json: { ...body, data } });
    });
    await openChart(page, url);
    const size = await page.locator(HOST).boundingBox();
    if (size === null) throw new Error("the chart isn't drawn");
    return { dragged: await drag(page, HOST, forMs), size };
  } finally {
    feed.stop();
    await page.close();
  }
}

async function openChart(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/pages/trade/index?symbol=${SYMBOL}`);
  await page.locator("[data-testid=chart][data-state=shown]").waitFor();
  // The first visit also stores the app and prefetches, so wait until that is done.
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  await page.waitForTimeout(SETTLED_MS);
}

async function dragBare(browser: Browser, size: Size, forMs: number): Promise<Dragged> {
  const page = await framed(browser, size);
  try {
    await page.addScriptTag({ path: LIBRARY });
    const candles = JSON.stringify(madeCandles(1.085));
    await page.evaluate(`(${BARE_CHART})(${candles}, ${1_000 / TICKS_PER_SECOND})`);
    return await drag(page, "#place", forMs);
  } finally {
    await page.close();
  }
}

async function dragEmpty(browser: Browser, size: Size, forMs: number): Promise<Dragged> {
  const page = await framed(browser, size);
  try {
    return await drag(page, "#place", forMs);
  } finally {
    await page.close();
  }
}

async function framed(browser: Browser, { width, height }: Size): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.setContent(`<div id="place" style="width: ${width}px; height: ${height}px"></div>`);
  return page;
}

async function drag(page: Page, host: string, forMs: number): Promise<Dragged> {
  await slow(page);
  return page.evaluate<Dragged>(`(${DRAG})(${JSON.stringify(host)}, ${forMs})`);
}

async function slow(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

/**
 * Returns made-up one-minute candles up to now (time, open, high, low, close), always the same ones, ending near
 * `last`.
 */
function madeCandles(last: number): number[][] {
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  let random = 12_345;
  const step = () => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return ((random >> 8) % 41) - 20;
  };
  let close = last;
  const candles: number[][] = [];
  for (let index = 0; index < CANDLES; index += 1) {
    const open = close * (1 + step() / 100_000);
    const [high, low] = [Math.max(open, close) * 1.000_1, Math.min(open, close) * 0.999_9];
    candles.push([now - index * 60_000, open, high, low, close]);
    close = open;
  }
  return candles.toReversed();
}

/** Switches between intervals of real candles of the running product, each by its button. */
async function switchIntervals(browser: Browser, url: string): Promise<{ tookMs: number[]; blank: number }> {
  const page = await browser.newPage({ viewport: VIEWPORT, bypassCSP: true });
  const feed = await feedTicks(page, url, TICKS_PER_SECOND);
  try {
    await openChart(page, url);
    await slow(page);
    const tookMs = await page.evaluate<number[]>(
      `(${INTERVAL_SWITCH})(${JSON.stringify(["5s", "1m", "15s", "1s", "1m", "5m"])})`,
    );
    // Reading pixels takes longer than the frame itself, so blank frames are counted separately from the times.
    const blank = await page.evaluate<number>(`(${BLANK_FRAMES})(${JSON.stringify(["1m", "5s", "1m"])})`);
    return { tookMs, blank };
  } finally {
    feed.stop();
    await page.close();
  }
}
