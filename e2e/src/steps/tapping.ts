import type { Page } from "@playwright/test";
import { expect, onScreen, open } from "./journey.ts";

const HOME = "/pages/home/index";
const TAPS_MAX = 5;

/** Returns the current route without its parameters. */
export function routeOf(page: Page): string {
  return routeIn(new URL(page.url()).hash);
}

function routeIn(hash: string): string {
  return /^#(\/pages\/[^?]+)/.exec(hash)?.[1] ?? HOME;
}

/** A tap on a link, by its target, or on a tab of the screen, by its position. */
type Tap = { readonly href: string } | { readonly tab: number };

/**
 * Taps from home to every screen that links lead to, including those under tabs. `look` is called once per screen, when
 * everything on it has loaded. Returns the routes in the order in which they were reached.
 */
export async function tapThrough(page: Page, look: (route: string) => Promise<void>): Promise<readonly string[]> {
  const reached = new Set<string>();
  const tapped = new Set<string>([HOME]);
  const paths: (readonly Tap[])[] = [[]];
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    await goHome(page);
    for (const tap of path) await follow(page, tap);
    const route = routeOf(page);
    if (reached.has(route)) continue;
    reached.add(route);
    await look(route);
    if (path.length >= TAPS_MAX) continue;
    const queue = async (way: readonly Tap[]) => {
      for (const href of await linksOn(page)) {
        const next = routeIn(href);
        if (tapped.has(next)) continue;
        tapped.add(next);
        paths.push([...way, { href }]);
      }
    };
    await queue(path);
    const tabs = await onScreen(page).getByRole("tab").count();
    for (let tab = 0; tab < tabs; tab += 1) {
      await follow(page, { tab });
      await queue([...path, { tab }]);
    }
  }
  return [...reached];
}

async function follow(page: Page, tap: Tap): Promise<void> {
  if ("tab" in tap) {
    const tab = onScreen(page).getByRole("tab").nth(tap.tab);
    await tab.click();
    // A tab whose name is in the address is drawn once the navigation is done.
    await expect(tab).toHaveAttribute("aria-selected", "true");
  } else {
    // A link's parameters change with what has arrived since, such as a first unread message. Any to its route will do.
    const route = `#${routeIn(tap.href)}`;
    await leave(page, () => page.locator(`.app a:is([href="${route}"], [href^="${route}?"]):visible`).first().click());
  }
  await settled(page);
}

async function goHome(page: Page): Promise<void> {
  if (page.url().includes("#/pages/") && routeOf(page) !== HOME) await leave(page, () => open(page, HOME));
  else await open(page, HOME);
  await settled(page);
}

/** Runs `by` and waits until the previous screen is gone: the address changes before the next screen's code loads. */
async function leave(page: Page, by: () => Promise<unknown>): Promise<void> {
  const [url, route] = [page.url(), routeOf(page)];
  await onScreen(page)
    .locator("main")
    .evaluate((main) => main.setAttribute("data-left", ""));
  await by();
  await page.waitForURL((now) => now.href !== url, { waitUntil: "commit" });
  if (routeOf(page) !== route) await expect(onScreen(page).locator("main[data-left]")).toHaveCount(0);
}

async function settled(page: Page): Promise<void> {
  await expect(onScreen(page).locator("main")).toBeVisible();
  await expect(onScreen(page).locator(".wait")).toHaveCount(0);
}

async function linksOn(page: Page): Promise<readonly string[]> {
  return page
    .locator('.app a[href^="#/pages/"]:visible')
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
}
