import type { Page } from "@playwright/test";
import { readCode } from "../inbox.ts";
import { expect, expectToast, onScreen } from "./journey.ts";
import { PASSWORD, productUrl } from "./members.ts";

/** Chooses a region on its screen and returns to the previous screen. */
export async function chooseRegion(page: Page, name: string): Promise<void> {
  await onScreen(page)
    .getByRole("link", { name: /Country or region/ })
    .click();
  await onScreen(page).getByRole("searchbox").fill(name);
  await onScreen(page).getByRole("button", { name }).first().click();
  await expect(onScreen(page).getByRole("link", { name: /Country or region/ })).toContainText(name);
}

/** Requests a code on the current screen, reads it in the inbox and types it. */
export async function enterCode(page: Page, address: string): Promise<void> {
  const since = Date.now();
  await onScreen(page).getByRole("button", { name: "Send code" }).click();
  await expectToast(page, `Code sent to ${address}`);
  await onScreen(page)
    .getByLabel("Verification code")
    .fill(await readCode(productUrl(), address, since));
}

/** Moves from the completed first step of the registration to the second and types the code that arrives. */
export async function goOnWithCode(page: Page, address: string): Promise<void> {
  const since = Date.now();
  await onScreen(page).getByRole("button", { name: "Continue" }).click();
  await expectToast(page, `Code sent to ${address}`);
  await onScreen(page)
    .getByLabel("Verification code")
    .fill(await readCode(productUrl(), address, since));
}

/** Fills in and submits both steps of the registration. The registration screen must be open. */
export async function registerByEmail(page: Page, email: string, region: string): Promise<void> {
  await chooseRegion(page, region);
  await registerHere(page, email);
}

/** Registers as `registerByEmail` does, with the region already chosen. */
export async function registerHere(page: Page, email: string): Promise<void> {
  await onScreen(page).getByRole("textbox", { name: "E-mail" }).fill(email);
  await goOnWithCode(page, email);
  await onScreen(page).getByLabel("Password", { exact: true }).fill(PASSWORD);
  await onScreen(page).getByLabel("Confirm password").fill(PASSWORD);
  await onScreen(page).getByRole("checkbox").check();
  await onScreen(page).getByRole("button", { name: "Create account" }).click();
  await expectToast(page, "Register successful");
}

/** Logs in on the login screen. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await expect(page).toHaveTitle("Log in");
  await onScreen(page).getByRole("textbox", { name: "E-mail" }).fill(email);
  await onScreen(page).getByLabel("Password", { exact: true }).fill(password);
  await onScreen(page).getByRole("button", { name: "Log in" }).click();
}

/** Sets the first transaction password on its screen. */
export async function setPaymentPassword(page: Page, digits: string): Promise<void> {
  await onScreen(page).getByLabel("Transaction password", { exact: true }).fill(digits);
  await onScreen(page).getByLabel("Confirm password").fill(digits);
  await onScreen(page).getByLabel("Login password", { exact: true }).fill(PASSWORD);
  await onScreen(page).getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Successfully set");
}
