import type { Page } from "@playwright/test";
import { expect, onScreen, test } from "../../steps/journey.ts";
import { expectAccessible, picture } from "../../steps/look.ts";
import { type Member, summaryOf, TRADE_PASSWORD } from "../../steps/members.ts";
import { giveReason, goTo, openConsole } from "../../steps/office.ts";
import { giveReal, newWallet, transfersTo } from "../../steps/real-money.ts";
import { agreeToWithdraw, chooseWithdrawal } from "../../steps/withdrawing.ts";

test.describe.configure({ mode: "serial" });

/** Opens the member's withdrawal in the queue when it has arrived. */
async function openCase(office: Page, member: Member): Promise<void> {
  await goTo(office, "Withdrawals");
  const row = office.locator("tr[data-id]", { hasText: member.email });
  await expect(async () => {
    await office.getByRole("button", { name: "Refresh" }).click();
    await expect(row).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await row.getByRole("button").click();
  await expect(office.getByRole("complementary")).toContainText(member.email);
}

async function makeKey(office: Page): Promise<void> {
  await goTo(office, "Signing keys");
  await office.getByRole("button", { name: "Create a key" }).click();
  await giveReason(office, "My key for withdrawals");
  await office.getByRole("button", { name: /^Create and propose/ }).click();
  await expect(office.getByText("someone else has to decide")).toBeVisible();
}

async function approveKeyOf(office: Page, login: string): Promise<void> {
  await goTo(office, "Signing keys");
  await office.reload();
  await office.locator("tr[data-id]", { hasText: login }).first().getByRole("button").click();
  await giveReason(office, "Compared by voice");
  await office.getByRole("button", { name: /^Approve/ }).click();
  await expect(office.getByRole("complementary")).toContainText("Approved by");
}

async function agree(office: Page, amount: string): Promise<void> {
  await giveReason(office, "Sums agree");
  await office.getByLabel("Type the amount to approve").fill(amount);
  await office.getByRole("button", { name: /^Approve/ }).click();
}

test("above 5,000.00 two operators sign with their own keys, and the payment is on the chain", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const wallet = newWallet();
  await giveReal(member, "6500");
  const first = await openConsole(browser, "finance-1");
  const second = await openConsole(browser, "finance-2");

  await test.step("each operator makes a key in their browser, and the other approves it", async () => {
    await makeKey(first);
    await expectAccessible(first, "console keys");
    await picture(first, info, "withdraw-office-01-key");
    await approveKeyOf(second, "finance-1");
    await makeKey(second);
    // The browser that made the key must learn that it is enrolled before it can sign for a colleague.
    await first.reload();
    await approveKeyOf(first, "finance-2");
    await second.reload();
  });

  await test.step("the member withdraws more than one person may approve", async () => {
    await chooseWithdrawal(memberPage, wallet, "6000");
    await agreeToWithdraw(memberPage, TRADE_PASSWORD);
    await expect(onScreen(memberPage).getByText("A person is checking it")).toBeVisible();
  });

  await test.step("the first operator takes it, and the stage column has room for the text", async () => {
    await first.setViewportSize({ width: 1440, height: 900 });
    await openCase(first, member);
    await first.getByRole("button", { name: /^Take for 10 minutes/ }).click();
    const stage = first.locator("tr[data-id]", { hasText: member.email }).getByRole("cell").last();
    await expect(stage).toContainText("finance-1 has it");
    // The stage takes one line, and who has it another.
    const lines = await stage.evaluate((cell) => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const bottoms = new Set<number>();
      while (texts.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        for (const { bottom } of range.getClientRects()) bottoms.add(Math.round(bottom));
      }
      return bottoms.size;
    });
    expect(lines).toBe(2);
  });

  await test.step("the first operator approves it and can't approve it twice", async () => {
    await openCase(first, member);
    await expectAccessible(first, "console withdrawal");
    await picture(first, info, "withdraw-office-02-case");
    await first
      .getByRole("complementary")
      .getByRole("button", { name: /^Approve/ })
      .click();
    await expect(first.getByRole("alert")).toHaveText(/Enter a reason first/);
    await agree(first, "6000");
    await expect(first.getByText("You approved this. It needs another person too.")).toBeVisible();
    await expect(first.getByRole("complementary").getByRole("button", { name: /^Approve/ })).toHaveCount(0);
    expect(await transfersTo(wallet)).toEqual([]);
  });

  await test.step("the second operator approves it, and the member sees it paid", async () => {
    await openCase(second, member);
    await expect(second.getByRole("complementary")).toContainText("Approved by finance-1");
    await agree(second, "6000");
    await expect(second.getByRole("complementary")).toContainText("Approved by finance-2");
    await expect(onScreen(memberPage).getByTestId("withdrawal-state")).toHaveText("Withdrawn", { timeout: 120_000 });
    const [transfer, another] = await transfersTo(wallet);
    expect(transfer?.units).toBe(5_999_000_000n);
    expect(another).toBe(undefined);
    await expect(onScreen(memberPage).getByTestId("tx-hash")).toHaveText(transfer?.txHash ?? "");
    expect(await summaryOf(member, "real")).toMatchObject({ available: "500.00", locked: "0.00" });
  });

  await test.step("the queue, the wallet and the times agree", async () => {
    await goTo(second, "Withdrawals");
    await second.getByRole("tab", { name: "Done" }).click();
    await second.locator("tr[data-id]", { hasText: member.email }).getByRole("button").click();
    await second.getByRole("button", { name: "Refresh" }).click();
    await expect(second.getByRole("complementary")).toContainText("Attempt 1");
    await picture(second, info, "withdraw-office-03-done");
    await goTo(second, "Paying wallets");
    await expect(second.getByText("Trusted keys")).toBeVisible();
    await expectAccessible(second, "console wallets");
    await picture(second, info, "withdraw-office-04-wallets");
  });
});

test("a rejected withdrawal is returned at once, and the member reads why", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const wallet = newWallet();
  const reason = "The address is on a list of stolen funds";
  await giveReal(member, "800");
  await chooseWithdrawal(memberPage, wallet, "700");
  await agreeToWithdraw(memberPage, TRADE_PASSWORD);
  await expect(onScreen(memberPage).getByText("A person is checking it")).toBeVisible();
  const office = await openConsole(browser, "finance-2");
  await openCase(office, member);
  await expect(office.getByText("To approve, you need a signing key in this browser.")).toBeVisible();
  await giveReason(office, reason);
  await office
    .getByRole("complementary")
    .getByRole("button", { name: /^Reject/ })
    .click();
  await expect(office.getByRole("complementary")).toContainText("Rejected");
  await expect(onScreen(memberPage).getByTestId("withdrawal-state")).toHaveText("Canceled");
  await expect(onScreen(memberPage).getByText(reason)).toBeVisible();
  await picture(memberPage, info, "withdraw-office-05-rejected");
  expect(await summaryOf(member, "real")).toMatchObject({ available: "800.00", locked: "0.00" });
  expect(await transfersTo(wallet)).toEqual([]);
});
