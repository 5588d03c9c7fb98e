import { test as base, type Page } from "@playwright/test";
import { controlNetwork, cut, refuse, REFUSAL, toasts } from "../steps/faults.ts";
import { expect, expectToast, onScreen, open, speak, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { fillOrder, openOrderForm, place, placeButton, review } from "../steps/ordering.ts";

/** Calls, each with a screen that makes it when opened. */
const CALLED_BY = [
  ["notice/list", "/pages/notice/index"],
  ["notice/detail", "/pages/notice/nDetail?noticeId=ntc_1&kind=announcement"],
  ["content/agreement", "/pages/notice/xieyi1"],
  ["content/privacy", "/pages/notice/xieyi"],
  ["help/list", "/pages/kf/index"],
  ["support/thread", "/pages/kf/index?tab=chat"],
  ["deposit/methods", "/pages/rk/index"],
  ["withdraw/methods", "/pages/qk/qk"],
  ["market/candles", `/pages/trade/index?symbol=${STEADY.symbol}`],
  ["market/ticks", `/pages/trade/trade?symbol=${STEADY.symbol}`],
  ["app/config", "/pages/market/index"],
] as const;

test("a toast reports a refused call, and so it does for a call that reaches no server", async ({
  memberPage: page,
}) => {
  for (const [call, route] of CALLED_BY)
    await test.step(call, async () => {
      await refuse(page, call);
      await open(page, route);
      await page.reload();
      await expectToast(page, REFUSAL);
      await page.unrouteAll();
      await refuse(page, call, "");
      await page.reload();
      await expectToast(page, "Server Error");
      await page.unrouteAll();
      await cut(page, call);
      await page.reload();
      await expectToast(page, "Nerwork Error");
      await page.unrouteAll();
    });
});

test("a refused or failed order and picture are reported in a toast and in place", async ({ memberPage: page }) => {
  await openOrderForm(page, STEADY.symbol);
  await fillOrder(page, { direction: "Up", amount: "15" });
  await review(page);
  await refuse(page, "order/place");
  await placeButton(page).click();
  await expectToast(page, REFUSAL);
  await expect(onScreen(page).getByTestId("confirm").getByRole("alert")).toContainText(REFUSAL);
  await page.unrouteAll();
  await cut(page, "order/place");
  await placeButton(page).click();
  await expectToast(page, "Nerwork Error");
  await expect(onScreen(page).getByTestId("confirm").getByRole("alert")).toContainText("We haven’t heard back");

  const shot = { name: "receipt.png", mimeType: "image/png", buffer: await page.screenshot() };
  await page.unrouteAll();
  await open(page, "/pages/kf/index?tab=chat");
  const attach = onScreen(page).getByLabel("Attach a picture or a file");
  await refuse(page, "file/upload");
  await attach.setInputFiles(shot);
  await expectToast(page, REFUSAL);
  await expect(onScreen(page).getByRole("alert")).toHaveText(REFUSAL);
  await page.unrouteAll();
  await refuse(page, "support/send");
  await onScreen(page).getByRole("button", { name: "Remove the file" }).click();
  await onScreen(page).getByRole("textbox", { name: "Write to support" }).fill("Hello");
  await onScreen(page).getByRole("button", { name: "Send", exact: true }).click();
  await expectToast(page, REFUSAL);
  await page.unrouteAll();
  await cut(page, "file/upload");
  await open(page, "/pages/home/index");
  await open(page, "/pages/kf/index?tab=chat");
  await attach.setInputFiles(shot);
  await expectToast(page, "Nerwork Error");
});

test("a failing call is reported once, however often it is retried automatically; a tap on retry reports it again", async ({
  memberPage: page,
}) => {
  await cut(page, "market/instruments");
  await open(page, "/pages/market/index");
  await expect(onScreen(page).getByText("Tap to retry").first()).toBeVisible();
  await page.waitForTimeout(4_000);
  expect(await toasts(page)).toEqual(["Nerwork Error"]);
  await onScreen(page).getByText("Tap to retry").first().click();
  await expect.poll(() => toasts(page)).toEqual(["Nerwork Error", "Nerwork Error"]);
});

test("a screen whose calls all fail reports it once", async ({ memberPage: page }) => {
  const network = await controlNetwork(page);
  network.lose();
  const chart = `/pages/trade/index?symbol=${STEADY.symbol}`;
  for (const route of ["/pages/home/index", "/pages/user/index", "/pages/assets/index", chart]) {
    await open(page, route);
    await page.reload();
    await expect(onScreen(page).getByText("Tap to retry").first()).toBeVisible();
    await page.waitForTimeout(3_000);
    expect(await toasts(page)).toEqual(["Nerwork Error"]);
  }
});

test("a deposit by crypto shows a skeleton while the chains load", async ({ memberPage: page }, info) => {
  let answer = () => {};
  const isHeld = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/client/deposit/methods", async (route) => {
    await isHeld;
    await route.continue();
  });
  await open(page, "/pages/rk/szrk");
  await expect(onScreen(page).getByText("Send only USDT")).toBeVisible();
  await expect(onScreen(page).locator(".wait")).toHaveCount(5);
  await picture(page, info, "faults-szrk-waiting");
  answer();
  await expect(onScreen(page).locator(".wait")).toHaveCount(0);
  await expect(onScreen(page).getByTestId("deposit-address")).toContainText("0x");
});

test("a running order's screen that loses the server reports it once", async ({ memberPage: page }) => {
  await openOrderForm(page, STEADY.symbol);
  await fillOrder(page, { direction: "Up", amount: "15", duration: "60 s" });
  await review(page);
  await place(page);
  const network = await controlNetwork(page);
  await page.reload();
  await expect(onScreen(page).getByTestId("countdown")).toBeVisible();
  network.lose();
  await page.waitForTimeout(12_000);
  expect((await toasts(page)).filter((words) => words === "Nerwork Error")).toEqual(["Nerwork Error"]);
});

test("a toast never covers the header or the strip under it", { tag: "@desk" }, async ({ memberPage: page }, info) => {
  await cut(page, "market/instruments");
  for (const route of ["/pages/home/index", "/pages/market/index", `/pages/trade/trade?symbol=${STEADY.symbol}`]) {
    await open(page, route);
    const header = onScreen(page).locator("header.top > .under-bar, header.under-bar");
    const toast = onScreen(page).locator(".toast");
    await expect
      .poll(async () => {
        // The toast may have come and gone before a busy machine looks; a reload shows it again.
        const shown = toast.boundingBox({ timeout: 5_000 }).catch(async () => {
          await page.reload();
          return null;
        });
        const [above, said] = await Promise.all([header.boundingBox(), shown]);
        return above !== null && said !== null && said.y >= above.y + above.height;
      })
      .toBe(true);
    await picture(page, info, `faults-toast-${route.split("/")[2]}`);
    await page.reload();
  }
});

test("a screen whose code failed to load opens automatically when the network is back", async ({
  memberPage: page,
}) => {
  await open(page, "/pages/home/index");
  await expect(onScreen(page).locator(".wait")).toHaveCount(0);
  const network = await controlNetwork(page);
  await page.route("**/assets/MarketScreen-*.js", (route) => route.abort());
  await page.reload();
  await open(page, "/pages/market/index");
  await expect(onScreen(page).getByText("This page could not be loaded. Tap to reload")).toBeVisible();
  network.lose();
  await page.unroute("**/assets/MarketScreen-*.js");
  network.comeBack();
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(onScreen(page).getByRole("searchbox")).toBeVisible();
});

/** Uses Playwright's own `test`, because the journeys' one fails on the status 503 that these expect. */
base.describe("the app's first scripts", () => {
  const offer = (page: Page, words: string) => page.getByRole("button", { name: words });

  for (const route of ["/pages/home/index", "/pages/market/index"])
    for (const script of ["index", "base"])
      base(`${route}: without ${script} the page asks for a tap, which loads it`, async ({ page }, info) => {
        const address = `**/assets/${script}-*.js`;
        await page.route(address, (request) => request.fulfill({ status: 503, body: "busy" }));
        await page.goto(`/#${route}`);
        await expect(offer(page, "This page could not be loaded. Tap to reload")).toBeVisible();
        await picture(page, info, `faults-no-${script}`);
        await expect(page.getByRole("link")).toHaveCount(0);
        await page.unroute(address);
        await offer(page, "This page could not be loaded. Tap to reload").click();
        await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
      });

  base(
    "they report a failure in the stored language, and the page reloads when the network is back",
    async ({ page }) => {
      await speak(page, "de");
      await page.route("**/assets/index-*.js", (request) => request.abort());
      await page.goto("/#/pages/market/index");
      await expect(offer(page, "Diese Seite konnte nicht geladen werden. Zum Neuladen tippen")).toBeVisible();
      await page.unroute("**/assets/index-*.js");
      await page.evaluate(() => dispatchEvent(new Event("online")));
      await expect(page.getByRole("navigation", { name: "Hauptmenü" })).toBeVisible();
    },
  );

  base("messages that fail to load are the same failure", async ({ page }) => {
    await speak(page, "fr");
    await page.route("**/assets/fr_*.js", (request) => request.abort());
    await page.goto("/#/pages/home/index");
    await expect(offer(page, "Impossible de charger cette page. Touchez pour recharger")).toBeVisible();
  });
});
