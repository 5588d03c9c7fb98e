import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { expect, onScreen, open, stored, test } from "../steps/journey.ts";
import { LIVELY } from "../steps/market.ts";
import { notePainted, readCircles, readPainted } from "../steps/painted.ts";
import { placeByHand } from "../steps/ordering.ts";
import { drag } from "../steps/touch.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";

declare global {
  interface Window {
    /** How far down the chart each label of the corner's figures was last drawn, in px. */
    legendHeights?: Map<string, number>;
  }
}

const PNG = [0x89, 0x50, 0x4e, 0x47];

async function openChart(page: Page): Promise<void> {
  await open(page, "/pages/trade/index?symbol=EURUSD");
  await expect(onScreen(page).getByTestId("chart")).toHaveAttribute("data-state", "shown");
}

/** Opens the chart's tools at one of the tabs. */
async function openTools(page: Page, tab: "Indicators" | "Drawings" | "Style") {
  await onScreen(page)
    .getByRole("button", { name: /^Indicators: / })
    .click();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("tab", { name: tab }).click();
  return sheet;
}

async function closeTools(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** Returns the coordinates of a point given as fractions of the chart's width and height. */
async function placeInChart(page: Page, x: number, y: number): Promise<readonly [number, number]> {
  const box = await onScreen(page).locator(".price-chart-host").boundingBox();
  if (box === null) throw new Error("the chart isn't drawn");
  return [box.x + box.width * x, box.y + box.height * y];
}

/** Returns the number of points of each drawing stored on this device. */
async function keptPoints(page: Page): Promise<readonly number[]> {
  const kept = JSON.parse((await stored(page, "fairtickDrawings")) ?? "{}") as Record<string, { points: unknown[] }[]>;
  return (kept["EURUSD"] ?? []).map(({ points }) => points.length);
}

/** Sorted, because the chart keeps the drawing last pointed at as the last one. */
const sorted = (counts: readonly number[]) => counts.toSorted((one, other) => one - other);

/** Returns the time of each point of the newest drawing, in ms. */
async function newestTimes(page: Page): Promise<readonly number[]> {
  const kept = JSON.parse((await stored(page, "fairtickDrawings")) ?? "{}") as Record<
    string,
    { points: { timestamp: number }[] }[]
  >;
  return (kept["EURUSD"]?.at(-1)?.points ?? []).map(({ timestamp }) => timestamp);
}

/** Looks at each frame for a second, and answers in how many of them nothing was drawn on any of the chart's canvases. */
function countBlankFrames(): Promise<number> {
  const host = document.querySelector(".price-chart-host");
  const small = new OffscreenCanvas(60, 60);
  const context = small.getContext("2d", { willReadFrequently: true });
  if (host === null || context === null) throw new Error("the chart isn't drawn");
  return new Promise((resolve) => {
    const until = performance.now() + 1_000;
    let blank = 0;
    const look = () => {
      context.clearRect(0, 0, 60, 60);
      for (const canvas of host.querySelectorAll("canvas")) context.drawImage(canvas, 0, 0, 60, 60);
      if (!context.getImageData(0, 0, 60, 60).data.some((value) => value > 0)) blank += 1;
      if (performance.now() < until) requestAnimationFrame(look);
      else resolve(blank);
    };
    look();
  });
}

test("a chart describes what it shows and changes without a blank frame", { tag: "@desk" }, async ({ page }, info) => {
  await openChart(page);
  const screen = onScreen(page);
  const words = screen.getByTestId("chart-words");
  await expect(words).toContainText(/Last price 1\.\d+/);
  await expect(words).toContainText(
    /Candles in view: \d+, from .+ to .+, (rising|falling|sideways), high 1\.\d+, low 1\.\d+/,
  );
  await expectNoSidewaysScroll(page);
  await picture(page, info, "chart-01-candles");
  for (const interval of ["1m", "5s"]) {
    const blank = page.evaluate(countBlankFrames);
    await screen.getByRole("button", { name: interval, exact: true }).click();
    await expect(screen.getByTestId("chart")).toHaveAttribute("data-interval", interval);
    expect(await blank).toBe(0);
  }
});

/** Longer than the time between two descriptions of the chart. */
const WORDS_EVERY_MS = 6_000;

/** Returns how many candles the chart's description counts. */
async function candlesInView(page: Page): Promise<number> {
  const words = await onScreen(page).getByTestId("chart-words").textContent();
  return Number(/in view: (\d+)/.exec(words ?? "")?.[1]);
}

test("open, high, low and close stay in one line in the app's own font, whose digits are wider", async ({ page }) => {
  await page.addInitScript(() => {
    const heights = (window.legendHeights = new Map<string, number>());
    // oxlint-disable-next-line typescript/unbound-method -- called below with its context
    const fill = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function fillText(text, x, y, width) {
      if (/^[OHLC] $/.test(text)) heights.set(text, y);
      return width === undefined ? fill.call(this, text, x, y) : fill.call(this, text, x, y, width);
    };
  });
  await open(page, "/pages/home/index");
  await expect.poll(() => stored(page, "fairtickFont")).toBe("kept");
  await openChart(page);
  await expect(page.locator("html")).toHaveAttribute("data-font", "");
  const heights = () => page.evaluate(() => [...(window.legendHeights ?? [])]);
  await expect.poll(async () => (await heights()).length).toBe(4);
  expect(new Set((await heights()).map(([, y]) => y)).size).toBe(1);
});

test("the zoom stays with another interval, type or indicator", { tag: "@desk" }, async ({ page }) => {
  await openChart(page);
  const screen = onScreen(page);
  const chart = screen.getByTestId("chart");
  await screen.getByRole("button", { name: "1m", exact: true }).click();
  await expect(chart).toHaveAttribute("data-drawn", "1m");
  await expect.poll(() => candlesInView(page)).toBeGreaterThan(20);
  const wide = await candlesInView(page);
  await screen.getByRole("application").focus();
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press("+");
  // The description is written anew every few seconds, so its first change may be from between two presses.
  let close = wide;
  const hasSettled = async () => {
    const before = close;
    close = await candlesInView(page);
    return close === before && close < wide * 0.7;
  };
  await expect.poll(hasSettled, { intervals: [WORDS_EVERY_MS] }).toBe(true);
  // Wider price labels, such as those of an indicator, may take a candle's room.
  const expectZoom = async () => {
    await expect.poll(async () => Math.abs((await candlesInView(page)) - close)).toBeLessThanOrEqual(1);
  };

  await screen.getByRole("button", { name: "5s", exact: true }).click();
  await expect(chart).toHaveAttribute("data-drawn", "5s");
  await expectZoom();
  const style = await openTools(page, "Style");
  await style.getByRole("button", { name: "Heikin-Ashi" }).click();
  await closeTools(page);
  await expectZoom();
  const indicators = await openTools(page, "Indicators");
  await indicators.getByRole("switch", { name: "Relative strength index" }).click();
  await closeTools(page);
  await expectZoom();
});

test("dragging into the past loads older candles without a blank frame", { tag: "@desk" }, async ({ page }) => {
  const loaded: number[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith("/market/candles")) return;
    // The chart may still be loading when the page closes.
    const read = (await response.json().catch(() => null)) as { data: unknown[] } | null;
    loaded.push(read?.data.length ?? 0);
  });
  await openChart(page);
  const chart = onScreen(page).getByTestId("chart");
  await onScreen(page).getByRole("button", { name: "1m", exact: true }).click();
  await expect(chart).toHaveAttribute("data-drawn", "1m");
  loaded.length = 0;
  const [left, y] = await placeInChart(page, 0.2, 0.4);
  const [right] = await placeInChart(page, 0.9, 0.4);
  // A new product has the minutes of a day or two, in pages of 500.
  await expect(async () => {
    const blank = page.evaluate(countBlankFrames);
    await page.mouse.move(left, y);
    await page.mouse.down();
    await page.mouse.move(right, y, { steps: 8 });
    await page.mouse.up();
    expect(await blank).toBe(0);
    expect(loaded.reduce((sum, piece) => sum + piece, 0)).toBeGreaterThan(800);
  }).toPass();
});

test("every interval goes back 500 candles, and prices from before the opening are called examples", async ({
  page,
}) => {
  const loaded = new Map<string, number>();
  page.on("response", async (response) => {
    if (!response.url().endsWith("/market/candles")) return;
    const interval = new URLSearchParams(response.request().postData() ?? "").get("interval") ?? "";
    const read = (await response.json().catch(() => null)) as { data: unknown[] } | null;
    loaded.set(interval, Math.max(read?.data.length ?? 0, loaded.get(interval) ?? 0));
  });
  await notePainted(page);
  await openChart(page);
  const chart = onScreen(page).getByTestId("chart");
  for (const interval of ["1s", "5s", "15s", "1m", "5m", "15m", "1h", "1d"]) {
    await onScreen(page).getByRole("button", { name: interval, exact: true }).click();
    await expect(chart).toHaveAttribute("data-drawn", interval);
    await expect.poll(() => loaded.get(interval)).toBe(500);
  }
  await expect.poll(async () => (await readPainted(page)).texts).toContain("Example prices");
  await expect(onScreen(page).getByTestId("chart-words")).toContainText("are examples");
});

test("the price tag follows the price while the chart shows the past", { tag: "@desk" }, async ({ page }, info) => {
  await notePainted(page);
  await openChart(page);
  const [from, to] = [await placeInChart(page, 0.2, 0.4), await placeInChart(page, 0.9, 0.4)];
  await drag(page, from, to, info.project.use.hasTouch === true);
  await expect(onScreen(page).getByRole("button", { name: "Back to now" })).toBeVisible();
  const followed = new Set<string>();
  await expect
    .poll(async () => {
      const { texts, price } = await readPainted(page);
      if (texts.includes(price)) followed.add(price);
      return followed.size;
    })
    .toBeGreaterThanOrEqual(4);
});

test(
  "the chart's corner shows the candle under the mouse, and the newest one when the mouse has left",
  { tag: "@console" },
  async ({ page }) => {
    let candles: readonly (readonly [number, ...string[]])[] = [];
    page.on("response", async (response) => {
      const asked = new URLSearchParams(response.request().postData() ?? "");
      if (!response.url().endsWith("/market/candles") || asked.get("interval") !== "1m") return;
      candles = [...candles, ...((await response.json()) as { data: typeof candles }).data];
    });
    await notePainted(page);
    await openChart(page);
    await onScreen(page).getByRole("button", { name: "1m", exact: true }).click();
    await expect(onScreen(page).getByTestId("chart")).toHaveAttribute("data-drawn", "1m");
    /** Returns open, high, low and close as shown. */
    const shown = async () => {
      const { texts } = await readPainted(page);
      return ["O", "H", "L", "C"].map((word) => texts[texts.indexOf(`${word} `) + 1]);
    };
    /** Returns the time of the loaded candle whose figures are shown; null if there is none. */
    const shownTime = async () => {
      const figures = (await shown()).join();
      return candles.find(([, ...ohlc]) => ohlc.slice(0, 4).join() === figures)?.[0] ?? null;
    };
    const times: number[] = [];
    for (const x of [0.2, 0.4, 0.6]) {
      await page.mouse.move(...(await placeInChart(page, x, 0.5)));
      await expect.poll(shownTime).toBeGreaterThan(times.at(-1) ?? 0);
      times.push((await shownTime()) ?? 0);
    }
    const [first = 0, second = 0, third = 0] = times;
    // Equal distances on the screen are equal spans of time, to the minute.
    expect(Math.abs(second - first - (third - second))).toBeLessThanOrEqual(60_000);
    await page.mouse.move(0, 0);
    await expect.poll(async () => (await shown())[3] === (await readPainted(page)).price).toBe(true);
  },
);

test(
  "indicators with custom values, chart types and drawings are kept on the device",
  { tag: "@desk" },
  async ({ page }, info) => {
    await openChart(page);

    await test.step("an indicator is switched on, and its field reports a value out of bounds", async () => {
      const sheet = await openTools(page, "Indicators");
      expect(await sheet.getByRole("switch").count()).toBeGreaterThanOrEqual(12);
      await sheet.getByRole("switch", { name: "Relative strength index" }).click();
      await sheet.getByRole("button", { name: "Settings: Relative strength index" }).click();
      const value = sheet.getByLabel("Value 1", { exact: true });
      await value.fill("0");
      await expect(sheet.getByText(/^Enter \d+ to \d+$/)).toBeVisible();
      await value.fill("9");
      await value.blur();
      await expect(sheet.getByText(/^RSI · 9/)).toBeVisible();
      await expectAccessible(page, "chart indicators");
      await picture(page, info, "chart-02-indicators");
      await closeTools(page);
    });

    await test.step("a trend line is drawn with two taps", async () => {
      const sheet = await openTools(page, "Drawings");
      await expect(sheet.getByRole("button", { name: "Delete all drawings" })).toBeDisabled();
      await picture(page, info, "chart-03-drawings");
      await sheet.getByRole("button", { name: "Trend line" }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      // The two taps are less than half a second apart.
      for (const place of [await placeInChart(page, 0.2, 0.3), await placeInChart(page, 0.6, 0.2)])
        await (info.project.use.hasTouch ? page.touchscreen.tap(...place) : page.mouse.click(...place));
      await expect.poll(() => keptPoints(page)).toEqual([2]);
      await picture(page, info, "chart-04-drawn");
    });

    await test.step("type and scale change, and the picture can be saved", async () => {
      const sheet = await openTools(page, "Style");
      await sheet.getByRole("button", { name: "Heikin-Ashi" }).click();
      await sheet.getByRole("switch", { name: "Logarithmic scale" }).click();
      await expectAccessible(page, "chart style");
      const saved = page.waitForEvent("download");
      await sheet.getByRole("button", { name: "Save picture" }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toMatch(/^EURUSD-\w+-\d+\.png$/);
      expect([...readFileSync(await file.path()).subarray(0, 4)]).toEqual(PNG);
      await closeTools(page);
    });

    await test.step("everything is still there after a reload and can be undone", async () => {
      await page.reload();
      await expect(onScreen(page).getByTestId("chart")).toHaveAttribute("data-state", "shown");
      const style = await openTools(page, "Style");
      await expect(style.getByRole("button", { name: "Heikin-Ashi" })).toHaveAttribute("aria-pressed", "true");
      await expect(style.getByRole("switch", { name: "Logarithmic scale" })).toBeChecked();
      await style.getByRole("tab", { name: "Drawings" }).click();
      await picture(page, info, "chart-05-after-reload");
      await style.getByRole("button", { name: "Delete all drawings" }).click();
      await style.getByRole("button", { name: "Undo" }).click();
      await expect(style.getByRole("button", { name: "Delete all drawings" })).toBeEnabled();
      await style.getByRole("button", { name: "Redo" }).click();
      await expect(style.getByRole("button", { name: "Delete all drawings" })).toBeDisabled();
    });
  },
);

test(
  "a drawing is made by press, drag and release, without moving the chart, and goes on by taps",
  { tag: "@desk" },
  async ({ page }, info) => {
    await openChart(page);
    const choose = async (tool: string) => {
      const sheet = await openTools(page, "Drawings");
      await sheet.getByRole("button", { name: tool, exact: true }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
    };
    const isTouch = info.project.use.hasTouch === true;
    const from = await placeInChart(page, 0.2, 0.6);
    const to = await placeInChart(page, 0.6, 0.3);
    const back = onScreen(page).getByRole("button", { name: "Back to now" });

    await test.step("two points: from the press to the release", async () => {
      await choose("Trend line");
      await drag(page, from, to, isTouch);
      await expect.poll(() => keptPoints(page)).toEqual([2]);
      const [begin = 0, end = 0] = await newestTimes(page);
      // A candle spans five seconds and a few px, so the drag crossed many of them.
      expect(end - begin).toBeGreaterThan(60_000);
      await expect(back).toHaveCount(0);
      await picture(page, info, "chart-06-dragged");
    });
    await test.step("one point: where it is let go", async () => {
      await choose("Horizontal line");
      await drag(page, from, to, isTouch);
      await expect.poll(() => keptPoints(page).then(sorted)).toEqual([1, 2]);
    });
    await test.step("three points: two by the drag, and one by a tap", async () => {
      await choose("Parallel channel");
      await drag(page, from, to, isTouch);
      const [x, y] = await placeInChart(page, 0.4, 0.8);
      await (isTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
      await expect.poll(() => keptPoints(page).then(sorted)).toEqual([1, 2, 3]);
    });
    await test.step("with no tool chosen a drag moves the chart", async () => {
      // Beside what was drawn: a drag on a drawing moves that.
      await drag(page, await placeInChart(page, 0.1, 0.15), await placeInChart(page, 0.8, 0.15), isTouch);
      await expect(back).toBeVisible();
      expect(sorted(await keptPoints(page))).toEqual([1, 2, 3]);
      await back.click();
      await expect(back).toHaveCount(0);
    });
  },
);

/** The radius of a settled order's dot, in CSS pixels. */
const DOT = 5;

test(
  "a settled order is a dot that replays its path and leads to the order",
  { tag: "@desk" },
  async ({ memberPage: page }, info) => {
    const { symbol } = LIVELY;
    await notePainted(page);
    const orderNo = await placeByHand(page, { symbol, direction: "Up", amount: "20" });
    await expect(onScreen(page).getByTestId("outcome")).toHaveText(/Won|Lost|Tied/, { timeout: 60_000 });
    await open(page, `/pages/trade/index?symbol=${symbol}`);
    await expect(onScreen(page).getByTestId("chart")).toHaveAttribute("data-state", "shown");
    await expect.poll(() => readCircles(page, DOT)).toHaveLength(1);
    const line = onScreen(page).getByTestId("replay");
    // The dot moves with the chart, which grows as the line goes and steps with each new candle.
    const tapDot = () =>
      expect(async () => {
        const [place] = await readCircles(page, DOT);
        if (place === undefined) throw new Error("no dot is drawn");
        await page.mouse.click(...place);
        await expect(line).toBeVisible({ timeout: 1_000 });
      }).toPass();
    await tapDot();
    await expect(line).toContainText(/Replay: (?:Won|Lost|Tied) /);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, "a replay");
    await picture(page, info, "chart-05-replay");
    await line.getByRole("button").click();
    await expect(line).toHaveCount(0);
    await tapDot();
    await line.getByRole("link").click();
    await expect(page).toHaveURL(new RegExp(orderNo));
  },
);
