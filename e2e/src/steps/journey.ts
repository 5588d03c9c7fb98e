import { randomInt } from "node:crypto";
import type { LanguageCode } from "@fairtick/i18n";
import { expect, type Locator, type Page, type Route, test as base } from "@playwright/test";
import { keepSeen, markMessages, MARKING } from "./marks.ts";
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
    async ({ browser, context }, use) => {
      const before = new Set(browser.contexts());
      await context.addInitScript(noteToasts);
      if (MARKING) await markMessages(context);
      await context.setExtraHTTPHeaders({ "x-forwarded-for": newHost() });
      await context.route("**/dev/**", askFromHere);
      const faults: string[] = [];
      context.on("weberror", (error) => faults.push(String(error.error())));
      context.on("response", (response) => {
        if (response.status() >= 500) faults.push(`${response.status()} of ${response.url()}`);
      });
      await use();
      // Windows that a journey opened beside its own would live, and draw prices, until its worker ends.
      const opened = browser.contexts().filter((window) => !before.has(window));
      await Promise.all(opened.map((window) => window.close()));
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/** Developer pages answer this machine alone, never for somebody behind a proxy: without the journey's own address. */
async function askFromHere(route: Route): Promise<void> {
  const request = route.request();
  const { "content-type": type, accept = "*/*" } = request.headers();
  const answer = await fetch(request.url(), {
    method: request.method(),
    headers: { accept, ...(type !== undefined && { "content-type": type }) },
    body: request.postData(),
  });
  const contentType = answer.headers.get("content-type") ?? "";
  await route.fulfill({ status: answer.status, contentType, body: await answer.text() });
}

/** Wrong passwords are counted by the day and the host as well: a journey's own are not another's. */
function newHost(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** What the route itself draws, its sheets included; from 768 px on the header with navigation and wallet is above it. */
export function onScreen(page: Page): Locator {
  return page.locator(".screen");
}

/** Opens a screen by its route, as a link from outside would. */
export async function open(page: Page, route: string): Promise<void> {
  await page.goto(`/#${route}`);
}

/** Puts the login where the app keeps it, once: a logout in the journey stays one. `origin`: another name of the product. */
export async function logInByStorage(page: Page, member: Pick<Member, "stored">, origin = ""): Promise<void> {
  // A journey's own calls place orders in the open, which the app asks its member about, once. Others it must not say.
  const asked = page.locator('[data-testid="alarm"][data-fault="open"]');
  await page.addLocatorHandler(asked, () => asked.locator("button").first().click());
  // A page of the same origin that runs no script of the app.
  await page.goto(`${origin}/health/live`);
  await page.evaluate((stored) => {
    for (const { name, value } of stored) localStorage.setItem(name, value);
  }, member.stored);
}

/** Speaks that language from the next load on. */
export async function speak(page: Page, language: LanguageCode): Promise<void> {
  await page.goto("/health/live");
  await page.evaluate((code) => {
    localStorage.setItem("lang", code);
  }, language);
}

export async function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}

/** Waits until the page has said so in a toast, now or since the last time that this was asked: each is taken once. */
export async function expectToast(page: Page, words: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const told = window.toldToasts ?? [];
      const place = told.findIndex((text) => text.includes(wanted));
      if (place >= 0) told.splice(place, 1);
      return place >= 0;
    },
    words,
    { timeout: 30_000 },
  );
  if (MARKING) await keepSeen(page, `toast-${words.replaceAll(/[^A-Za-z0-9]+/g, "-").toLowerCase()}`);
}

/** A toast stands for 1.5 s, which a busy machine may miss by looking now and then: the page notes each. */
export function noteToasts(): void {
  const told: string[] = [];
  window.toldToasts = told;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element) {
          // One that was said before the first drawing comes with all the rest.
          const toasts = node.classList.contains("toast") ? [node] : node.querySelectorAll(".toast");
          for (const toast of toasts) told.push(toast.textContent);
        }
  }).observe(document, { subtree: true, childList: true });
}

declare global {
  interface Window {
    toldToasts?: string[];
  }
}
