import { registerByEmail, registerHere, setPaymentPassword } from "../steps/account.ts";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { newEmail, TRADE_PASSWORD } from "../steps/members.ts";
import { fillOrder, orderNumber, place, review } from "../steps/ordering.ts";

test(
  "a newly registered member is offered a first practice order, with three hints on the way",
  { tag: "@desk" },
  async ({ page }, info) => {
    const screen = onScreen(page);
    await open(page, "/pages/index/Register");
    await registerByEmail(page, newEmail(), "Brazil");
    const steps = screen.getByTestId("first-steps");
    const hint = screen.getByTestId("first-hint");

    await test.step("home offers it", async () => {
      await expect(steps).toContainText("10,000.00 USD");
      await expectAccessible(page, "first-steps");
      await expectNoSidewaysScroll(page);
      await picture(page, info, "first-visit-01");
      await steps.getByRole("button", { name: "Place a first practice order" }).click();
    });

    await test.step("the order screen explains what to choose and what to read", async () => {
      await expect(screen.getByTestId("live-price").first()).toHaveText(/[0-9]/);
      await expect(screen.getByText("Practice · play money")).toBeVisible();
      await expect(hint).toContainText("Choose Up or Down");
      await expectAccessible(page, "first hint");
      await expectNoSidewaysScroll(page);
      await picture(page, info, "first-visit-02");
      await hint.getByRole("button", { name: "Next" }).click();
      await expect(hint).toContainText("the house has an edge");
      await screen.getByRole("button", { name: "Set a transaction password" }).click();
      await expect(hint).toHaveCount(0);
      await setPaymentPassword(page, TRADE_PASSWORD);
      await expect(hint).toContainText("the house has an edge");
      await page.reload();
      await expect(hint).toContainText("the house has an edge");
    });

    await test.step("the order is an actual order in the practice wallet", async () => {
      await fillOrder(page, { direction: "Up", amount: "10" });
      await review(page);
      await place(page);
      await orderNumber(page);
      await expect(screen.getByTestId("countdown")).toBeVisible();
      await expect(hint).toContainText("Your order is running");
      await picture(page, info, "first-visit-03");
      await hint.getByRole("button", { name: "Got it" }).click();
      await expect(hint).toHaveCount(0);
    });

    await test.step("the offer and the hints don't come back", async () => {
      await open(page, "/pages/home/index");
      await page.reload();
      await expect(screen.getByRole("link", { name: "Limited-time", exact: false }).first()).toBeVisible();
      await expect(steps).toHaveCount(0);
      await open(page, "/pages/trade/trade");
      await expect(screen.getByTestId("live-price").first()).toHaveText(/[0-9]/);
      await expect(hint).toHaveCount(0);
    });
  },
);

test("offer and hints can be skipped, for good", { tag: "@desk" }, async ({ page }) => {
  const screen = onScreen(page);
  await open(page, "/pages/index/Register");
  await registerByEmail(page, newEmail(), "Brazil");
  await screen.getByRole("button", { name: "Place a first practice order" }).click();
  await screen.getByTestId("first-hint").getByRole("button", { name: "Skip" }).click();
  await expect(screen.getByTestId("first-hint")).toHaveCount(0);
  await page.reload();
  await expect(screen.getByTestId("live-price").first()).toHaveText(/[0-9]/);
  await expect(screen.getByTestId("first-hint")).toHaveCount(0);
  await open(page, "/pages/home/index");
  await expect(screen.getByRole("link", { name: "Limited-time", exact: false }).first()).toBeVisible();
  await expect(screen.getByTestId("first-steps")).toHaveCount(0);
});

test.describe("in a browser whose clock is São Paulo's", () => {
  test.use({ timezoneId: "America/Sao_Paulo" });

  test("the region is guessed and has to be confirmed before going on", { tag: "@desk" }, async ({ page }, info) => {
    const screen = onScreen(page);
    await open(page, "/pages/index/Register");
    await expect(screen.getByTestId("region-guess")).toContainText("Is Brazil your country or region?");
    await expectAccessible(page, "region guess");
    await picture(page, info, "first-visit-04-guess");
    await screen.getByRole("textbox", { name: "E-mail" }).fill(newEmail());
    await screen.getByRole("button", { name: "Continue" }).click();
    await expectToast(page, "Select country/region");
    await screen.getByRole("button", { name: "Yes, Brazil" }).click();
    await expect(screen.getByRole("link", { name: "Country or region: Brazil" })).toBeVisible();
    await registerHere(page, newEmail());
    await page.goBack();
    // Going back doesn't return to the submitted form.
    await expect(page).toHaveURL(/#\/pages\/home\/index/);
  });
});

test("a first-time visitor is asked to log in, never told that a login expired", { tag: "@desk" }, async ({ page }) => {
  for (const route of ["/pages/user/index", "/pages/trade/trade", "/pages/rk/index", "/pages/order/index"]) {
    await open(page, route);
    await expectToast(page, "Log in to continue");
    await expect(page).toHaveURL(/#\/pages\/index\/index/);
    expect(await page.evaluate(() => window.toldToasts ?? [])).not.toContain("Login expired, please log in again");
    await page.goto("/health/live");
  }
});

test("the bundled font loads after the first view, is used from the next screen on, and from the start on later visits", async ({
  page,
}) => {
  const drawn = () =>
    page.evaluate(() => getComputedStyle(document.body).fontFamily.split(",")[0]?.replaceAll('"', ""));
  const isFetched = () =>
    page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith(".woff2")));
  await open(page, "/pages/home/index");
  await expect(onScreen(page).getByText("Latest price")).toBeVisible();
  expect(await drawn()).toBe("Fairtick Fallback");
  await expect.poll(isFetched).toBe(true);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("fairtickFont"))).toBe("kept");
  expect(await drawn()).toBe("Fairtick Fallback");
  await page.getByRole("link", { name: "Market" }).click();
  await expect.poll(drawn).toBe("Fairtick Sans");
  await page.reload();
  expect(await drawn()).toBe("Fairtick Sans");
  const status = () =>
    page.evaluate(() => [...document.fonts].find(({ family }) => family.includes("Fairtick Sans"))?.status);
  await expect.poll(status).toBe("loaded");
});
