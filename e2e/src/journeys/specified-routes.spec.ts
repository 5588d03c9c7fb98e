import { translate } from "@fairtick/i18n/server";
import type { Page } from "@playwright/test";
import { expect, onScreen, open, speak, test, toNextScreen } from "../steps/journey.ts";
import { LIVELY } from "../steps/market.ts";
import { placeByHand } from "../steps/ordering.ts";
import { SPECIFIED_SCREENS, type SpecifiedScreen } from "../steps/specified.ts";

const LOGIN = "/pages/index/index";

/** On the chart and the order screen, the product's name precedes the title. */
const titled = (title: string) => new RegExp(`^(?:\\S+ · )?${title}$`);

/** Expects that a route has opened its own screen, not just replaced the address or left the previous screen. */
async function expectOwnScreen(page: Page, { route, title, says }: SpecifiedScreen): Promise<void> {
  await expect(page).toHaveTitle(titled(title));
  await expect(page).toHaveURL(new RegExp(`/#${route}$`));
  await expect(onScreen(page).getByRole("heading", { level: 1 })).toBeVisible();
  if (says !== undefined) await expect(onScreen(page).getByRole("main").getByText(says).first()).toBeVisible();
}

test(
  "every route of the specification opens its own screen for a member",
  { tag: "@desk" },
  async ({ memberPage: page }) => {
    for (const screen of SPECIFIED_SCREENS) {
      const { route } = screen;
      // A logged-in member is led on from the login screen; a visitor's journey below covers it.
      if (route === LOGIN) continue;
      await test.step(route, async () => {
        await toNextScreen(page, () => open(page, route));
        await expectOwnScreen(page, screen);
      });
    }
  },
);

test(
  "a visitor sees the open screens and is led to the login from every other one",
  { tag: "@desk" },
  async ({ page }) => {
    for (const screen of SPECIFIED_SCREENS) {
      const { route, isOpen } = screen;
      await test.step(route, async () => {
        // The screens before the login lead there, so it is open already.
        const isThere = route === LOGIN || (!isOpen && (await page.title()) === "Log in");
        if (isThere) await open(page, route);
        else await toNextScreen(page, () => open(page, route));
        if (isOpen) await expectOwnScreen(page, screen);
        else {
          await expect(page).toHaveURL(`/#${LOGIN}?next=${encodeURIComponent(route)}`);
          await expect(page).toHaveTitle("Log in");
        }
      });
    }
  },
);

test("Home is the entry, also at /", async ({ page }) => {
  for (const entry of ["/", "/#/", "/#/pages/home/index"]) {
    await page.goto(entry);
    await expect(page).toHaveTitle("Home");
    const ranking = onScreen(page).getByRole("main");
    for (const column of ["Product", "Latest price", "Today’s change"])
      await expect(ranking.getByText(column, { exact: true })).toBeVisible();
    const row = ranking.getByRole("link", { name: new RegExp(LIVELY.name) });
    await expect(row).toContainText(/[0-9]\.[0-9]{6}/);
    await expect(row).toContainText(/[+−]?[0-9]+\.[0-9]{2}%/);
  }
});

/** Spreads two fingers to six times their distance; returns the page's zoom factor then. */
async function spreadFingers(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", gap?: number) =>
    devtools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: gap === undefined ? [] : [-gap, gap].map((x, id) => ({ x: 180 + x, y: 300, id })),
    });
  await touch("touchStart", 20);
  for (let gap = 25; gap <= 120; gap += 5) {
    await touch("touchMove", gap);
    await page.waitForTimeout(16);
  }
  await touch("touchEnd");
  await devtools.detach();
  await page.waitForTimeout(400);
  return page.evaluate(() => visualViewport?.scale ?? 0);
}

test("no screen can be zoomed with two fingers", async ({ page }) => {
  // The same gesture works on a page that allows zooming.
  const body = '<!doctype html><meta name="viewport" content="width=device-width, initial-scale=1"><p>Plain';
  await page.route("**/plain.html", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto("/plain.html");
  expect(await spreadFingers(page)).toBeGreaterThan(1.5);
  for (const { route, title, isOpen } of SPECIFIED_SCREENS) {
    // The chart handles two fingers itself.
    if (!isOpen || route === "/pages/trade/index") continue;
    await open(page, route);
    await expect(page).toHaveTitle(title);
    expect(await spreadFingers(page), route).toBe(1);
  }
});

test("a phone's order screen is dark while every other one is light", async ({ memberPage: page }) => {
  const lightness = () =>
    page.evaluate(() => {
      const colour = getComputedStyle(document.querySelector(".app")!).backgroundColor;
      return Math.max(...(colour.match(/[0-9]+/g) ?? []).slice(0, 3).map(Number));
    });
  await open(page, "/pages/market/index");
  await expect(page).toHaveTitle("Market");
  expect(await lightness()).toBeGreaterThan(200);
  await placeByHand(page, { symbol: LIVELY.symbol, direction: "Up", amount: "15", duration: "60 s" });
  expect(await lightness()).toBeLessThan(50);
});

test.describe("with a browser set to Japanese", () => {
  test.use({ locale: "ja-JP" });

  test("English is used until another language is chosen, and if the stored one is unknown", async ({ page }) => {
    const asked = page.waitForRequest(/client\/multiLang\/findAvailableLang/);
    await open(page, "/pages/market/index");
    await expect(page).toHaveTitle("Market");
    expect((await asked).headers()["lang"]).toBe("en_US");
    await page.evaluate(() => localStorage.setItem("lang", "xx"));
    await page.reload();
    await expect(page).toHaveTitle("Market");
    await speak(page, "ri");
    await open(page, "/pages/market/index");
    await expect(page).not.toHaveTitle("Market");
  });
});

/** The `Lang` header of each language, by the specification's codes. */
const HEADERS = {
  en: "en_US",
  zh: "zh_TW",
  ri: "ja_JP",
  han: "ko_KR",
  de: "de_DE",
  xby: "es_ES",
  ydl: "it_IT",
  yue: "vi_VN",
} as const;

test("each language has the specification's code, and its calls send the specification's header", async ({ page }) => {
  const titles = new Set<string>();
  for (const [code, header] of Object.entries(HEADERS) as [keyof typeof HEADERS, string][]) {
    await speak(page, code);
    const asked = page.waitForRequest(/client\/market\/instruments/);
    await open(page, "/pages/market/index");
    expect((await asked).headers()["lang"], code).toBe(header);
    await expect(page).toHaveTitle(translate(code, "market.title"));
    titles.add(await page.title());
  }
  expect(titles.size).toBe(Object.keys(HEADERS).length);
});

test("the available languages are requested without a payload at the start and at each return", async ({ page }) => {
  const asked: (string | null)[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/client/multiLang/findAvailableLang"))
      asked.push(`${request.method()} ${request.postData() ?? ""}`);
  });
  await open(page, "/pages/market/index");
  await expect.poll(() => asked).toEqual(["POST "]);
  // As if another tab were selected and then this one again.
  await page.evaluate(() => {
    for (const state of ["hidden", "visible"]) {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }
  });
  await expect.poll(() => asked).toEqual(["POST ", "POST "]);
});
