import type { Page } from "@playwright/test";
import { expect, onScreen, open } from "./journey.ts";

/** Completes the first two steps of a withdrawal; the third one is then open. */
export async function chooseWithdrawal(page: Page, address: string, amount: string): Promise<void> {
  const screen = onScreen(page);
  await open(page, "/pages/qk/qk?chain=test");
  await screen.getByLabel("Wallet address").fill(address);
  await screen.getByRole("button", { name: "Continue" }).click();
  await screen.getByLabel("Amount", { exact: true }).fill(amount);
  await screen.getByRole("button", { name: "Continue" }).click();
  await expect(screen.getByLabel("Transaction password", { exact: true })).toBeVisible();
}

/** Enters the transaction password and submits the withdrawal. */
export async function agreeToWithdraw(page: Page, password: string): Promise<void> {
  const screen = onScreen(page);
  await screen.getByLabel("Transaction password", { exact: true }).fill(password);
  await screen.getByRole("button", { name: /^Withdraw / }).click();
}
