import { randomInt } from "node:crypto";
import type { LanguageCode } from "@fairtick/i18n";
import { expect, type Locator, type Page, type Response, type Route, test as base } from "@playwright/test";
import { keepSeen, markMessages, MARKING } from "./marks.ts";
import { type Member, newMember } from "./members.ts";

export { expect };

interface Parts {
  /** A member of this journey only, registered through the API, with the transaction password set. */
  readonly member: Member;
  /** A page where that member is logged in; no screen is open yet. */
  readonly memberPage: Page;
}

/**
 * Playwright's `test` with a member. It fails a journey that causes an error in the page or a response with status
 * 500 or above.
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
      const reading: Promise<void>[] = [];
      context.on("weberror", (error) => faults.push(String(error.error())));
      context.on("response", (response) => {
        if (response.status() >= 500) reading.push(readFault(response).then((fault) => void faults.push(...fault)));
      });
      await use();
      await Promise.all(reading);
      // Other windows that a journey opened would keep drawing prices until the worker ends.
      const opened = browser.contexts().filter((window) => !before.has(window));
      await Promise.all(opened.map((window) => window.close()));
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/** Refusals of an order by a house that stops accepting for seconds, since its machine held up the log or the prices. */
const HELD_UP: ReadonlySet<string> = new Set(["LOG_BEHIND", "NOT_NOW"]);

/**
 * Returns a response with status 500 or above as a fault. An order that the house could not accept for a moment is none:
 * the app sends it again, and the journey sees whether it was placed.
 */
async function readFault(response: Response): Promise<string[]> {
  const body = await response.text().catch(() => "");
  const error = /"error":"(\w+)"/.exec(body)?.[1] ?? "";
  if (response.status() === 503 && response.url().endsWith("/client/order/place") && HELD_UP.has(error)) return [];
  return [`${response.status()} ${error} of ${response.url()}`];
}

/** Fetches a developer page without the journey's client address, because it only answers this machine. */
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

/**
 * Returns a random client address. Wrong passwords are also counted per day and host, so journeys must not share one.
 */
function newHost(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** Returns the current screen with its sheets. From 768 px up, the header with navigation and wallet is outside it. */
export function onScreen(page: Page): Locator {
  return page.locator(".screen");
}

/** Opens a screen by its route, as an external link would. */
export async function open(page: Page, route: string): Promise<void> {
  await page.goto(`/#${route}`);
}

/** Does what opens another screen and waits for that: the current one stays until the next one's code has loaded. */
export async function toNextScreen(page: Page, act: () => Promise<unknown>): Promise<void> {
  const main = onScreen(page).locator("main");
  await page.evaluate(() => document.querySelector(".screen main")?.setAttribute("data-left", ""));
  await act();
  await expect(main.and(page.locator(":not([data-left])"))).toBeVisible();
  await expect(main.and(page.locator("[data-left]"))).toHaveCount(0);
}

/** Stores the login once, so that a logout in the journey lasts. `origin`: another host name of the product. */
export async function logInByStorage(page: Page, member: Pick<Member, "stored">, origin = ""): Promise<void> {
  // API calls place unsealed orders, and the app warns the member about each one once. Other alarms must not appear.
  const asked = page.locator('[data-testid="alarm"][data-fault="open"]');
  await page.addLocatorHandler(asked, () => asked.locator("button").first().click());
  // A page on the same origin that runs none of the app's scripts.
  await page.goto(`${origin}/health/live`);
  await page.evaluate((stored) => {
    for (const { name, value } of stored) localStorage.setItem(name, value);
  }, member.stored);
}

/** Makes the page use a language from its next load on. */
export async function speak(page: Page, language: LanguageCode): Promise<void> {
  await page.goto("/health/live");
  await page.evaluate((code) => {
    localStorage.setItem("lang", code);
  }, language);
}

export async function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}

/** Waits for a toast with these words, shown now or since the last call. Each toast is matched only once. */
export async function expectToast(page: Page, words: string): Promise<void> {
  await expectAnyToast(page, [words]);
}

/** Waits for a toast with one of these words, and returns which. */
export async function expectAnyToast<Words extends string>(page: Page, wanted: readonly Words[]): Promise<Words> {
  const found = await page.waitForFunction(
    (any) => {
      const told = window.toldToasts ?? [];
      const place = told.findIndex((text) => any.some((words) => text.includes(words)));
      return place >= 0 && told.splice(place, 1)[0];
    },
    wanted,
    { timeout: 30_000 },
  );
  const told = String(await found.jsonValue());
  const words = wanted.find((one) => told.includes(one));
  if (words === undefined) throw new Error(`an unexpected toast: ${told}`);
  if (MARKING) await keepSeen(page, `toast-${words.replaceAll(/[^A-Za-z0-9]+/g, "-").toLowerCase()}`);
  return words;
}

/** Records every toast in the page. A toast shows for 1.5 s, so polling on a busy machine could miss it. */
export function noteToasts(): void {
  const told: string[] = [];
  window.toldToasts = told;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element) {
          // A toast shown before the first render arrives inside a larger added node.
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
