import type { Page } from "@playwright/test";
import { expect, expectAnyToast, onScreen, open } from "./journey.ts";

export interface Typed {
  readonly symbol: string;
  readonly direction: "Up" | "Down";
  readonly amount: string;
  /** As on its chip: "30 s". */
  readonly duration?: string;
  readonly limit?: string;
}

/** A product that has just started and shares two cores with other journeys may take this long for its first screen. */
const FIRST_SCREEN_MS_MAX = 90_000;

/** Opens the order screen of an instrument and waits until it shows a live price. */
export async function openOrderForm(page: Page, symbol: string): Promise<void> {
  await open(page, `/pages/trade/trade?symbol=${symbol}`);
  await expect(onScreen(page).getByTestId("live-price").first()).toHaveText(/[0-9]/, { timeout: FIRST_SCREEN_MS_MAX });
}

/** Returns whether the page is at least 768 px wide: the ticket is then beside the charts, with the direction last. */
export function isAtDesk(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) >= 768;
}

const directions = new WeakMap<Page, Typed["direction"]>();

/** Types an order into the form; 30 s unless told otherwise. */
export async function fillOrder(page: Page, order: Omit<Typed, "symbol">): Promise<void> {
  directions.set(page, order.direction);
  if (!isAtDesk(page)) await onScreen(page).getByRole("button", { name: order.direction, exact: true }).click();
  await onScreen(page).getByRole("textbox", { name: "Amount" }).fill(order.amount);
  await page
    .getByRole("radiogroup", { name: "Delivery time" })
    .getByText(order.duration ?? "30 s", { exact: true })
    .click();
  if (order.limit !== undefined) {
    await onScreen(page).getByRole("switch", { name: "Limit price" }).click();
    await onScreen(page).getByRole("textbox", { name: "Limit price" }).fill(order.limit);
  }
}

export async function review(page: Page): Promise<void> {
  const leads = isAtDesk(page) ? new RegExp(`^${directions.get(page) ?? "Up"}`) : /^Review/;
  await onScreen(page).getByRole("button", { name: leads }).click();
  await expect(onScreen(page).getByTestId("confirm")).toBeVisible();
}

export function placeButton(page: Page) {
  return onScreen(page)
    .getByTestId("confirm")
    .getByRole("button", { name: /^Place order/ });
}

const ACCEPTED = "Order successful";
/** Refusals that a slow machine explains. */
const HELD_UP = [
  "The price of this product is out of date",
  "Your order reached us too late for the price on your screen",
];
/** How often an order is sent if it is refused because it was held up. */
const SENT_MAX = 5;

/**
 * Sends an order and waits for its acceptance. A machine that runs several journeys may hold prices or the order up for
 * seconds, and then the house rightly refuses it. It is sent again, as members do.
 */
export async function sendUntilAccepted(page: Page, send: () => Promise<void>): Promise<void> {
  for (let sent = 0; sent < SENT_MAX; sent += 1) {
    await send();
    if ((await expectAnyToast(page, [ACCEPTED, ...HELD_UP])) === ACCEPTED) return;
    // The button is off while the price is stale, so the next click waits for a new one.
  }
  throw new Error(`the order was held up and refused ${SENT_MAX} times`);
}

/** Presses the button that places the reviewed order, and waits for its acceptance. */
export async function place(page: Page): Promise<void> {
  await sendUntilAccepted(page, () => placeButton(page).click());
}

/** Fills in and places an order; returns the number of the running order from the address. */
export async function placeByHand(page: Page, order: Typed): Promise<string> {
  await openOrderForm(page, order.symbol);
  await fillOrder(page, order);
  await review(page);
  await place(page);
  return orderNumber(page);
}

/** Returns the number of the order on the screen. At a desk, it opens the newest order in the dock first. */
export async function orderNumber(page: Page): Promise<string> {
  if (isAtDesk(page) && !page.url().includes("orderNo=")) {
    const newest = onScreen(page).locator("tr[data-testid=desk-position], tr[data-testid=desk-ended]").first();
    await newest.getByRole("link").click();
  }
  await page.waitForURL(/orderNo=/);
  const orderNo = new URLSearchParams(page.url().split("?")[1]).get("orderNo");
  if (!orderNo) throw new Error(`no order number in ${page.url()}`);
  return orderNo;
}

/** Waits for the result of the order on the screen: 30 s, and a moment more for the seal. */
export async function expectOutcome(page: Page, outcome: string): Promise<void> {
  await orderNumber(page);
  await expect(onScreen(page).getByTestId("outcome")).toHaveText(outcome, { timeout: 120_000 });
}
