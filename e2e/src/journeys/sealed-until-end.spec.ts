import { orderDetail, orderReceipt, userSetSettings, userSettings } from "@fairtick/protocol";
import type { Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, picture } from "../steps/look.ts";
import { LIVELY } from "../steps/market.ts";
import { type Member, valueOf } from "../steps/members.ts";
import { openOrderForm, placeByHand } from "../steps/ordering.ts";

// Members can choose that the house learns an order's direction only after its expiry.

const ORDER = { symbol: LIVELY.symbol, direction: "Up", amount: "10" } as const;
const PROFIT = { won: "8.10", lost: "-10.10", tied: "0.00" } as const;

async function detailOf({ client }: Member, orderNo: string) {
  return valueOf(await client.call(orderDetail, { orderNo }));
}

/** Returns when the order was opened, from the house's signed receipt. */
async function revealedAt({ client }: Member, orderNo: string): Promise<number> {
  const receipt = valueOf(await client.call(orderReceipt, { orderNo })) as {
    seal: { opened: { revealedAt: number } | null } | null;
  };
  return receipt.seal?.opened?.revealedAt ?? 0;
}

/** Polls the order while it runs, expecting the house not to know its direction. Returns its expiry. */
async function expectSealedToTheEnd(member: Member, orderNo: string): Promise<number> {
  await expect.poll(async () => (await detailOf(member, orderNo)).expiresAt, { timeout: 30_000 }).not.toBeNull();
  const expiresAt = (await detailOf(member, orderNo)).expiresAt ?? 0;
  const known: unknown[] = [];
  const look = async () => {
    const { serverTime, direction } = await detailOf(member, orderNo);
    if (serverTime < expiresAt) known.push(direction);
    return serverTime;
  };
  await expect.poll(look, { intervals: [500], timeout: 90_000 }).toBeGreaterThanOrEqual(expiresAt);
  expect(known.length).toBeGreaterThan(10);
  expect(known.every((direction) => direction === null)).toBe(true);
  return expiresAt;
}

async function expectSettled(member: Member, orderNo: string, expiresAt: number): Promise<void> {
  await expect
    .poll(async () => (await detailOf(member, orderNo)).outcome, { timeout: 60_000 })
    .toMatch(/^(?:won|lost|tied)$/);
  const settled = await detailOf(member, orderNo);
  expect(settled).toMatchObject({ direction: "up", profit: PROFIT[settled.outcome as keyof typeof PROFIT] });
  const opened = await revealedAt(member, orderNo);
  expect(opened).toBeGreaterThanOrEqual(expiresAt);
  expect((settled.settledAt ?? 0) - opened).toBeLessThan(10_000);
}

function revealsOf(page: Page): number[] {
  const times: number[] = [];
  page.on("request", (request) => {
    if (request.url().includes("order/reveal")) times.push(Date.now());
  });
  return times;
}

test("an order sealed until its expiry is opened and settled right after it", async ({
  memberPage: page,
  member,
}, info) => {
  test.slow();
  await test.step("it is off unless chosen", async () => {
    expect(valueOf(await member.client.call(userSettings, {})).sealUntilEnd).toBe(false);
  });

  await test.step("it is chosen in the settings and shown on the form", async () => {
    await open(page, "/pages/settings/index");
    await onScreen(page).getByRole("switch", { name: "Keep orders sealed until they end" }).click();
    await expect.poll(async () => valueOf(await member.client.call(userSettings, {})).sealUntilEnd).toBe(true);
    await picture(page, info, "until-end-01-settings");
    await openOrderForm(page, ORDER.symbol);
    await expect(onScreen(page).getByText("We can’t see your direction until your order has ended.")).toBeVisible();
  });

  const reveals = revealsOf(page);
  const orderNo = await placeByHand(page, ORDER);
  await test.step("the device shows the direction it chose and says when it will open it", async () => {
    await expect(onScreen(page).getByText("Up", { exact: true }).first()).toBeVisible();
    await expect(onScreen(page).getByTestId("opens-at-end")).toBeVisible();
    await picture(page, info, "until-end-02-running");
    await expectAccessible(page, "until-end");
  });

  const expiresAt = await expectSealedToTheEnd(member, orderNo);
  await expectSettled(member, orderNo, expiresAt);
  expect(reveals).toHaveLength(1);
  await test.step("the result is shown, and this browser finds nothing wrong with it", async () => {
    await expect(onScreen(page).getByTestId("outcome")).toHaveText(/^(?:Won|Lost|Tied)$/);
    await expect(onScreen(page).getByTestId("verify-line")).toHaveAttribute("data-state", /^(?:ok|pending)$/);
    await expect(page.getByTestId("alarm")).toHaveCount(0);
    await picture(page, info, "until-end-03-result");
  });
});

test("an app closed before the expiry opens such an order at its next start", async ({ memberPage: page, member }) => {
  test.slow();
  valueOf(await member.client.call(userSetSettings, { sealUntilEnd: "true" }));
  await open(page, "/pages/home/index");
  const reveals = revealsOf(page);
  const orderNo = await placeByHand(page, ORDER);
  await page.close();
  const expiresAt = await expectSealedToTheEnd(member, orderNo);
  expect(reveals).toEqual([]);
  const later = await page.context().newPage();
  await open(later, "/pages/home/index");
  await expectSettled(member, orderNo, expiresAt);
});

test.describe("with the service worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("an order sealed until its expiry is opened after it while no page is open", async ({
    memberPage: page,
    member,
    context,
  }) => {
    test.slow();
    valueOf(await member.client.call(userSetSettings, { sealUntilEnd: "true" }));
    await page.goto("/#/pages/market/index");
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const orderNo = await placeByHand(page, ORDER);
    await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
    await page.close();
    expect(context.pages()).toEqual([]);
    const expiresAt = await expectSealedToTheEnd(member, orderNo);
    await expectSettled(member, orderNo, expiresAt);
  });
});
