import { expect, expectToast, onScreen, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { ordersOf, placeByCall, summaryOf } from "../steps/members.ts";
import { fillOrder, openOrderForm, placeButton, review } from "../steps/ordering.ts";

test("amounts outside the limits are refused with the dollar value, by the app and by the server", async ({
  memberPage: page,
  member,
}, info) => {
  await openOrderForm(page, STEADY.symbol);
  const amount = onScreen(page).getByRole("textbox", { name: "Amount" });
  const off = onScreen(page).locator("footer button[aria-disabled=true]");
  await expect(off).toHaveText("Choose Up or Down");
  await off.click({ force: true });
  await expectToast(page, "Choose Up or Down");
  await fillOrder(page, { direction: "Up", amount: "10" });

  await test.step("hasty input", async () => {
    for (const typed of ["", "ten", "1e3", "-5", "1.001"]) {
      await amount.fill(typed);
      await expect(off).toHaveText(typed === "" ? "Enter an amount" : "Check the amount");
      await expect(onScreen(page).getByTestId("pays")).toHaveText("–");
    }
    await amount.fill("12,50");
    await expect(onScreen(page).getByRole("button", { name: "Review · Up · 12.50 USD" })).toBeVisible();
  });

  await test.step("below the minimum", async () => {
    await amount.fill("0.99");
    await expect(onScreen(page).getByText("The minimum order amount is $1.00")).toBeVisible();
    await expect(off).toHaveText("Amount too low. Nothing was held");
    // The button looks disabled, and pressing it says why.
    await off.click({ force: true });
    await expectToast(page, "The minimum order amount is $1.00");
  });

  await test.step("above the maximum", async () => {
    await amount.fill("1000.01");
    await expect(onScreen(page).getByText("The maximum order amount is $1,000.00")).toBeVisible();
    await expect(off).toHaveText("Amount too high. Nothing was held");
    await off.click({ force: true });
    await expectToast(page, "The maximum order amount is $1,000.00");
    await picture(page, info, "refusals-01-above-maximum");
  });

  const order = { symbol: STEADY.symbol, direction: "up" } as const;
  await expect(placeByCall(member, { ...order, stake: "0.99" })).rejects.toThrow("The minimum order amount is $1.00");
  await expect(placeByCall(member, { ...order, stake: "1000.01" })).rejects.toThrow(
    "The maximum order amount is $1,000.00",
  );
  expect(await ordersOf(member)).toEqual([]);
});

test("more than is available is refused, also if the money was spent during the review", async ({
  memberPage: page,
  member,
}, info) => {
  await openOrderForm(page, STEADY.symbol);
  await fillOrder(page, { direction: "Up", amount: "1000" });
  await review(page);
  // Nine orders from another device, each holding 1,010.00, leave 910.00.
  for (let count = 0; count < 9; count++)
    await placeByCall(member, { symbol: STEADY.symbol, direction: "down", stake: "1000.00" });
  const sheet = onScreen(page).getByRole("dialog");
  await expect(sheet.getByRole("alert")).toHaveText("Insufficient balance. Nothing was held");
  await picture(page, info, "refusals-02-insufficient-sheet");
  await onScreen(page).getByRole("button", { name: "Close" }).click();
  await expect(onScreen(page).getByText("Insufficient balance. $910.00 is available")).toBeVisible();
  await expect(placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "1000.00" })).rejects.toThrow(
    "Insufficient balance. $910.00 is available",
  );
  expect(await summaryOf(member)).toMatchObject({ available: "910.00", locked: "9090.00", openPositions: 9 });

  await test.step("Max enters what is left after the fee", async () => {
    await onScreen(page).getByText("Max", { exact: true }).click();
    await review(page);
    await placeButton(page).click();
    await expect(onScreen(page).getByTestId("countdown")).toBeVisible();
    expect(Number((await summaryOf(member)).available)).toBeLessThan(0.02);
  });
});
