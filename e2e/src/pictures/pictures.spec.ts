import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, onScreen, open, stored, test } from "../steps/journey.ts";
import { untilStill } from "../steps/look.ts";
import { LIVELY } from "../steps/market.ts";
import { orderOf, placeByCall } from "../steps/members.ts";
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

/**
 * Visits the app until a page shows its own font. The browser must be allowed to cache it, which it isn't while requests
 * are intercepted: a page uses the font only if it has it within a tenth of a second.
 */
async function fetchFont(page: Page): Promise<void> {
  await page.context().unrouteAll();
  await open(page, "/pages/user/index");
  await expect.poll(() => stored(page, "fairtickFont")).toBe("kept");
  await expect(async () => {
    await page.reload();
    await settled(page);
    expect(await page.evaluate(showsOwnFont)).toBe(true);
  }).toPass();
}

/** Whether a text in the app's font is drawn in it and not in what the browser has instead. */
function showsOwnFont(): boolean {
  const [own, instead] = ['"Fairtick Sans", monospace', "monospace"].map((family) => {
    const text = document.createElement("span");
    text.style.cssText = `position: absolute; font: 40px ${family}`;
    text.textContent = "1.08";
    document.body.append(text);
    const { offsetWidth } = text;
    text.remove();
    return offsetWidth;
  });
  return own !== instead;
}

async function shownChart(page: Page): Promise<void> {
  await expect(onScreen(page).getByTestId("chart").first()).toHaveAttribute("data-state", "shown");
}

test("phone: home, trade and full chart, in both themes", async ({ memberPage: page }) => {
  // As on an iPhone. The browser's own full screen would leave the emulated window.
  await page.addInitScript(() => {
    Reflect.deleteProperty(Element.prototype, "requestFullscreen");
  });
  await fetchFont(page);
  for (const theme of ["light", "dark"] as const) {
    const name = (screen: string) => (theme === "light" ? `phone-${screen}` : `phone-${screen}-dark`);
    await page.emulateMedia({ colorScheme: theme });
    await open(page, "/pages/index/index");
    await expect(onScreen(page).locator(".home-ranking").getByText("EUR/USD").first()).toBeVisible();
    await settled(page);
    await take(page, name("home"));
    await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
    await shownChart(page);
    await settled(page);
    await take(page, name("trade"));
    await onScreen(page).getByRole("button", { name: "Full screen" }).click();
    await expect(onScreen(page).locator(".chart-panel.full")).toBeVisible();
    await take(page, name("chart"));
    await page.keyboard.press("Escape");
    await expect(onScreen(page).locator(".chart-panel.full")).toHaveCount(0);
  }
});

test("phone: order form, running, won and lost, wallet, fairness", async ({ memberPage: page, member }) => {
  test.setTimeout(600_000);
  await fetchFont(page);
  await openOrderForm(page, LIVELY.symbol);
  await settled(page);
  await take(page, "phone-order");

  const up = await placeByHand(page, { symbol: LIVELY.symbol, direction: "Up", amount: "100" });
  const down = await placeByCall(member, { symbol: LIVELY.symbol, direction: "down", stake: "100.00" });
  await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
  // By then the price's course is drawn as a line.
  await expect(onScreen(page).getByTestId("countdown")).toHaveText(/1[0-9]/);
  await expect(page.locator(".toast")).toHaveCount(0);
  await take(page, "phone-running");
  const outcome = onScreen(page).getByTestId("outcome");
  await expect(outcome).toHaveText(/Won|Lost|Tied/, { timeout: 60_000 });
  await expect.poll(async () => (await orderOf(member, down.orderNo)).state, { timeout: 60_000 }).toBe("settled");
  for (const orderNo of [up, down.orderNo]) {
    await open(page, `/pages/trade/trade?orderNo=${orderNo}`);
    const { outcome: ended } = await orderOf(member, orderNo);
    await expect(outcome).toHaveText(new RegExp(`^${ended ?? ""}$`, "i"));
    await expect(onScreen(page).getByTestId("verify-line")).toHaveAttribute("data-at-once", "ok");
    // A tap ends the animation.
    await outcome.click();
    await expect(onScreen(page).getByTestId("result")).not.toHaveClass(/moves/);
    // The click above may have scrolled it.
    await onScreen(page)
      .locator("main")
      .evaluate((main) => main.scrollTo(0, 0));
    await take(page, ended === "lost" ? "phone-lost" : "phone-result");
  }

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

for (const { name, width, height } of [
  { name: "tablet", width: 1024, height: 768 },
  { name: "desk", width: 1440, height: 900 },
  { name: "wide", width: 1920, height: 1080 },
]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height }, deviceScaleFactor: 1, hasTouch: false, isMobile: false });

    test("the workspace with a running order, in both themes", async ({ memberPage: page }) => {
      await fetchFont(page);
      await placeByHand(page, { symbol: LIVELY.symbol, direction: "Up", amount: "50", duration: "5 min" });
      for (const theme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
        await shownChart(page);
        await settled(page);
        await expect(page.locator(".toast")).toHaveCount(0);
        await take(page, theme === "light" ? name : `${name}-dark`);
      }
    });
  });
}
