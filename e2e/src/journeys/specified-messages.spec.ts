import type { Page } from "@playwright/test";
import { chooseRegion } from "../steps/account.ts";
import { photo } from "../steps/depositing.ts";
import { expect, expectToast, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { STEADY } from "../steps/market.ts";
import { newMember, PASSWORD, placeByCall } from "../steps/members.ts";
import { fillOrder, openOrderForm } from "../steps/ordering.ts";
import { giveReal, newWallet } from "../steps/real-money.ts";

/** Presses a button and expects a toast with the first message and each message at its field. */
async function expectSaid(page: Page, button: string | RegExp, words: readonly string[]): Promise<void> {
  await onScreen(page).getByRole("button", { name: button }).click();
  await expectToast(page, words[0] ?? "");
  const fields = onScreen(page).locator("main, [role=dialog]");
  for (const said of words) await expect(fields.getByText(said, { exact: true }).first(), said).toBeVisible();
}

test("login, registration and a forgotten password say what is missing", async ({ page }) => {
  const screen = onScreen(page);
  await open(page, "/pages/index/index");
  await expectSaid(page, "Log in", ["Enter username", "Enter login password"]);
  await screen.getByRole("textbox", { name: "E-mail" }).fill("ana@example.com");
  await expectSaid(page, "Log in", ["Enter login password"]);

  await open(page, "/pages/index/Register");
  await expect(page).toHaveTitle("Create account");
  await expectSaid(page, "Continue", ["Select country/region", "Enter e-mail"]);
  await chooseRegion(page, "Brazil");
  await expectSaid(page, "Continue", ["Enter e-mail"]);
  await screen.getByText("Phone", { exact: true }).click();
  await expectSaid(page, "Continue", ["Enter phone number"]);
  await screen.getByLabel("Phone number").fill("11912345678");
  await screen.getByRole("button", { name: "Continue" }).click();
  await expect(screen.getByLabel("Verification code")).toBeVisible();
  await expectSaid(page, "Create account", ["Enter verification code", "Enter login password"]);
  await screen.getByLabel("Verification code").fill("123456");
  await expectSaid(page, "Create account", ["Enter login password"]);
  await screen.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await screen.getByLabel("Confirm password").fill(`${PASSWORD}x`);
  await expectSaid(page, "Create account", ["Passwords do not match"]);

  await open(page, "/pages/index/ForgetPwd");
  await expect(page).toHaveTitle("Forgot password");
  await expectSaid(page, "Set new password", ["Enter e-mail", "Enter verification code", "Enter new password"]);
});

test("both steps of the identity say what is missing", async ({ memberPage: page }) => {
  const screen = onScreen(page);
  await open(page, "/pages/auth/Auth?step=basic");
  await expectSaid(page, "Continue", ["Enter last name", "Enter first name", "Select gender", "Enter birth date"]);
  await screen.getByLabel("Last name").fill("Silva");
  await expectSaid(page, "Continue", ["Enter first name"]);
  await screen.getByLabel("First name").fill("Ana");
  await screen.getByText("Female", { exact: true }).click();
  await screen.getByLabel("Birth date").fill("1990-05-17");
  await screen.getByRole("button", { name: "Continue" }).click();
  await expect(screen.getByRole("heading", { name: "Your document" })).toBeVisible();
  await screen.getByText("ID card", { exact: true }).click();
  await expectSaid(page, "Send for review", ["Enter ID number", "Upload front photo", "Upload back photo"]);
  await screen.getByLabel("ID number").fill("AB1234567");
  await expectSaid(page, "Send for review", ["Upload front photo", "Upload back photo"]);
  for (const [side, colour] of [
    ["Front photo", "#335577"],
    ["Back photo", "#775533"],
  ] as const) {
    if (side === "Back photo") await expectSaid(page, "Send for review", ["Upload back photo"]);
    const picture = { name: "photo.png", mimeType: "image/png", buffer: await photo(page, colour) };
    await screen.getByLabel(side).setInputFiles(picture);
    await expect(screen.getByText("Uploaded", { exact: true })).toHaveCount(side === "Front photo" ? 1 : 2);
  }
});

test("a withdrawal says what is missing, too little and too much", async ({ memberPage: page, member }) => {
  const screen = onScreen(page);
  await giveReal(member, "50");
  await open(page, "/pages/qk/qk?chain=test");
  await expectSaid(page, "Continue", ["Enter withdrawal wallet address"]);
  await screen.getByLabel("Wallet address").fill(newWallet());
  await screen.getByRole("button", { name: "Continue" }).click();
  const amount = screen.getByLabel("Amount", { exact: true });
  await expect(amount).toBeVisible();
  await expectSaid(page, "Continue", ["Enter withdrawal amount"]);
  await amount.fill("9.99");
  await expectSaid(page, "Continue", ["The minimum withdrawal amount is $10.00"]);
  await amount.fill("50.01");
  await expectSaid(page, "Continue", ["Withdrawal too large or insufficient balance. At most $50.00 can be withdrawn"]);
  await amount.fill("20");
  await screen.getByRole("button", { name: "Continue" }).click();
  await expect(screen.getByLabel("Transaction password", { exact: true })).toBeVisible();
  await expectSaid(page, /^Withdraw /, ["Enter transaction password"]);
});

test("withdrawing and ordering without a transaction password say that it must be set", async ({ page }) => {
  await logInByStorage(page, await newMember({ withTradePassword: false }));
  await open(page, "/pages/qk/qk?chain=test");
  const screen = onScreen(page);
  await expectToast(page, "A transaction password must be set before withdrawing");
  await expect(screen.getByRole("link", { name: "Set transaction password" })).toBeVisible();
  await open(page, `/pages/trade/trade?symbol=${STEADY.symbol}`);
  await screen.getByRole("button", { name: "Set a transaction password" }).click();
  await expectToast(page, "A transaction password must be set before ordering");
});

test("a file above 100 MB isn't sent, and the limit is shown", async ({ memberPage: page }) => {
  const screen = onScreen(page);
  await open(page, "/pages/rk/szrk1?chain=test");
  const field = screen.getByLabel("Proof of the transfer");
  const uploads: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("file/upload")) uploads.push(request.url());
  });
  await field.evaluate((input: HTMLInputElement) => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(104_857_601)], "large.png", { type: "image/png" }));
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await expectToast(page, "Upload size must not exceed 100MB");
  await expect(screen.getByRole("main").getByText("Upload size must not exceed 100MB")).toBeVisible();
  expect(uploads).toEqual([]);
  await field.setInputFiles({ name: "p.png", mimeType: "image/png", buffer: await photo(page, "#112233") });
  await expect(screen.getByText("Uploaded", { exact: true })).toBeVisible();
  expect(uploads).toHaveLength(1);
});

test("an order below the minimum, above the maximum or beyond the balance is refused with its message", async ({
  memberPage: page,
  member,
}) => {
  // Nine orders, each holding 1,010.00, leave 910.00.
  for (let count = 0; count < 9; count += 1)
    await placeByCall(member, { symbol: STEADY.symbol, direction: "down", stake: "1000.00", duration: 3600 });
  await openOrderForm(page, STEADY.symbol);
  await expect(onScreen(page).getByText("1 to 1,000 · available 910.00")).toBeVisible();
  await fillOrder(page, { direction: "Up", amount: "0.99" });
  const ask = onScreen(page).locator("footer").getByRole("button");
  for (const [amount, words] of [
    ["0.99", "The minimum order amount is $1.00"],
    ["1000.01", "The maximum order amount is $1,000.00"],
    ["950", "Insufficient balance. $910.00 is available"],
  ] as const) {
    await onScreen(page).getByRole("textbox", { name: "Amount" }).fill(amount);
    await ask.click({ force: true });
    await expectToast(page, words);
  }
});
