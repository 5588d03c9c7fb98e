import type { Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";

declare global {
  interface Window {
    /** Which way each screen came, as the page said while it was drawn. */
    screenWays?: string[];
  }
}

/** Notes each transition that begins, and makes it last: what is done during one is surely done during one. */
async function slowTransitions(page: Page, lasts = "20s"): Promise<void> {
  await page.addInitScript((duration) => {
    const ways: string[] = [];
    window.screenWays = ways;
    const begin = document.startViewTransition.bind(document);
    document.startViewTransition = (draw) => {
      const change = begin(draw);
      void change.updateCallbackDone.then(() => ways.push(document.documentElement.dataset["way"] ?? ""));
      return change;
    };
    addEventListener("DOMContentLoaded", () => {
      const style = document.createElement("style");
      style.textContent = `::view-transition-old(root), ::view-transition-new(root) { animation-duration: ${duration} !important }`;
      document.head.append(style);
    });
  }, lasts);
}

const ways = (page: Page) => page.evaluate(() => window.screenWays ?? []);

/** A finger at a place of the screen, whatever lies there. */
async function touch(page: Page, name: string): Promise<void> {
  const box = await page.getByRole("link", { name, exact: true }).boundingBox();
  if (box === null) throw new Error(`${name} is not on the screen`);
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

test("a screen comes the way one went, and takes taps while it comes", async ({ memberPage: page }, info) => {
  await slowTransitions(page);
  await open(page, "/pages/home/index");
  await expect(onScreen(page).locator(".wait")).toHaveCount(0);
  await touch(page, "Market");
  await expect.poll(() => ways(page)).toEqual(["beside"]);
  await picture(page, info, "transitions-01-under-way");
  // While the first one lasts.
  await touch(page, "Mine");
  await expect(page).toHaveTitle("Mine");
  await expect.poll(() => ways(page)).toEqual(["beside", "beside"]);
  await onScreen(page).getByRole("link", { name: "Settings" }).tap();
  await expect.poll(() => ways(page)).toEqual(["beside", "beside", "forward"]);
  await onScreen(page).getByRole("button", { name: "Back" }).tap();
  await expect(page).toHaveTitle("Mine");
  await expect.poll(() => ways(page)).toEqual(["beside", "beside", "forward", "back"]);
});

test("nothing moves between screens where motion is to be reduced, nor beside a desk's header", async ({
  memberPage: page,
}) => {
  await slowTransitions(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, "/pages/home/index");
  await touch(page, "Market");
  await expect(page).toHaveTitle("Market");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Portfolio" }).click();
  await expect(page).toHaveTitle("Orders");
  expect(await ways(page)).toEqual([]);
});

test("a browser without view transitions shows each screen at once", async ({ memberPage: page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Document.prototype, "startViewTransition");
  });
  await open(page, "/pages/home/index");
  await touch(page, "Market");
  await expect(page).toHaveTitle("Market");
  await expect(onScreen(page).getByRole("searchbox")).toBeVisible();
});
