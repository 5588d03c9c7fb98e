import { authLogin, authRevokeSession, authSessions } from "@fairtick/protocol";
import { logIn } from "../steps/account.ts";
import { expect, expectToast, onScreen, open, stored, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { clientOf, PASSWORD, valueOf } from "../steps/members.ts";
import { placeByHand } from "../steps/ordering.ts";

test("a session ended on another device: said, and after a new login one is back where one was", async ({
  memberPage: page,
  member,
}, info) => {
  await open(page, "/pages/order/index?tab=history");
  await expect(onScreen(page).getByText("No settled orders yet")).toBeVisible();

  const other = valueOf(await clientOf(null).call(authLogin, { account: member.email, password: PASSWORD }));
  const device = clientOf(other.access_token);
  const sessions = valueOf(await device.call(authSessions, {}));
  const here = sessions.find(({ current }) => !current);
  valueOf(await device.call(authRevokeSession, { sessionId: here!.sessionId }));

  await expectToast(page, "Login expired, please log in again");
  await expect(page).toHaveURL(/#\/pages\/index\/index/);
  await picture(page, info, "sessions-01-login");
  expect(await stored(page, "exchange2508Token")).toBeNull();
  await logIn(page, member.email, PASSWORD);
  await expect(page).toHaveURL(/#\/pages\/order\/index\?tab=history/);
  await expect(onScreen(page).getByText("No settled orders yet")).toBeVisible();
});

test("a token that no longer holds is noticed at the first call", async ({ memberPage: page, member }) => {
  const other = valueOf(await clientOf(null).call(authLogin, { account: member.email, password: PASSWORD }));
  const device = clientOf(other.access_token);
  const sessions = valueOf(await device.call(authSessions, {}));
  for (const { current, sessionId } of sessions)
    if (!current) valueOf(await device.call(authRevokeSession, { sessionId }));
  await open(page, "/pages/assets/index");
  await expectToast(page, "Login expired, please log in again");
  await expect(page).toHaveURL(/#\/pages\/index\/index/);
});

test("two tabs: an order in one shows in the other, and a logout ends both", async ({ memberPage: page, context }) => {
  const second = await context.newPage();
  await open(second, "/pages/order/index");
  await expect(onScreen(second).getByText("Nothing is running")).toBeVisible();
  await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "15" });
  await expect(onScreen(second).getByTestId("position")).toContainText("15.00");

  await open(page, "/pages/user/index");
  await onScreen(page).getByRole("button", { name: "Log out" }).click();
  await expectToast(page, "Operation successful");
  await expect(page).toHaveURL(/#\/pages\/home\/index/);
  await expect(onScreen(page).getByRole("link", { name: "Log in" })).toBeVisible();
  await expect(second).toHaveURL(/#\/pages\/index\/index/);
  expect(await stored(second, "loginState")).toBeNull();
});

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
