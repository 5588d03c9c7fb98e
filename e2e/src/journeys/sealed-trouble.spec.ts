import { orderDetail, userSetSettings, userSummary } from "@fairtick/protocol";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { LIVELY } from "../steps/market.ts";
import { type Member, valueOf } from "../steps/members.ts";
import { placeByHand } from "../steps/ordering.ts";

// Sealed orders on devices with problems: a wrong clock, wiped storage, a second device.

const ORDER = { symbol: LIVELY.symbol, direction: "Up", amount: "10" } as const;
const PROFIT = { won: "8.10", lost: "-10.10", tied: "0.00" } as const;

async function detailOf({ client }: Member, orderNo: string) {
  return valueOf(await client.call(orderDetail, { orderNo }));
}

async function availableOf({ client }: Member): Promise<number> {
  return Number(valueOf(await client.call(userSummary, { wallet: "practice" })).available);
}

/** Expects an order upwards to be settled, with the money that its outcome pays. */
async function expectMoneyRight(member: Member, orderNo: string, before: number): Promise<void> {
  await expect
    .poll(async () => (await detailOf(member, orderNo)).outcome, { timeout: 90_000 })
    .toMatch(/^(?:won|lost|tied)$/);
  const settled = await detailOf(member, orderNo);
  const profit = PROFIT[settled.outcome as keyof typeof PROFIT];
  expect(settled).toMatchObject({ direction: "up", profit });
  await expect.poll(async () => availableOf(member)).toBeCloseTo(before + Number(profit), 2);
}

async function awaitEnd(member: Member, orderNo: string): Promise<void> {
  const isOver = async () => {
    const { serverTime, expiresAt } = await detailOf(member, orderNo);
    return expiresAt !== null && serverTime > expiresAt + 6_000;
  };
  await expect.poll(isOver, { timeout: 90_000, intervals: [1_000] }).toBe(true);
}

/** Shifts the page's clock, as on a device whose clock is wrong. */
function shiftClock(ms: number): void {
  const Real = Date;
  globalThis.Date = new Proxy(Real, {
    construct: (_, given: []) => (given.length === 0 ? new Real(Real.now() + ms) : new Real(...given)),
    apply: () => new Real(Real.now() + ms).toString(),
    get: (target, name, receiver: unknown) =>
      name === "now" ? () => Real.now() + ms : (Reflect.get(target, name, receiver) as unknown),
  });
}

for (const [name, hours, verified, said] of [
  ["an hour slow", -1, /^(?:ok|pending)$/, null],
  // Such a device can't tell whether the log has been standing still for an hour.
  ["an hour fast", 1, "unchecked", "Set the clock, then check again."],
] as const)
  test(`a device whose clock is ${name} places an order, opens it and sees it settled correctly`, async ({
    memberPage: page,
    member,
    context,
  }, info) => {
    test.slow();
    await context.addInitScript(shiftClock, hours * 3_600_000);
    const before = await availableOf(member);
    const orderNo = await placeByHand(page, ORDER);
    expect(Math.round((await page.evaluate(() => Date.now() - performance.timeOrigin)) / 3_600_000)).toBe(hours);
    // Opened about a second after acceptance, whatever the device's clock says.
    await expect.poll(async () => (await detailOf(member, orderNo)).direction, { timeout: 15_000 }).toBe("up");
    await expect(onScreen(page).getByTestId("countdown")).toHaveText(/^0?0:[0-3][0-9]/);
    await picture(page, info, `clock-${hours}-running`);
    await expectMoneyRight(member, orderNo, before);
    await expect(onScreen(page).getByTestId("outcome")).toHaveText(/^(?:Won|Lost|Tied)$/);
    await expect(onScreen(page).getByTestId("verify-line")).toHaveAttribute("data-state", verified);
    if (said !== null) await expect(onScreen(page).getByTestId("verify-line")).toContainText(said);
    await expect(page.getByTestId("alarm")).toHaveCount(0);
    await picture(page, info, `clock-${hours}-result`);
  });

/** Does what “Clear site data” does to the app's stored orders. */
async function wipe(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
}

test("storage wiped while the app is open loses nothing: the page that placed the order opens it", async ({
  memberPage: page,
  member,
  context,
}) => {
  test.slow();
  valueOf(await member.client.call(userSetSettings, { sealUntilEnd: true }));
  await open(page, "/pages/home/index");
  const before = await availableOf(member);
  const orderNo = await placeByHand(page, ORDER);
  await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
  await wipe(context, page);
  expect(await detailOf(member, orderNo)).toMatchObject({ direction: null, sealed: true });
  await expectMoneyRight(member, orderNo, before);
});

test("storage wiped before the app could open its order: the app says so, and the stake stays held", async ({
  memberPage: page,
  member,
  context,
}, info) => {
  test.slow();
  valueOf(await member.client.call(userSetSettings, { sealUntilEnd: true }));
  await open(page, "/pages/home/index");
  const before = await availableOf(member);
  const orderNo = await placeByHand(page, ORDER);
  await wipe(context, page);
  await page.close();
  await awaitEnd(member, orderNo);

  const later = await context.newPage();
  await logInByStorage(later, member);
  await open(later, `/pages/trade/trade?orderNo=${orderNo}`);
  const said = onScreen(later).getByTestId("left-sealed");
  await expect(said).toContainText("This order has ended but is still sealed, so 10.10 USD stays held.");
  await expect(said).toContainText("after that, the order counts as lost");
  await expect(onScreen(later).getByText("Waiting to be opened")).toBeVisible();
  await picture(later, info, "wiped-01-order");
  await open(later, `/pages/order/index?orderNo=${orderNo}`);
  await expect(onScreen(later).getByTestId("left-sealed")).toBeVisible();
  await picture(later, info, "wiped-02-list");
  // One order without an outcome, held until somebody opens it or its week is over.
  expect(await detailOf(member, orderNo)).toMatchObject({ state: "open", outcome: null, direction: null });
  expect(await availableOf(member)).toBeCloseTo(before - 10.1, 2);
});

test("another device shows a sealed order as sealed, and its result once it is opened", async ({
  memberPage: page,
  member,
  browser,
}, info) => {
  test.slow();
  valueOf(await member.client.call(userSetSettings, { sealUntilEnd: true }));
  await open(page, "/pages/home/index");
  const before = await availableOf(member);
  const orderNo = await placeByHand(page, ORDER);
  const other = await (await browser.newContext()).newPage();
  await logInByStorage(other, member);
  await open(other, "/pages/order/index");
  await expect(onScreen(other).getByTestId("position")).toContainText("Sealed");
  await open(other, `/pages/trade/trade?orderNo=${orderNo}`);
  await expect(onScreen(other).getByTestId("sealed-elsewhere")).toContainText("Only the device that placed this order");
  await expect(onScreen(other).getByText("Sealed", { exact: true }).first()).toBeVisible();
  await picture(other, info, "two-devices-01-sealed");
  await expectMoneyRight(member, orderNo, before);
  await expect(onScreen(other).getByTestId("outcome")).toHaveText(/^(?:Won|Lost|Tied)$/);
  await expect(onScreen(other).getByText("Up", { exact: true }).first()).toBeVisible();
  await expect(onScreen(page).getByTestId("outcome")).toHaveText(/^(?:Won|Lost|Tied)$/);
  await picture(other, info, "two-devices-02-result");
});
