import type { Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectNoSidewaysScroll, violations } from "../steps/look.ts";

/** Adds faults that no screen may have: a button without a name, and text in its background's colour. */
async function plant(page: Page): Promise<void> {
  await onScreen(page)
    .locator("main")
    .evaluate((main) => {
      const button = document.createElement("button");
      const faint = Object.assign(document.createElement("p"), { textContent: "Nobody reads this" });
      Object.assign(faint.style, { color: "#eeeeee", background: "#ffffff" });
      for (const planted of [button, faint]) planted.dataset["planted"] = "";
      main.prepend(button, faint);
    });
}

async function weed(page: Page): Promise<void> {
  await page.locator("[data-planted]").evaluateAll((planted) => {
    for (const one of planted) one.remove();
  });
}

test("faults of a screen are found, also on the next screen and after a reload", async ({ page }) => {
  const steps = [
    { step: "/pages/notice/xieyi", title: "Privacy policy" },
    { step: "/pages/settings/index", title: "Settings" },
    { step: "reload", title: "Settings" },
  ];
  for (const { step, title } of steps) {
    if (step === "reload") await page.reload();
    else await open(page, step);
    // The screen before stays until the next one's code is there, and would be examined instead.
    await expect(onScreen(page).getByRole("heading", { name: title, level: 1 })).toBeVisible();
    await expect(onScreen(page).locator(".wait")).toHaveCount(0);
    expect(await violations(page), step).toEqual([]);
    await expectNoSidewaysScroll(page);
    await plant(page);
    const found = (await violations(page)).map((sentence) => sentence.split(":")[0]);
    expect(found, step).toEqual(expect.arrayContaining(["button-name", "color-contrast"]));
    await weed(page);
  }
});
