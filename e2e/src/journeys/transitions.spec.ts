import type { Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";

/** Touches the screen at a link's position, whatever is there. */
async function touch(page: Page, name: string): Promise<void> {
  const box = await page.getByRole("link", { name, exact: true }).boundingBox();
  if (box === null) throw new Error(`${name} is not on the screen`);
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

const movement = (page: Page) =>
  onScreen(page)
    .locator("main")
    .evaluate((main) => {
      const { animationName, animationDuration } = getComputedStyle(main);
      return `${animationName} ${animationDuration}`;
    });

/** Waits until the app has replaced the static first view, whose links lead to a screen without a transition. */
async function appStands(page: Page): Promise<void> {
  await expect(onScreen(page).locator("main")).toBeVisible();
  await expect(onScreen(page).locator(".wait")).toHaveCount(0);
}

test("a screen slides in and accepts taps meanwhile", async ({ memberPage: page }) => {
  await open(page, "/pages/home/index");
  await appStands(page);
  await touch(page, "Market");
  await expect(page).toHaveTitle("Market");
  await expect.poll(() => movement(page)).toBe("screen-comes 0.16s");
  for (const name of ["Mine", "Orders", "Home", "Market"]) {
    // As fast as a thumb: the previous screen is still moving.
    await touch(page, name);
    await expect(page).toHaveTitle(name);
  }
});

test("screens don't slide with reduced motion, nor at a desk", async ({ memberPage: page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, "/pages/home/index");
  await appStands(page);
  await touch(page, "Market");
  await expect(page).toHaveTitle("Market");
  await expect.poll(() => movement(page)).toBe("screen-comes 0s");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Portfolio" }).click();
  await expect(page).toHaveTitle("Orders");
  await expect.poll(() => movement(page)).toContain("none");
});
