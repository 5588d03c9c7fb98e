import { LANGUAGE_CODES, translate } from "@fairtick/i18n/server";
import { chooseRegion, goOnWithCode } from "../steps/account.ts";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { newEmail } from "../steps/members.ts";

test("the terms can be read from the registration, which keeps what was typed", async ({ page }, info) => {
  await open(page, "/pages/index/Register");
  const email = onScreen(page).getByRole("textbox", { name: "E-mail" });
  const address = newEmail();
  await chooseRegion(page, "Brazil");
  await email.fill(address);
  await goOnWithCode(page, address);
  await onScreen(page).getByRole("checkbox").check();

  for (const [link, title, words, version] of [
    ["user agreement", "User agreement", "We, the house, are your counterparty.", "1.1"],
    ["privacy policy", "Privacy policy", "You can withdraw consent at any time.", "1.2"],
  ] as const) {
    await onScreen(page).getByRole("link", { name: link }).click();
    await expect(page).toHaveTitle(title);
    await expect(onScreen(page).getByText(words)).toBeVisible();
    await expect(
      onScreen(page).getByText(`Version ${version}, in effect since November 26, 2026`, { exact: true }),
    ).toBeVisible();
    await picture(page, info, `help-${link.replace(" ", "-")}`);
    await onScreen(page).getByRole("button", { name: "Back" }).click();
    await expect(page).toHaveURL(/#\/pages\/index\/Register/);
    await expect(onScreen(page).getByText(`Code for ${address}`)).toBeVisible();
    await expect(onScreen(page).getByRole("checkbox")).toBeChecked();
  }
});

test(
  "an answer is found by a word in its text and leads back to the search",
  { tag: "@desk" },
  async ({ page }, info) => {
    await open(page, "/pages/index/index");
    await onScreen(page).getByRole("link", { name: "Help center" }).click();
    await expect(page).toHaveTitle("Help center");
    const articles = onScreen(page).getByRole("list").getByRole("link");
    await expect(articles).toHaveCount(16);
    await picture(page, info, "help-list");

    const search = onScreen(page).getByRole("searchbox", { name: "Search help" });
    await search.fill("counterfeit");
    await expect(onScreen(page).getByText("No articles found")).toBeVisible();
    await search.fill("NEW YORK");
    await expect(articles).toHaveCount(1);
    await articles.click();
    await expect(page).toHaveTitle("Market hours");
    await expect(onScreen(page).getByRole("heading", { name: "Market hours" })).toBeVisible();
    await onScreen(page).getByRole("button", { name: "Back" }).click();
    await expect(search).toHaveValue("NEW YORK");

    await open(page, "/pages/kf/index?helpId=ties-voids");
    await expect(onScreen(page).getByText("No entry price:")).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, "help article");
    await picture(page, info, "help-article");
  },
);

test("a member finds the help under Mine", async ({ memberPage: page }) => {
  await open(page, "/pages/user/index");
  await onScreen(page).getByRole("link", { name: "Help center" }).click();
  await onScreen(page).getByRole("link", { name: "Fees, odds and break-even" }).click();
  await expect(page).toHaveTitle("Fees, odds and break-even");
});

test("a text that fails to load says so and loads when tapped", async ({ page }) => {
  await page.route("**/client/content/privacy", (route) => route.abort());
  await open(page, "/pages/notice/xieyi");
  await expect(onScreen(page).getByRole("alert").getByText("Nerwork Error")).toBeVisible();
  const failed = onScreen(page).getByRole("button", { name: "Tap to retry" });
  await page.unroute("**/client/content/privacy");
  await failed.click();
  await expect(onScreen(page).getByRole("heading", { name: "8. The public log" })).toBeVisible();
});

test("an article that doesn't exist is reported as unknown", async ({ page }) => {
  await open(page, "/pages/kf/index?helpId=nothing");
  await expect(onScreen(page).getByRole("button", { name: "Tap to retry" })).toBeVisible();
});

test("every language has its own texts, and none is wider than a small phone with large text", async ({
  page,
}, info) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const opened = new Set<string>();
  for (const code of LANGUAGE_CODES) {
    await page.goto("/health/live");
    await page.evaluate((lang) => {
      localStorage.setItem("lang", lang);
    }, code);
    for (const [route, title] of [
      ["/pages/notice/xieyi1", translate(code, "help.agreement")],
      ["/pages/notice/xieyi", translate(code, "help.privacy")],
      ["/pages/kf/index", translate(code, "help.title")],
      ["/pages/kf/index?helpId=fees-odds", null],
    ] as const) {
      await open(page, route);
      if (title !== null) await expect(page).toHaveTitle(title);
      await page.evaluate(() => {
        document.documentElement.style.setProperty("--text-scale", "2");
      });
      await expect(onScreen(page).locator(".written p, .help-topic").first()).toBeVisible();
      await expectNoSidewaysScroll(page);
      opened.add(await onScreen(page).locator("main").innerText());
      if (code === "de" || code === "zh") await picture(page, info, `help-large-${code}-${opened.size}`);
    }
  }
  expect(opened.size).toBe(4 * LANGUAGE_CODES.length);
});
