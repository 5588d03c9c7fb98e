import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { untilStill } from "../steps/look.ts";
import { LIVELY } from "../steps/market.ts";
import { openOrderForm, placeByHand } from "../steps/ordering.ts";

const FOLDER = resolve(import.meta.dirname, "../../../docs/pictures", process.env["PICTURES"] ?? "now");
/** High enough that text stays sharp; a whole folder then takes 1.5 MB. */
const QUALITY = 70;

/** Saves a screenshot of the window as WebP. */
async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await untilStill(page);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  await session.detach();
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, `${name}.webp`), Buffer.from(data, "base64"));
}

/** Waits until every figure has loaded. */
async function settled(page: Page): Promise<void> {
  await expect(onScreen(page).locator("main").first()).toBeVisible();
  await expect(onScreen(page).locator(".wait")).toHaveCount(0);
}

async function shownChart(page: Page): Promise<void> {
  await expect(onScreen(page).getByTestId("chart").first()).toHaveAttribute("data-state", "shown");
}

test("phone: trade, order form, running, result, wallet, fairness", async ({ memberPage: page }) => {
  test.setTimeout(600_000);
  await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
  await shownChart(page);
  await settled(page);
  await take(page, "phone-trade");
  // The trade screen shows a price and an amount too, so open a screen without them before the order form.
  await open(page, "/pages/user/index");
  await expect(onScreen(page).getByTestId("live-price")).toHaveCount(0);
  await openOrderForm(page, LIVELY.symbol);
  await settled(page);
  await take(page, "phone-order");

  await placeByHand(page, { symbol: LIVELY.symbol, direction: "Up", amount: "100" });
  await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
  // By then the price's course is drawn as a line.
  await expect(onScreen(page).getByTestId("countdown")).toHaveText(/1[0-9]/);
  await expect(page.locator(".toast")).toHaveCount(0);
  await take(page, "phone-running");
  await expect(onScreen(page).getByTestId("outcome")).toHaveText(/Won|Lost|Tied/, { timeout: 60_000 });
  await expect(onScreen(page).getByTestId("verify-line")).toHaveAttribute("data-at-once", "ok");
  // A tap ends the animation.
  await onScreen(page).getByTestId("outcome").click();
  await expect(onScreen(page).getByTestId("result")).not.toHaveClass(/moves/);
  await take(page, "phone-result");

  for (const [route, name] of [
    ["/pages/user/index", "phone-wallet"],
    ["/pages/fairness/index", "phone-fairness"],
  ] as const) {
    await open(page, route);
    await settled(page);
    if (name === "phone-fairness") await expect(onScreen(page).getByTestId("fairness-counts")).toBeVisible();
    await take(page, name);
  }
});

test.describe("desktop", () => {
  test.use({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1, hasTouch: false, isMobile: false });

  test("the workspace with a running order, in both themes", async ({ memberPage: page }) => {
    await placeByHand(page, { symbol: LIVELY.symbol, direction: "Up", amount: "50", duration: "5 min" });
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
      await shownChart(page);
      await settled(page);
      await expect(page.locator(".toast")).toHaveCount(0);
      await take(page, theme === "light" ? "desk" : "desk-dark");
    }
  });
});
