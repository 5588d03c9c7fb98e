import type { Page } from "@playwright/test";
import { logIn, setPaymentPassword } from "../steps/account.ts";
import { expect, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { LIVELY } from "../steps/market.ts";
import { newMember, PASSWORD, TRADE_PASSWORD } from "../steps/members.ts";

const amount = (page: Page) => onScreen(page).getByRole("textbox", { name: "Amount" });
const setFirst = (page: Page) => onScreen(page).getByRole("button", { name: "Set a transaction password" });

async function fillTerms(page: Page): Promise<void> {
  await amount(page).fill("37.50");
  await onScreen(page).getByText("5 min", { exact: true }).click();
}

async function expectTerms(page: Page): Promise<void> {
  await expect(amount(page)).toHaveValue("37.50");
  await expect(onScreen(page).getByRole("radio", { name: /^5 min/ })).toBeChecked();
}

test("the order form is as it was after its member has set the transaction password, over a reload too", async ({
  page,
}, info) => {
  await logInByStorage(page, await newMember({ withTradePassword: false }));
  await open(page, `/pages/trade/trade?symbol=${LIVELY.symbol}&direction=up`);
  await onScreen(page).getByRole("button", { name: "Down", exact: true }).click();
  await fillTerms(page);
  await setFirst(page).click();
  await expect(page).toHaveTitle("Set transaction password");
  await page.reload();
  await setPaymentPassword(page, TRADE_PASSWORD);
  await expect(page).toHaveURL(/#\/pages\/trade\/trade/);
  await expectTerms(page);
  await expect(onScreen(page).getByRole("button", { name: "Down", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(onScreen(page).getByRole("button", { name: /^Review · Down · 37\.50/ })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await picture(page, info, "password-first-01-form");
});

test("so is the ticket under the chart", async ({ page }) => {
  await logInByStorage(page, await newMember({ withTradePassword: false }));
  await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
  await fillTerms(page);
  await setFirst(page).click();
  await expect(page).toHaveTitle("Set transaction password");
  await page.reload();
  await setPaymentPassword(page, TRADE_PASSWORD);
  await expect(page).toHaveURL(/#\/pages\/trade\/index/);
  await expectTerms(page);
});

test(
  "a visitor's order at a desk waits in its confirmation, behind the login and the transaction password",
  { tag: "@console" },
  async ({ page }, info) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const { email } = await newMember({ withTradePassword: false });
    await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
    await fillTerms(page);
    await onScreen(page).getByRole("button", { name: /^Down/ }).click();
    await logIn(page, email, PASSWORD);
    await setFirst(page).click();
    await expect(page).toHaveTitle("Set transaction password");
    await page.reload();
    await setPaymentPassword(page, TRADE_PASSWORD);
    const confirm = onScreen(page).getByTestId("confirm");
    await expect(confirm).toContainText("Down: exit below entry");
    await expect(confirm).toContainText("37.50");
    await expect(confirm).toContainText("5 min");
    await expect(confirm.getByRole("button", { name: /^Place order · Down · 37\.50/ })).toBeVisible();
    await picture(page, info, "password-first-02-desk");
    await page.keyboard.press("Escape");
    await expectTerms(page);
  },
);
