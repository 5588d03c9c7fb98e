import type { Locator, Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { STEADY } from "../steps/market.ts";
import { PASSWORD } from "../steps/members.ts";

const TABS_MAX = 80;

/** Presses Tab until the focus is there, as one does who has no pointer. Everything on the way must show its focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let count = 0; count < TABS_MAX; count += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${String(wanted)}`);
}

/** What a screen reader is given to say by itself, from now on. */
async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    Reflect.set(window, "said", said);
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const live = (target instanceof Element ? target : target.parentElement)?.closest(
          "[aria-live]:not([aria-live=off])",
        );
        const words = live?.textContent ?? "";
        if (words !== "" && words !== said.at(-1)) said.push(words);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => Reflect.get(window, "said") as string[]);
}

test(
  "the whole job by keyboard alone, with a countdown that is spoken sparingly",
  { tag: "@console" },
  async ({ page, member }) => {
    const screen = onScreen(page);
    await open(page, "/pages/home/index");

    await test.step("login", async () => {
      // The page that stands before the app gives way to it, and a key in that moment goes with it.
      await expect(async () => {
        await tabTo(page, screen.getByRole("link", { name: "Log in" }));
        await page.keyboard.press("Enter");
        await expect(page).toHaveTitle("Log in", { timeout: 3_000 });
      }).toPass();
      await tabTo(page, screen.getByRole("textbox", { name: "E-mail" }));
      await page.keyboard.type(member.email);
      await tabTo(page, screen.getByLabel("Password", { exact: true }));
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Enter");
      await expect(screen.locator(".home-assets")).toContainText("10,000.00");
    });

    await test.step("the product's chart, found by searching, and from there the order", async () => {
      await tabTo(page, page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Markets" }));
      await page.keyboard.press("Enter");
      await tabTo(page, screen.getByRole("searchbox"));
      await page.keyboard.type("jpy");
      await tabTo(page, screen.getByRole("link", { name: new RegExp(STEADY.name) }));
      await page.keyboard.press("Enter");
      await tabTo(page, screen.getByRole("button", { name: "Limit price" }));
      await page.keyboard.press("Enter");
      await expect(page).toHaveTitle(`${STEADY.name} · Order`);
      await tabTo(page, screen.getByRole("button", { name: "Down", exact: true }));
      await page.keyboard.press("Enter");
    });

    await test.step("amount by typing, delivery time by an arrow", async () => {
      await expect(screen.getByRole("button", { name: "Down", exact: true })).toHaveAttribute("aria-pressed", "true");
      await tabTo(page, screen.getByRole("textbox", { name: "Amount" }));
      await page.keyboard.press("Control+A");
      await page.keyboard.type("15");
      await tabTo(page, screen.getByRole("radio", { name: /60 s/ }));
      await page.keyboard.press("ArrowLeft");
      await expect(screen.getByRole("radio", { name: /30 s/ })).toBeChecked();
    });

    await test.step("the sheet takes the focus, keeps it, and gives it back", async () => {
      const button = screen.getByRole("button", { name: /^Review/ });
      await tabTo(page, button);
      await page.keyboard.press("Enter");
      const sheet = screen.getByRole("dialog");
      await expect(sheet).toBeVisible();
      for (let count = 0; count < 6; count += 1) {
        await page.keyboard.press("Tab");
        // From the last to the first it passes a guard beside the sheet, for a moment.
        await expect.poll(() => sheet.evaluate((element) => element.contains(document.activeElement))).toBe(true);
      }
      await page.keyboard.press("Escape");
      await expect(sheet).toBeHidden();
      await expect(button).toBeFocused();
      await page.keyboard.press("Enter");
      await tabTo(page, sheet.getByRole("button", { name: /^Place order/ }));
    });

    const said = await listen(page);
    await page.keyboard.press("Enter");
    await expect(screen.getByTestId("outcome")).toHaveText("Tied", { timeout: 120_000 });
    await expect.poll(async () => (await said()).some((words) => words.includes("Tied"))).toBe(true);
    const words = await said();
    expect(words[0]).toBe("Order successful");
    expect(words.length).toBeLessThanOrEqual(6);

    await tabTo(page, screen.getByRole("button", { name: "Continue order" }));
    await page.keyboard.press("Enter");
    await expect(screen.getByRole("textbox", { name: "Amount" })).toHaveValue("15.00");
  },
);
