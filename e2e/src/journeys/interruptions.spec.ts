import type { Page } from "@playwright/test";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { LIVELY, STEADY } from "../steps/market.ts";
import { orderOf, ordersOf, summaryOf } from "../steps/members.ts";
import {
  expectOutcome,
  fillOrder,
  isAtDesk,
  openOrderForm,
  orderNumber,
  placeButton,
  placeByHand,
  review,
} from "../steps/ordering.ts";

/** Returns the seconds shown by the countdown. */
async function secondsLeft(page: Page): Promise<number> {
  const [minutes = 0, seconds = 0] = (await onScreen(page).getByTestId("countdown").innerText()).split(":").map(Number);
  return minutes * 60 + seconds;
}

test("a running order survives a reload, counts down correctly, and ends", async ({ memberPage: page, member }) => {
  const orderNo = await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "15" });
  await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
  await page.reload();
  await expect(onScreen(page).getByTestId("countdown")).toHaveText(/0:[12][0-9]/);
  const before = Date.now();
  const shown = await secondsLeft(page);
  const after = Date.now();
  const { expiresAt } = await orderOf(member, orderNo);
  // A busy machine may read the countdown late, so its time is only known to be between the two.
  expect(shown).toBeGreaterThan((expiresAt! - after) / 1000 - 2);
  expect(shown).toBeLessThan((expiresAt! - before) / 1000 + 2);

  await test.step("a new tab, as after a crash, shows it on home and among the positions", async () => {
    await open(page, "/pages/home/index");
    await expect(onScreen(page).getByRole("region", { name: "Running now" })).toContainText(STEADY.name);
    await open(page, "/pages/order/index");
    await page.reload();
    await onScreen(page).getByTestId("position").click();
    await onScreen(page).getByRole("link", { name: "Watch live" }).click();
  });
  await expectOutcome(page, "Tied");
  await expect(onScreen(page).getByTestId("available-now")).toContainText("10,000.00");
});

test("going offline is reported at once; back online, prices resume and a result from the meantime is shown", async ({
  memberPage: page,
  member,
  context,
}, info) => {
  const orderNo = await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "15" });
  await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
  // If it were still sealed, it would wait for this device to open it.
  await expect.poll(async () => (await orderOf(member, orderNo)).direction).toBe("up");
  await context.setOffline(true);
  await expect(
    onScreen(page).getByText(/No connection since \d\d:\d\d:\d\d\. We’re trying to reconnect/),
  ).toBeVisible();
  await picture(page, info, "interruptions-01-offline");
  await expect.poll(async () => (await orderOf(member, orderNo)).state, { timeout: 120_000 }).toBe("settled");
  await expect(onScreen(page).getByTestId("countdown")).toHaveText("0:00");

  await context.setOffline(false);
  await expectOutcome(page, "Tied");
  await expect(onScreen(page).getByText(/No connection since/)).toBeHidden();
  await open(page, "/pages/market/index");
  const row = onScreen(page).getByRole("link", { name: new RegExp(LIVELY.name) });
  const before = await row.innerText();
  await expect.poll(() => row.innerText()).not.toBe(before);
});

test("if responses to an order are lost, it is sent again and placed once", async ({
  memberPage: page,
  member,
}, info) => {
  const ids: (string | null)[] = [];
  await page.route("**/client/order/place", async (route) => {
    ids.push(new URLSearchParams(route.request().postData() ?? "").get("clientOrderId"));
    if (ids.length > 4) return route.continue();
    // The server receives it and responds, but the response never arrives.
    await route.fetch();
    return route.abort("connectionreset");
  });
  await openOrderForm(page, STEADY.symbol);
  await fillOrder(page, { direction: "Down", amount: "15" });
  await review(page);
  await placeButton(page).click();
  await expect(
    onScreen(page).getByText("We haven’t heard back. We’re asking again with the same number"),
  ).toBeVisible();
  await picture(page, info, "interruptions-02-cut");
  await expectToast(page, "Order successful");
  await expect(onScreen(page).getByTestId("countdown")).toBeVisible();

  expect(ids).toHaveLength(5);
  expect(new Set(ids).size).toBe(1);
  expect(await ordersOf(member)).toHaveLength(1);
  expect(await summaryOf(member)).toMatchObject({ available: "9984.85", locked: "15.15" });
});

test("a reload while an order is being placed finds that order instead of placing another", async ({
  memberPage: page,
  member,
}) => {
  let isCut = true;
  await page.route("**/client/order/place", async (route) => {
    if (!isCut) return route.continue();
    await route.fetch();
    return route.abort("connectionreset");
  });
  await openOrderForm(page, STEADY.symbol);
  await fillOrder(page, { direction: "Down", amount: "15" });
  await review(page);
  await placeButton(page).click();
  await expect(onScreen(page).getByText("We haven’t heard back.")).toBeVisible();
  isCut = false;
  await page.reload();
  await expect(onScreen(page).getByTestId("countdown")).toBeVisible();
  expect(await ordersOf(member)).toHaveLength(1);
});

test("a double click on the button places one order", { tag: "@desk" }, async ({ memberPage: page, member }) => {
  await openOrderForm(page, STEADY.symbol);
  await fillOrder(page, { direction: "Up", amount: "15" });
  await review(page);
  await placeButton(page).dblclick();
  await orderNumber(page);
  await expect(onScreen(page).getByTestId("countdown")).toBeVisible();
  expect(await ordersOf(member)).toHaveLength(1);
  expect(await summaryOf(member)).toMatchObject({ locked: "15.15" });
});

test(
  "the second click of a double click doesn't press anything that appeared in between",
  { tag: "@desk" },
  async ({ memberPage: page, member }) => {
    await openOrderForm(page, STEADY.symbol);
    await fillOrder(page, { direction: "Up", amount: "15" });
    await review(page);
    await placeButton(page).click();
    const leave = onScreen(page).getByRole("button", { name: "See all positions" });
    // At a desk the ticket's next order takes its place.
    await expect(isAtDesk(page) ? onScreen(page).getByTestId("ticket") : leave).toBeVisible();
    // It is where the button that placed the order was.
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await expect(onScreen(page).getByTestId("confirm")).toHaveCount(0);
    await orderNumber(page);
    await expect(onScreen(page).getByTestId("countdown")).toBeVisible();
    await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
    expect(await ordersOf(member)).toHaveLength(1);
    await leave.click();
    await expect(onScreen(page).getByTestId("position")).toBeVisible();
  },
);
