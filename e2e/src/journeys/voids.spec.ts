import { setTimeout as pause } from "node:timers/promises";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { moved, sayOnce, scriptedPrice, setPrice, STEADY, steered } from "../steps/market.ts";
import { orderOf, placeByCall, summaryOf } from "../steps/members.ts";
import {
  expectOutcome,
  fillOrder,
  isAtDesk,
  openOrderForm,
  orderNumber,
  place,
  placeButton,
  placeByHand,
  review,
} from "../steps/ordering.ts";

/** A quote sent just before the silence becomes a tick within a slot of 100 ms. */
const LAST_QUOTE_MS = 400;

test(
  "an order whose entry price is beyond its limit is voided, and everything is returned",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const limit = moved(await scriptedPrice(STEADY.symbol), -10);
    await openOrderForm(page, STEADY.symbol);
    await fillOrder(page, { direction: "Up", amount: "25", limit });
    const passed = onScreen(page).getByText("The price is already above your limit.");
    // A ticket at a desk doesn't know the direction before its confirm step.
    if (!isAtDesk(page)) await expect(passed).toBeVisible();
    await review(page);
    if (isAtDesk(page)) await expect(passed).toBeVisible();
    await expect(onScreen(page).getByTestId("confirm")).toContainText(`first price, ${limit} or better`);
    await place(page);
    await expectOutcome(page, "Voided");
    await expect(onScreen(page).getByText("The first price after acceptance was beyond your limit")).toBeVisible();
    await expect(onScreen(page).getByTestId("profit")).toContainText("0.00");
    await expect(onScreen(page).getByTestId("available-now")).toContainText("10,000.00");
    await picture(page, info, "voids-01-limit-passed");
    expect((await orderOf(member, await orderNumber(page))).voidReason).toBe("LIMIT_PASSED");
  },
);

test("when prices stop, the running order is voided, no new one is accepted, and everything recovers", async ({
  memberPage: page,
  member,
}, info) => {
  const { symbol, name } = steered(info.project.name, "stops");
  const price = await scriptedPrice(symbol);
  try {
    await openOrderForm(page, symbol);
    await fillOrder(page, { direction: "Up", amount: "25" });
    await review(page);
    await setPrice(symbol, null);
    await pause(LAST_QUOTE_MS);
    await placeButton(page).click();
    const orderNo = await orderNumber(page);
    await expect(onScreen(page).getByText("waiting for the entry price")).toBeVisible();

    await test.step("without a price within ten seconds, the order never begins", async () => {
      await expectOutcome(page, "Voided");
      await expect(onScreen(page).getByText("No price came within 10 seconds of acceptance")).toBeVisible();
      await picture(page, info, "voids-02-no-entry");
      expect((await orderOf(member, orderNo)).voidReason).toBe("NO_ENTRY_TICK");
      expect(await summaryOf(member)).toMatchObject({ available: "10000.00", locked: "0.00" });
    });

    await test.step("the order screen says that the price is stale and accepts nothing", async () => {
      await onScreen(page).getByRole("button", { name: "Continue order" }).click();
      await fillOrder(page, { direction: "Down", amount: "25" });
      const off = onScreen(page).getByRole("button", { name: "Price out of date. Nothing was held" });
      await expect(off).toHaveAttribute("aria-disabled", "true");
      await expect(onScreen(page).getByText(/No price since \d\d:\d\d:\d\d/)).toBeVisible();
      await picture(page, info, "voids-03-stale-form");
      await expect(placeByCall(member, { symbol, direction: "up", stake: "25.00" })).rejects.toThrow(
        "The price of this product is out of date",
      );
    });

    await test.step("the Market and Trade tabs say since when", async () => {
      await open(page, "/pages/market/index");
      await expect(onScreen(page).getByRole("link", { name: new RegExp(name) })).toContainText(
        /Paused \d\d:\d\d:\d\d · no current price/,
      );
      await open(page, `/pages/trade/index?symbol=${symbol}`);
      await expect(onScreen(page).getByText(/No price since \d\d:\d\d:\d\d/)).toBeVisible();
      await picture(page, info, "voids-04-stale-trade");
    });

    await test.step("when prices resume, orders are accepted again", async () => {
      await openOrderForm(page, symbol);
      await fillOrder(page, { direction: "Down", amount: "25" });
      await setPrice(symbol, price);
      await expect(onScreen(page).getByRole("button", { name: "Review · Down · 25.00 USD" })).toBeVisible();
      await expect(onScreen(page).getByText(/No price since/)).toBeHidden();
    });
  } finally {
    await setPrice(symbol, price);
  }
});

test("prices that stop while orders run decide neither of them by an old price", async ({
  memberPage: page,
  member,
}, info) => {
  const { symbol } = steered(info.project.name, "falls silent");
  const price = await scriptedPrice(symbol);
  try {
    const stale = await placeByHand(page, { symbol, direction: "Up", amount: "40" });
    await expect(onScreen(page).getByTestId("entry-price")).toHaveText(price);
    await setPrice(symbol, null);
    await pause(LAST_QUOTE_MS);
    const between = await placeByCall(member, { symbol, direction: "down", stake: "60.00" });
    // This single price is the entry of this order and the last one for the other.
    await sayOnce(symbol, moved(price, 5));

    await expectOutcome(page, "Voided");
    await expect(
      onScreen(page).getByText("The last price before expiry was too old to decide the order."),
    ).toBeVisible();
    await picture(page, info, "voids-05-stale-exit");
    expect((await orderOf(member, stale)).voidReason).toBe("STALE_EXIT");

    await open(page, `/pages/trade/trade?orderNo=${between.orderNo}`);
    await expectOutcome(page, "Voided");
    await expect(onScreen(page).getByText("No price came between entry and expiry")).toBeVisible();
    expect((await orderOf(member, between.orderNo)).voidReason).toBe("NO_TICK_BETWEEN");

    await open(page, "/pages/order/index?tab=history");
    await expect(onScreen(page).getByTestId("settled").filter({ hasText: "Voided, returned" })).toHaveCount(2);
    expect(await summaryOf(member)).toMatchObject({ available: "10000.00", locked: "0.00", todayProfit: "0.00" });
  } finally {
    await setPrice(symbol, price);
  }
});
