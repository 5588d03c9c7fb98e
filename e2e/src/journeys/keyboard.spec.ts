import type { Locator, Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { STEADY } from "../steps/market.ts";
import { PASSWORD } from "../steps/members.ts";

const TABS_MAX = 80;

/** Presses Tab until the element has the focus. Every element on the way must show its focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let count = 0; count < TABS_MAX; count += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab doesn't reach ${String(wanted)}`);
}

/** Records what live regions announce from now on; the returned function lists it. */
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
  "from login to result by keyboard alone, with a countdown that is announced sparingly",
  { tag: "@console" },
  async ({ page, member }) => {
    const screen = onScreen(page);
    const ticket = screen.getByTestId("ticket");
    await open(page, "/pages/home/index");

    await test.step("login", async () => {
      // The static first view is replaced by the app, and a key pressed at that moment is lost.
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

    await test.step("the product's chart and ticket, found by search", async () => {
      await tabTo(page, page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Markets" }));
      await page.keyboard.press("Enter");
      await tabTo(page, screen.getByRole("searchbox"));
      await page.keyboard.type("jpy");
      await tabTo(page, screen.getByRole("link", { name: new RegExp(STEADY.name) }));
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(new RegExp(`symbol=${STEADY.symbol}`));
    });

    await test.step("the amount by typing, the delivery time by an arrow key", async () => {
      await tabTo(page, ticket.getByRole("textbox", { name: "Amount" }));
      await page.keyboard.press("Control+A");
      await page.keyboard.type("15");
      await tabTo(page, ticket.getByRole("radio", { name: /60 s/ }));
      await page.keyboard.press("ArrowLeft");
      await expect(ticket.getByRole("radio", { name: /30 s/ })).toBeChecked();
    });

    await test.step("a direction leads to its confirmation, and Escape returns to it", async () => {
      const down = ticket.getByRole("button", { name: /^Down/ });
      await tabTo(page, down);
      await page.keyboard.press("Enter");
      const place = screen.getByTestId("confirm").getByRole("button", { name: /^Place order/ });
      await expect(place).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(down).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(place).toBeFocused();
    });

    const said = await listen(page);
    await page.keyboard.press("Enter");
    await expect(screen.getByTestId("desk-ended")).toContainText("Tied", { timeout: 120_000 });
    await expect.poll(async () => (await said()).some((words) => words.includes("Tied"))).toBe(true);
    const words = await said();
    expect(words[0]).toBe("Order successful");
    expect(words.length).toBeLessThanOrEqual(6);

    await tabTo(page, screen.getByTestId("desk-ended").getByRole("link"));
    await page.keyboard.press("Enter");
    await expect(screen.getByTestId("outcome")).toHaveText("Tied");
    await tabTo(page, screen.getByRole("button", { name: "Continue order" }));
    await page.keyboard.press("Enter");
    await expect(screen.getByTestId("confirm")).toContainText(/Down: exit below entry.*15\.00/);
  },
);
