import type { Page } from "@playwright/test";
import { photo } from "../steps/depositing.ts";
import { expect, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { STEADY } from "../steps/market.ts";
import { newMember } from "../steps/members.ts";
import { giveReal, newWallet } from "../steps/real-money.ts";
import { chooseWithdrawal } from "../steps/withdrawing.ts";

/** Presses a button and reads what the screen says then. */
async function expectSaid(page: Page, button: string | RegExp, words: readonly string[]): Promise<void> {
  await onScreen(page).getByRole("button", { name: button }).click();
  for (const said of words) await expect(onScreen(page).getByText(said, { exact: true }).first(), said).toBeVisible();
}

test("login, registration and a forgotten password say what is missing", async ({ page }) => {
  const screen = onScreen(page);
  await open(page, "/pages/index/index");
  await expectSaid(page, "Log in", ["Enter username", "Enter login password"]);

  await open(page, "/pages/index/Register");
  await expect(page).toHaveTitle("Create account");
  await expectSaid(page, "Create account", [
    "Select country/region",
    "Enter e-mail",
    "Enter verification code",
    "Enter login password",
  ]);
  await screen.getByText("Phone", { exact: true }).click();
  await expectSaid(page, "Create account", ["Enter phone number"]);

  await open(page, "/pages/index/ForgetPwd");
  await expect(page).toHaveTitle("Forgot password");
  await expectSaid(page, "Set new password", ["Enter e-mail", "Enter verification code", "Enter new password"]);
});

test("both steps of the identity say what is missing", async ({ memberPage: page }) => {
  const screen = onScreen(page);
  await open(page, "/pages/auth/Auth?step=basic");
  await expectSaid(page, "Continue", ["Enter last name", "Enter first name", "Select gender", "Enter birth date"]);
  await screen.getByLabel("Last name").fill("Silva");
  await screen.getByLabel("First name").fill("Ana");
  await screen.getByText("Female", { exact: true }).click();
  await screen.getByLabel("Birth date").fill("1990-05-17");
  await screen.getByRole("button", { name: "Continue" }).click();
  await expect(screen.getByRole("heading", { name: "Your document" })).toBeVisible();
  await screen.getByText("ID card", { exact: true }).click();
  await expectSaid(page, "Send for review", ["Enter ID number", "Upload front photo", "Upload back photo"]);
});

test("withdrawing without the transaction password, or without having one, is said", async ({
  memberPage: page,
  member,
}) => {
  await giveReal(member, "50");
  await chooseWithdrawal(page, newWallet(), "20");
  await expectSaid(page, /^Withdraw /, ["Enter transaction password"]);

  await logInByStorage(page, await newMember({ withTradePassword: false }));
  await open(page, "/pages/qk/qk?chain=test");
  const screen = onScreen(page);
  await expect(screen.getByText("A transaction password must be set before withdrawing")).toBeVisible();
  await open(page, `/pages/trade/trade?symbol=${STEADY.symbol}`);
  await expect(screen.getByText("A transaction password must be set before ordering")).toBeVisible();
  await expect(screen.getByRole("button", { name: "Set a transaction password" })).toBeVisible();
});

test("a file above 100 MB is not sent, and the limit is said", async ({ memberPage: page }) => {
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
  await expect(screen.getByText("Upload size must not exceed 100MB").first()).toBeVisible();
  expect(uploads).toEqual([]);
  await field.setInputFiles({ name: "p.png", mimeType: "image/png", buffer: await photo(page, "#112233") });
  await expect(screen.getByText("Uploaded", { exact: true })).toBeVisible();
  expect(uploads).toHaveLength(1);
});
