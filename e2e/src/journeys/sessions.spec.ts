import { authLogin, authRevokeSession, authSessions } from "@fairtick/protocol";
import { logIn } from "../steps/account.ts";
import { expect, expectToast, onScreen, open, stored, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import type { Member } from "../steps/members.ts";
import { clientOf, ordersOf, PASSWORD, valueOf } from "../steps/members.ts";
import { fillOrder, openOrderForm, placeButton, placeByHand, review } from "../steps/ordering.ts";

/** Logs the member in on another device, which logs out every other one. */
async function endElsewhere(member: Member): Promise<void> {
  const other = valueOf(await clientOf(null).call(authLogin, { account: member.email, password: PASSWORD }));
  const device = clientOf(other.access_token);
  for (const { current, sessionId } of valueOf(await device.call(authSessions, {})))
    if (!current) valueOf(await device.call(authRevokeSession, { sessionId }));
}

test(
  "a session ended on another device is reported, and logging in again returns to the same screen",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    await open(page, "/pages/order/index?tab=history");
    await expect(onScreen(page).getByText("No settled orders yet")).toBeVisible();

    await endElsewhere(member);
    await expectToast(page, "Login expired, please log in again");
    await expect(page).toHaveURL(/#\/pages\/index\/index/);
    await picture(page, info, "sessions-01-login");
    expect(await stored(page, "exchange2508Token")).toBeNull();
    await logIn(page, member.email, PASSWORD);
    await expect(page).toHaveURL(/#\/pages\/order\/index\?tab=history/);
    await expect(onScreen(page).getByText("No settled orders yet")).toBeVisible();
  },
);

test("a form keeps what was typed when the session ends, until its member is back", async ({
  memberPage: page,
  member,
}) => {
  const typed = () => onScreen(page).getByLabel("Last name");
  await open(page, "/pages/auth/Auth");
  await typed().fill("Silva");
  await endElsewhere(member);
  await expectToast(page, "Login expired, please log in again");
  await logIn(page, member.email, PASSWORD);
  await expect(page).toHaveURL(/#\/pages\/auth\/Auth/);
  await expect(typed()).toHaveValue("Silva");
});

test("a token that is no longer valid is noticed at the first call", async ({ memberPage: page, member }) => {
  await endElsewhere(member);
  await open(page, "/pages/assets/index");
  await expectToast(page, "Login expired, please log in again");
  await expect(page).toHaveURL(/#\/pages\/index\/index/);
});

test(
  "two tabs: an order in one shows in the other, and a logout ends both",
  { tag: "@desk" },
  async ({ memberPage: page, context }) => {
    const second = await context.newPage();
    await open(second, "/pages/order/index");
    await expect(onScreen(second).getByText("No open orders")).toBeVisible();
    await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "15" });
    await expect(onScreen(second).getByTestId("position")).toContainText("15.00");

    await open(page, "/pages/user/index");
    await onScreen(page).getByRole("button", { name: "Log out" }).click();
    await expectToast(page, "Operation successful");
    await expect(page).toHaveURL(/#\/pages\/home\/index/);
    await expect(onScreen(page).getByRole("link", { name: "Log in" })).toBeVisible();
    await expect(second).toHaveURL(/#\/pages\/index\/index/);
    expect(await stored(second, "loginState")).toBeNull();
  },
);

test("a device is logged out from the security center", async ({ memberPage: page, member }) => {
  const other = valueOf(await clientOf(null).call(authLogin, { account: member.email, password: PASSWORD }));
  await open(page, "/pages/auth/Safe");
  await expect(onScreen(page).getByText("This device")).toHaveCount(1);
  await onScreen(page)
    .getByRole("button", { name: /^Log out(?! everywhere)/ })
    .click();
  await expect(onScreen(page).getByRole("button", { name: /^Log out(?! everywhere)/ })).toHaveCount(0);
  const answer = await clientOf(other.access_token).call(authSessions, {});
  expect(answer.ok).toBe(false);
});

test("a token removed from storage is noticed at the next tap, also in a sheet", async ({
  memberPage: page,
  member,
}) => {
  const screen = onScreen(page);
  await open(page, "/pages/settings/limits");
  await screen.getByTestId("limit-dailyStake").click();
  await screen.getByRole("dialog").getByLabel("Limit in USD").fill("50");
  // Done within one task of the page: otherwise a call in the background could notice first and close the sheet.
  await screen
    .getByRole("dialog")
    .getByRole("button", { name: "Save" })
    .evaluate((save: HTMLButtonElement) => {
      localStorage.removeItem("exchange2508Token");
      save.click();
    });
  await expectToast(page, "Login expired, please log in again");
  await expect(page).toHaveURL(/#\/pages\/index\/index/);
  await expect(screen.getByRole("dialog")).toHaveCount(0);
  await logIn(page, member.email, PASSWORD);
  await expect(page).toHaveTitle("Responsible trading");
});

/** Measures how long each toast was on the screen, by the frames drawn while it was. */
function timeToasts(): void {
  const seen: Record<string, { first: number; last: number }> = {};
  Object.assign(window, { seenToasts: seen });
  const look = () => {
    const words = document.querySelector(".toast")?.textContent;
    const now = performance.now();
    if (words !== undefined) seen[words] = { first: seen[words]?.first ?? now, last: now };
    requestAnimationFrame(look);
  };
  look();
}

test("opened by its address without a token, the notice stays its full time, also on a slow device", async ({
  memberPage: page,
  member,
}, info) => {
  await page.addInitScript(timeToasts);
  await page.evaluate(() => localStorage.removeItem("exchange2508Token"));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 12 });
  await open(page, "/pages/assets/index");
  await expectToast(page, "Login expired, please log in again");
  await expect(onScreen(page).locator(".toast")).toHaveCount(0, { timeout: 60_000 });
  const { first, last } = await page.evaluate(
    () =>
      (Reflect.get(window, "seenToasts") as Record<string, { first: number; last: number }>)[
        "Login expired, please log in again"
      ]!,
  );
  info.annotations.push({ type: "stood", description: `${last - first} ms` });
  // The last frame with the toast may be drawn up to one slow frame before it is removed.
  expect(last - first).toBeGreaterThan(1_500);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await logIn(page, member.email, PASSWORD);
  await expect(page).toHaveURL(/#\/pages\/assets\/index/);
});

test("a visitor who never had a session is asked to log in and then led on", async ({ page, member }) => {
  await open(page, "/pages/assets/index");
  await expectToast(page, "Log in to continue");
  await expect(page).toHaveURL(/#\/pages\/index\/index/);
  await logIn(page, member.email, PASSWORD);
  await expect(page).toHaveURL(/#\/pages\/assets\/index/);
});

test("a logged-in member is led on from the login screen", async ({ memberPage: page }) => {
  await open(page, "/pages/index/index");
  await expect(page).toHaveURL(/#\/pages\/home\/index/);
  await open(page, "/pages/index/index?next=%2Fpages%2Forder%2Findex");
  await expect(page).toHaveTitle("Orders");
});

test("a login in one tab also logs in the others", async ({ page, member, context }) => {
  const second = await context.newPage();
  await open(second, "/pages/index/index?next=%2Fpages%2Forder%2Findex");
  await expect(second).toHaveTitle("Log in");
  const third = await context.newPage();
  await open(third, "/pages/home/index");
  await expect(onScreen(third).getByRole("link", { name: "Log in" })).toBeVisible();
  await open(page, "/pages/index/index");
  await logIn(page, member.email, PASSWORD);
  await expect(page).toHaveURL(/#\/pages\/home\/index/);
  await expect(second).toHaveTitle("Orders");
  await expect(onScreen(second).getByText("No open orders")).toBeVisible();
  await expect(onScreen(third).locator(".home-assets .price")).toContainText("10,000.00");
});

test("a member who leaves while an order is being placed is told on any screen that it was", async ({
  memberPage: page,
  member,
}) => {
  let answer = () => {};
  const isHeld = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/client/order/place", async (route) => {
    await isHeld;
    await route.continue();
  });
  await openOrderForm(page, STEADY.symbol);
  await fillOrder(page, { direction: "Up", amount: "15" });
  await review(page);
  await placeButton(page).click();
  await open(page, "/pages/assets/index");
  await expect(page).toHaveTitle("Fund details");
  answer();
  await expectToast(page, "Order successful");
  await expect(page).toHaveTitle("Fund details");
  expect(await ordersOf(member)).toHaveLength(1);
});
