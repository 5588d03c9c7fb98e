import { expect, type Locator, type Page, test as base } from "@playwright/test";
import { type Member, newMember } from "./members.ts";

export { expect };

interface Parts {
  /** A member of the journey's own, made by the calls, with the trade password set. */
  readonly member: Member;
  /** A page where that member is logged in; nothing is opened yet. */
  readonly memberPage: Page;
}

/**
 * Playwright's `test` with a member, and with what no journey may leave behind: an error in the page, an answer of
 * 500 or more.
 */
export const test = base.extend<Parts & { readonly watchFaults: void }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it what a fixture needs: here nothing
  member: async ({}, use) => {
    await use(await newMember());
  },
  memberPage: async ({ page, member }, use) => {
    await logInByStorage(page, member);
    await use(page);
  },
  watchFaults: [
    async ({ context }, use) => {
      const faults: string[] = [];
      context.on("weberror", (error) => faults.push(String(error.error())));
      context.on("response", (response) => {
        if (response.status() >= 500) faults.push(`${response.status()} of ${response.url()}`);
      });
      await use();
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/** What stands in the phone's frame: at a desk's size the chart and the account stand beside it, with the same words. */
export function onScreen(page: Page): Locator {
  return page.locator(".app");
}

/** Opens a screen by its route, as a link from outside would. */
export async function open(page: Page, route: string): Promise<void> {
  await page.goto(`/#${route}`);
}

/** Puts the login where the app keeps it, once: a logout in the journey stays one. */
export async function logInByStorage(page: Page, member: Member): Promise<void> {
  // A page of the same origin that runs no script of the app.
  await page.goto("/health/live");
  await page.evaluate((stored) => {
    for (const { name, value } of stored) localStorage.setItem(name, value);
  }, member.stored);
}

export async function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}

/** A toast stands for 1.5 s, so that it is looked for as soon as it is expected. */
export async function expectToast(page: Page, words: string): Promise<void> {
  await expect(page.locator(".toast", { hasText: words })).toBeVisible();
}
