import { userSettings } from "@fairtick/protocol";
import type { Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { ordersOf, placeByCall, valueOf } from "../steps/members.ts";
import { sendUntilAccepted } from "../steps/ordering.ts";

const ticket = (page: Page) => onScreen(page).getByTestId("ticket");
const confirm = (page: Page) => onScreen(page).getByTestId("confirm");

/** Changes a setting and waits until the server has saved it. */
async function keep(page: Page, change: () => Promise<void>): Promise<void> {
  const saved = page.waitForResponse(/client\/user\/setSettings/);
  await change();
  await saved;
}

test("the order confirmation can be turned off where it asks and on again in the ticket", async ({
  memberPage: page,
  member,
}, info) => {
  const kept = async () => valueOf(await member.client.call(userSettings, {})).confirmOrders;
  await open(page, `/pages/trade/index?symbol=${STEADY.symbol}`);
  await ticket(page).getByRole("button", { name: "Buy up" }).tap();
  await keep(page, () => confirm(page).getByRole("switch", { name: "Order confirmation" }).tap());
  await expectAccessible(page, "confirmation with its setting");
  await picture(page, info, "in-place-01-confirmation");
  // Turning it off doesn't confirm this order, which still waits for its own tap.
  expect(await ordersOf(member)).toEqual([]);
  expect(await kept()).toBe(false);
  await page.keyboard.press("Escape");
  const down = ticket(page).getByRole("button", { name: "Buy down" });
  await sendUntilAccepted(page, () => down.tap());
  expect(await ordersOf(member)).toHaveLength(1);
  await picture(page, info, "in-place-02-one-tap");
  await keep(page, () => ticket(page).getByRole("button", { name: "Confirm first" }).tap());
  await ticket(page).getByRole("button", { name: "Buy down" }).tap();
  await expect(confirm(page)).toContainText("Down: exit below entry");
  expect(await ordersOf(member)).toHaveLength(1);
  expect(await kept()).toBe(true);
});

test(
  "a result offers its sound and vibration settings, and the order form its confirmation setting",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const { orderNo } = await placeByCall(member, {
      symbol: STEADY.symbol,
      direction: "up",
      stake: "7.00",
      limitPrice: "100.0000",
    });
    await open(page, `/pages/trade/trade?orderNo=${orderNo}`);
    await expect(onScreen(page).getByTestId("outcome")).toHaveText("Voided", { timeout: 60_000 });
    await keep(page, () => onScreen(page).getByRole("switch", { name: "Sounds" }).click());
    await keep(page, () => onScreen(page).getByRole("switch", { name: "Haptics" }).click());
    await picture(page, info, "in-place-03-result");
    expect(valueOf(await member.client.call(userSettings, {}))).toMatchObject({ sounds: true, haptics: false });
    await open(page, `/pages/trade/trade?symbol=${STEADY.symbol}`);
    await keep(page, () => onScreen(page).getByRole("switch", { name: "Order confirmation" }).click());
    await expectAccessible(page, "order form with its setting");
    await open(page, "/pages/settings/index");
    await expect(onScreen(page).getByRole("switch", { name: "Sounds" })).toBeChecked();
    await expect(onScreen(page).getByRole("switch", { name: "Order confirmation" })).not.toBeChecked();
  },
);

test("notifications can be turned on beside notices and alerts, and the language can be chosen without an account", async ({
  memberPage: page,
  browser,
}) => {
  for (const [route, title] of [
    ["/pages/notice/index", "Notices"],
    ["/pages/notice/index?kind=message", "Notices"],
    ["/pages/market/alerts", "Price alerts"],
  ] as const) {
    await open(page, route);
    // The previous screen has such a switch too.
    await expect(page).toHaveTitle(title);
    await expect(onScreen(page).getByRole("switch", { name: "Notifications" })).toBeVisible();
    await expectAccessible(page, route);
  }
  const visitor = await browser.newPage();
  for (const route of ["/pages/index/index", "/pages/index/Register"]) {
    await open(visitor, route);
    await onScreen(visitor).getByRole("link", { name: "Language: English" }).click();
    await expect(visitor).toHaveTitle("Language");
    await visitor.goBack();
  }
  await visitor.close();
});
