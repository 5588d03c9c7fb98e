import { translate } from "@fairtick/i18n/server";
import { expect, expectToast, onScreen, open, stored, test } from "../steps/journey.ts";
import { expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { LIVELY } from "../steps/market.ts";
import { MEMBER_SCREENS, nameOf, openFilled } from "../steps/screens.ts";

/** How each language writes ten thousand, the `Lang` header of its calls, and the colour of a rise. */
const LANGUAGES = [
  { code: "de", tag: "de", own: "Deutsch", money: "10.000,00", header: "de_DE", rise: "green" },
  { code: "zh", tag: "zh-Hant", own: "繁體中文", money: "10,000.00", header: "zh_TW", rise: "red" },
] as const;
const TABS = ["home", "market", "trade", "orders", "mine"] as const;

for (const { code, tag, own, money, header, rise } of LANGUAGES) {
  test(`the language ${code} applies at once when chosen and survives a reload`, async ({ memberPage: page }, info) => {
    await open(page, "/pages/user/index");
    expect(await stored(page, "lang")).toBe(null);
    await onScreen(page)
      .getByRole("link", { name: /Language/ })
      .click();
    await expect(page).toHaveTitle("Language");
    await onScreen(page).getByRole("button", { name: own }).click();
    await expect(page).toHaveURL(/#\/pages\/user\/index/);
    await expectToast(page, translate(code, "common.successfullyUpdated"));
    const tabs = TABS.map((tab) => translate(code, `shell.tab.${tab}`));
    await expect(onScreen(page).getByRole("navigation").last().getByRole("link")).toHaveText(tabs);
    await expect(onScreen(page).locator(".card")).toContainText(money);
    expect(await stored(page, "lang")).toBe(code);

    const asked = page.waitForRequest(/client\/user\/summary/);
    await page.reload();
    expect((await asked).headers()["lang"]).toBe(header);
    await expect(onScreen(page).getByRole("navigation").last().getByRole("link")).toHaveText(tabs);
    await expect(page.locator("html")).toHaveAttribute("lang", tag);
    await expect(page.locator("html")).toHaveAttribute("data-rise", rise);
    for (const place of MEMBER_SCREENS) {
      await openFilled(page, place, code);
      await expectNoSidewaysScroll(page);
    }
    await open(page, `/pages/trade/trade?symbol=${LIVELY.symbol}`);
    await expect(onScreen(page).getByTestId("live-price").first()).toHaveText(/[0-9]/);
    await picture(page, info, `appearance-${code}-order`);
    await open(page, "/pages/home/index");
    await picture(page, info, `appearance-${code}-home`);
  });
}

test(
  "theme and text size apply to every screen and follow the member to another device",
  { tag: "@desk" },
  async ({ memberPage: page }, info) => {
    await open(page, "/pages/settings/index");
    const ground = () => page.evaluate(() => getComputedStyle(document.querySelector(".app")!).backgroundColor);
    const choose = (group: string, value: string) =>
      onScreen(page).getByRole("radiogroup", { name: group }).getByText(value, { exact: true }).click();

    await choose("Theme", "Light");
    const light = await ground();
    await choose("Theme", "Dark");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    expect(await ground()).not.toBe(light);
    const saved = page.waitForResponse(/client\/user\/setSettings/);
    await choose("Text size", "200%");
    await saved;
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

    for (const place of MEMBER_SCREENS) {
      await openFilled(page, place);
      await expectNoSidewaysScroll(page);
      await picture(page, info, `appearance-200-${nameOf(place)}`);
    }
    await open(page, `/pages/trade/trade?symbol=${LIVELY.symbol}`);
    // The main button, or the two direction buttons at a desk.
    await expect(
      onScreen(page)
        .getByRole("button", { name: /^Choose Up or Down$|^Up/ })
        .last(),
    ).toBeInViewport();

    await test.step("local storage has the specification's keys and ours", async () => {
      const keys = await page.evaluate(() => Object.keys(localStorage).toSorted());
      expect(keys.filter((key) => !key.startsWith("fairtick"))).toEqual([
        "exchange2508Token",
        "languageData",
        "loginState",
      ]);
      const languages = JSON.parse((await stored(page, "languageData")) ?? "null") as { code: number; data: unknown[] };
      expect(languages.code).toBe(200);
      expect(languages.data).toHaveLength(10);
      const state = JSON.parse((await stored(page, "loginState")) ?? "null") as Record<string, Record<string, unknown>>;
      expect(state["loginAddress"]).toBe("/pages/index/index");
      expect(state["userInfo"]?.["access_token"]).toBe(await stored(page, "exchange2508Token"));
    });

    await test.step("another device takes over the settings", async () => {
      await page.evaluate(() => {
        localStorage.removeItem("fairtickSettings");
      });
      await page.reload();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    });
  },
);

test(
  "from 768 px up a header replaces the tab bar, and every screen fills the window",
  { tag: "@console" },
  async ({ memberPage: page }, info) => {
    const bar = page.getByRole("navigation", { name: translate("en", "shell.tabs") });
    for (const width of [767, 768, 1199, 1200, 1760]) {
      await page.setViewportSize({ width, height: 800 });
      await open(page, "/pages/market/index");
      await expect(bar).toHaveCount(1);
      const { y, width: across } = (await bar.boundingBox())!;
      expect(across).toBe(width);
      // The tab bar is at the bottom, the header at the top.
      if (width < 768) expect(y).toBeGreaterThan(700);
      else expect(y).toBe(0);
      const area = (await onScreen(page).getByRole("main").boundingBox())!;
      expect(area.width).toBe(width);
      await expectNoSidewaysScroll(page);
      await picture(page, info, `appearance-width-${width}`);
    }
    // Wide lists are limited to a readable width and centred.
    const row = (await onScreen(page)
      .getByRole("link", { name: /EUR\/USD/ })
      .boundingBox())!;
    expect(row.width).toBeLessThan(600);
  },
);
