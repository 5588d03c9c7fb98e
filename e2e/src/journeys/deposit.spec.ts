import type { Page } from "@playwright/test";
import { expect, expectToast, logInByStorage, onScreen, open, stored, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { newMember, summaryOf } from "../steps/members.ts";
import { giveReal } from "../steps/real-money.ts";

/** Sends test USDT from the faucet's own page, as a stranger would. */
async function sendFromFaucet(faucet: Page, amount: string): Promise<void> {
  await faucet.getByRole("textbox", { name: "USDT" }).fill(amount);
  await faucet.getByRole("button", { name: "Send" }).click();
  await expect(faucet.getByRole("status")).toContainText(`Sent ${amount} USDT`);
}

test(
  "a member deposits USDT from a stranger's wallet and sees it confirmed and credited",
  { tag: "@desk" },
  async ({ memberPage, member }, info) => {
    const screen = onScreen(memberPage);
    await open(memberPage, "/pages/home/index");

    await test.step("home leads to the available methods, and from there to the address", async () => {
      await screen.getByRole("link", { name: "Deposit", exact: true }).click();
      await expect(screen.getByRole("link", { name: /USDT on a blockchain/ })).toBeVisible();
      // The wallet that receives the money is named first, whichever wallet is selected.
      await expect(screen.getByTestId("wallet-line")).toContainText("To your real USD wallet");
      await expect(screen.getByTestId("wallet-line")).toContainText("0.00");
      await picture(memberPage, info, "deposit-01-methods");
      await screen.getByRole("link", { name: /USDT on a blockchain/ }).click();
      await expect(screen.getByText("Send only USDT to this address.")).toBeVisible();
      await expect(screen.getByTestId("deposit-address")).toHaveText(/^0x[0-9a-fA-F]{40}$/);
      await expect(screen.getByText("2 blocks")).toBeVisible();
      await expect(screen.getByText("5 USDT")).toBeVisible();
      await expectAccessible(memberPage, "address");
      await expectNoSidewaysScroll(memberPage);
      await picture(memberPage, info, "deposit-02-address");
    });

    await test.step("the address is copied, or the member is told to copy it by hand", async () => {
      await memberPage.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await screen.getByRole("button", { name: "Copy address" }).click();
      await expectToast(memberPage, "Copy successful");
      const copied = await memberPage.evaluate(() => navigator.clipboard.readText());
      await expect(screen.getByTestId("deposit-address")).toHaveText(copied);
    });

    await test.step("250.000001 USDT arrive: seen, confirming, deposited as 250.01", async () => {
      const [faucet] = await Promise.all([
        memberPage.context().waitForEvent("page"),
        screen.getByRole("link", { name: /faucet/ }).click(),
      ]);
      await sendFromFaucet(faucet, "250.000001");
      await picture(faucet, info, "deposit-03-faucet");
      await faucet.close();
      const way = screen.getByTestId("on-its-way");
      await expect(way).toContainText("250.000001");
      await way.click();
      await expect(screen.getByTestId("deposit-state")).toHaveText("Deposited");
      await expect(screen.getByText("250.01").first()).toBeVisible();
      await expect(screen.getByTestId("tx-hash")).toHaveText(/^0x[0-9a-f]{64}$/);
      await expectAccessible(memberPage, "deposited");
      await expectNoSidewaysScroll(memberPage);
      await picture(memberPage, info, "deposit-04-deposited");
    });

    await test.step("home offers to show the wallet it arrived in, and shows it", async () => {
      await expect(screen.getByRole("button", { name: "Switch to real wallet" })).toBeVisible();
      await open(memberPage, "/pages/home/index");
      const offer = screen.getByTestId("credit-offer");
      await expect(offer).toContainText("250.01 USD is in your real wallet");
      await expectAccessible(memberPage, "credited");
      await picture(memberPage, info, "deposit-05-offer");
      await offer.getByRole("button", { name: "Switch to real wallet" }).click();
      await expect(offer).toHaveCount(0);
      await expect(screen.locator(".home-assets .price")).toContainText("250.01");
      await expect(memberPage.getByRole("combobox", { name: "Wallet" })).toHaveValue("real");
      // The options name the balances of both wallets.
      await expect(memberPage.getByRole("option", { name: "Practice · 10,000.00" })).toHaveCount(1);
      await expect(memberPage.getByRole("option", { name: "Real · 250.01" })).toHaveCount(1);
    });

    await test.step("the wallet, the deposit records and the ledger agree", async () => {
      expect(await summaryOf(member, "real")).toMatchObject({ available: "250.01", totalAssets: "250.01" });
      await open(memberPage, "/pages/assets/index");
      await screen.getByRole("combobox", { name: "Wallet" }).selectOption("real");
      await screen.getByRole("tab", { name: "Deposit records" }).click();
      const record = screen.getByTestId("fund-record");
      await expect(record).toContainText("+250.01");
      await expect(record).toContainText("Deposited");
      await picture(memberPage, info, "deposit-06-records");
      await record.click();
      await screen.getByRole("link", { name: "View deposit" }).click();
      await expect(screen.getByTestId("deposit-state")).toHaveText("Deposited");
    });

    await test.step("a transfer below the minimum is kept and reported but not credited", async () => {
      await open(memberPage, "/pages/rk/szrk");
      const [faucet] = await Promise.all([
        memberPage.context().waitForEvent("page"),
        screen.getByRole("link", { name: /faucet/ }).click(),
      ]);
      await sendFromFaucet(faucet, "4.5");
      await faucet.close();
      await expect(screen.getByText("This is below the minimum.")).toBeVisible();
      await picture(memberPage, info, "deposit-07-below-minimum");
      expect(await summaryOf(member, "real")).toMatchObject({ available: "250.01" });
    });
  },
);

test("money that arrived while the app was closed is offered when it next opens, once", async ({
  memberPage: page,
  member,
}) => {
  const screen = onScreen(page);
  await open(page, "/pages/home/index");
  await expect.poll(() => stored(page, "fairtickCredited")).not.toBeNull();
  await page.goto("about:blank");
  await giveReal(member, "40");
  await open(page, "/pages/home/index");
  const offer = screen.getByTestId("credit-offer");
  await expect(offer).toContainText("40.00 USD is in your real wallet");
  await offer.getByRole("button", { name: "Stay in practice" }).click();
  await expect(offer).toHaveCount(0);
  const read = page.waitForResponse(/client\/deposit\/list/);
  await page.reload();
  await read;
  await expect(screen.locator(".home-ranking")).toBeVisible();
  await expect(offer).toHaveCount(0);
});

test(
  "in a region with only the practice wallet, the rule is named and one link leads on",
  { tag: "@desk" },
  async ({ page }, info) => {
    await logInByStorage(page, await newMember({ region: "DE" }));
    await open(page, "/pages/rk/index");
    await expect(onScreen(page).getByText(/Only the practice wallet is available here/)).toBeVisible();
    await expect(onScreen(page).getByRole("link", { name: /USDT/ })).toHaveCount(0);
    await expectAccessible(page, "practice region");
    await picture(page, info, "deposit-08-practice-region");
    await open(page, "/pages/qk/index");
    await expect(onScreen(page).getByText("Practice only in your region: Germany")).toBeVisible();
    await expect(onScreen(page).getByRole("link", { name: /play money/ })).toHaveCount(1);
    await onScreen(page).getByRole("link", { name: "Trade with play money" }).click();
    await expect(page).toHaveURL(/#\/pages\/trade\/index/);
  },
);
