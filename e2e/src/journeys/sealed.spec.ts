import { deviceList, orderDetail, orderPlace } from "@fairtick/protocol";
import { expect, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { type Member, TRADE_PASSWORD, valueOf } from "../steps/members.ts";
import { fillOrder, openOrderForm, orderNumber, place, placeButton, placeByHand, review } from "../steps/ordering.ts";
import { listenToWhatIsTold } from "../steps/told.ts";

const ORDER = { symbol: STEADY.symbol, direction: "Up", amount: "10" } as const;
/** Time for an order of 30 s with its entry and its settlement. */
const SETTLED_MS = 90_000;

async function detailOf({ client }: Member, orderNo: string) {
  return valueOf(await client.call(orderDetail, { orderNo }));
}

test("the house accepts an order without knowing its direction and learns it a moment later", async ({
  memberPage: page,
  member,
}, info) => {
  const orders: string[] = [];
  for (const direction of ["Up", "Down"] as const) {
    await openOrderForm(page, ORDER.symbol);
    await expect(
      onScreen(page).getByText("We can’t see your direction until we’ve accepted your order."),
    ).toBeVisible();
    await picture(page, info, `sealed-01-form-${direction}`);
    await fillOrder(page, { ...ORDER, direction });
    await review(page);
    await place(page);
    orders.push(await orderNumber(page));
    // Don't leave before the entry is shown: by then the sheet's own history entry is removed.
    await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
    await expect(onScreen(page).getByText(direction, { exact: true }).first()).toBeVisible();
  }

  for (const [index, direction] of ["up", "down"].entries())
    await expect
      .poll(async () => (await detailOf(member, orders[index] ?? "")).direction, { timeout: 15_000 })
      .toBe(direction);
  expect(await detailOf(member, orders[0] ?? "")).toMatchObject({ sealed: true });

  await test.step("the device keeps evidence of each and found nothing wrong with the responses", async () => {
    await expect.poll(() => page.evaluate(answersFound)).toEqual(["ok", "ok"]);
    await expect(page.getByTestId("alarm")).toHaveCount(0);
  });
});

/** Returns what this browser found when it checked the responses to its orders. */
async function answersFound(): Promise<unknown[]> {
  const request = indexedDB.open("fairtickEvidence");
  const done = (asked: IDBRequest) =>
    new Promise((resolve, reject) => {
      asked.addEventListener("success", () => resolve(asked.result));
      asked.addEventListener("error", () => reject(asked.error ?? new Error("not read")));
    });
  const database = (await done(request)) as IDBDatabase;
  const kept = (await done(database.transaction("evidence").objectStore("evidence").getAll())) as {
    answered: unknown;
  }[];
  database.close();
  return kept.map(({ answered }) => answered);
}

test("a second device places orders after confirming with the transaction password, until it is removed", async ({
  memberPage: page,
  member,
  browser,
}, info) => {
  await placeByHand(page, ORDER);
  const context = await browser.newContext();
  const other = await context.newPage();
  await logInByStorage(other, member);
  await test.step("the password is asked for once, in the same sheet", async () => {
    await openOrderForm(other, ORDER.symbol);
    await fillOrder(other, ORDER);
    await review(other);
    await placeButton(other).click();
    const sheet = onScreen(other).getByTestId("confirm");
    await expect(sheet).toContainText("You haven’t placed orders from this device before.");
    await picture(other, info, "sealed-02-new-device");
    await expect(sheet.getByLabel("Transaction password", { exact: true })).toBeFocused();
    await other.keyboard.type("111111");
    await placeButton(other).click();
    await expect(sheet).toContainText("transaction password");
    await expect(sheet.getByText(/left/)).toBeVisible();
    await sheet.getByLabel("Transaction password", { exact: true }).fill(TRADE_PASSWORD);
    await placeButton(other).click();
    const first = await orderNumber(other);
    await expect.poll(async () => (await detailOf(member, first)).direction).toBe("up");
    // Nothing is asked from the second order on.
    await openOrderForm(other, ORDER.symbol);
    await fillOrder(other, ORDER);
    await review(other);
    await placeButton(other).click();
    expect(await orderNumber(other)).not.toBe(first);
  });

  await test.step("both are listed, and one can be removed", async () => {
    await open(page, "/pages/auth/Safe");
    const devices = onScreen(page).getByTestId("order-devices");
    await expect(devices.getByRole("button", { name: /^Remove/ })).toHaveCount(2);
    await expect(devices.getByText("This device")).toHaveCount(1);
    await picture(page, info, "sealed-03-devices");
    await devices
      .getByRole("button", { name: /^Remove/ })
      .first()
      .click();
    await onScreen(page).getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(devices.getByRole("button", { name: /^Remove/ })).toHaveCount(1);
    await expect(devices.getByText("This device")).toHaveCount(1);
  });

  await test.step("the removed device is asked again", async () => {
    await openOrderForm(other, ORDER.symbol);
    await fillOrder(other, ORDER);
    await review(other);
    await placeButton(other).click();
    await expect(onScreen(other).getByTestId("confirm")).toContainText("You haven’t placed orders from this device");
  });
  const known = valueOf(await member.client.call(deviceList, {}));
  expect(known.filter(({ removedAt }) => removedAt === null)).toHaveLength(1);
  await context.close();
});

/**
 * Drops reveals in the page, as if the app were closed too early. It can't be done at the network, because a request
 * under way may still get through when a page closes.
 */
function holdBackReveals(): void {
  const send = window.fetch.bind(window);
  window.fetch = (...args) => {
    const isHeld =
      new Request(...args).url.includes("order/reveal") && localStorage.getItem("journeyHoldsBack") !== null;
    return isHeld ? Promise.reject(new TypeError("the page is being closed")) : send(...args);
  };
}

test("an app closed before it could open its order does so at the next start, and the money is right", async ({
  memberPage: page,
  member,
  context,
}) => {
  test.slow();
  await context.addInitScript(holdBackReveals);
  await page.evaluate(() => localStorage.setItem("journeyHoldsBack", "yes"));
  const orderNo = await placeByHand(page, ORDER);
  await page.close();
  expect(await detailOf(member, orderNo)).toMatchObject({ direction: null, sealed: true });

  await test.step("its own list shows the direction before the house knows it", async () => {
    const again = await context.newPage();
    await open(again, "/pages/order/index");
    await expect(onScreen(again).getByTestId("position")).toContainText("Up");
    await again.close();
  });

  // It expires while nobody can open it, so it waits and isn't lost.
  await expect.poll(async () => (await detailOf(member, orderNo)).expiresAt, { timeout: 30_000 }).not.toBeNull();
  const { expiresAt } = await detailOf(member, orderNo);
  await expect.poll(() => Date.now(), { timeout: SETTLED_MS }).toBeGreaterThan((expiresAt ?? 0) + 3_000);
  expect(await detailOf(member, orderNo)).toMatchObject({ outcome: null });

  const later = await context.newPage();
  await later.goto("/health/live");
  await later.evaluate(() => localStorage.removeItem("journeyHoldsBack"));
  await open(later, "/pages/home/index");
  await expect
    .poll(async () => (await detailOf(member, orderNo)).outcome, { timeout: 30_000 })
    .toMatch(/^(?:won|lost|tied)$/);
  const settled = await detailOf(member, orderNo);
  const expected = { won: "8.10", lost: "-10.10", tied: "0.00" };
  expect(settled).toMatchObject({ direction: "up", profit: expected[settled.outcome as keyof typeof expected] });
});

test("a browser that can't store anything says so and sends nothing", async ({ memberPage: page, context }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "indexedDB", {
      value: {
        open: () => {
          throw new DOMException("denied", "SecurityError");
        },
      },
    });
  });
  const told = await listenToWhatIsTold(context, orderPlace.path);
  await openOrderForm(page, ORDER.symbol);
  await fillOrder(page, ORDER);
  await review(page);
  await placeButton(page).click();
  await expect(onScreen(page).getByTestId("confirm").getByRole("alert")).toContainText(
    "This browser doesn’t let Fairtick store anything",
  );
  expect(told.texts.length).toBeGreaterThan(0);
  expect(told.texts.filter((text) => text.includes(orderPlace.path))).toEqual([]);
});
