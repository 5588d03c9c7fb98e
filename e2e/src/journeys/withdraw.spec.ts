import { readFile } from "node:fs/promises";
import { depositAddress, withdrawList } from "@fairtick/protocol";
import { getAddress } from "viem";
import { enterCode, setPaymentPassword } from "../steps/account.ts";
import { expect, expectToast, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { newMember, PASSWORD, summaryOf, TRADE_PASSWORD, valueOf } from "../steps/members.ts";
import { giveReal, newWallet, transfersTo } from "../steps/real-money.ts";
import { agreeToWithdraw, chooseWithdrawal } from "../steps/withdrawing.ts";

test(
  "a member withdraws USDT, and an independent client finds it on the chain, once",
  { tag: "@desk" },
  async ({ memberPage, member }, info) => {
    const screen = onScreen(memberPage);
    const wallet = newWallet();
    await giveReal(member, "320");

    await test.step("home leads to the available method, which asks one question per step", async () => {
      await open(memberPage, "/pages/home/index");
      await screen.getByRole("link", { name: "Withdraw", exact: true }).click();
      await expect(screen.getByRole("link", { name: /USDT to a wallet address/ })).toBeVisible();
      await picture(memberPage, info, "withdraw-01-methods");
      await screen.getByRole("link", { name: /USDT to a wallet address/ }).click();
      await expect(screen.getByRole("heading", { name: "Where to?" })).toBeVisible();
      await expectAccessible(memberPage, "withdraw address");
      await expectNoSidewaysScroll(memberPage);
      await picture(memberPage, info, "withdraw-02-address");
    });

    await test.step("each mistake in the address or the amount has its own message", async () => {
      const address = screen.getByLabel("Wallet address");
      const next = screen.getByRole("button", { name: "Continue" });
      const said = async (typed: string, words: string) => {
        await address.fill(typed);
        await next.click();
        await expect(screen.getByText(words).first()).toBeVisible();
      };
      await said("", "Enter withdrawal wallet address");
      await said("TFSR9HKDBvBx7nQ5RQ2RaXwzzPCChhneuW", "This wallet address belongs to another chain");
      await said(wallet.slice(0, -1), "This isn’t a valid wallet address");
      const right = getAddress(wallet);
      const place = Array.from(right).findLastIndex((digit) => /[a-f]/i.test(digit));
      const digit = right.charAt(place);
      const swapped = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
      const mistyped = right.slice(0, place) + swapped + right.slice(place + 1);
      // Changing one letter may leave all letters in one case, which carries no checksum.
      if (/[a-f]/.test(mistyped.slice(2)) && /[A-F]/.test(mistyped.slice(2))) await said(mistyped, "contains a typo");
      // The member's own deposit address belongs to Fairtick and is refused here, not at the last step.
      const own = valueOf(await member.client.call(depositAddress, { chain: "test" }));
      await said(own.address, "This address belongs to Fairtick");
      await picture(memberPage, info, "withdraw-03-address-wrong");
      await address.fill(wallet);
      await next.click();
      const amount = screen.getByLabel("Amount", { exact: true });
      await next.click();
      await expect(screen.getByText("Enter withdrawal amount").first()).toBeVisible();
      await amount.fill("9.99");
      await next.click();
      await expect(screen.getByText("The minimum withdrawal amount is $10.00").first()).toBeVisible();
      await amount.fill("320.01");
      await next.click();
      await expect(screen.getByText("At most $320.00 can be withdrawn").first()).toBeVisible();
      await amount.fill("60000");
      await next.click();
      await expect(screen.getByText("Withdrawal too large or insufficient balance").first()).toBeVisible();
      await amount.fill("300");
      await expect(screen.getByTestId("receives")).toHaveText("299.00 USDT");
      await expectAccessible(memberPage, "withdraw amount");
      await expectNoSidewaysScroll(memberPage);
      await picture(memberPage, info, "withdraw-04-amount");
      await next.click();
    });

    await test.step("requested with the transaction password, it is held, paid and confirmed live", async () => {
      await expectAccessible(memberPage, "withdraw password");
      await picture(memberPage, info, "withdraw-05-agree");
      await agreeToWithdraw(memberPage, TRADE_PASSWORD);
      await expectToast(memberPage, "Operation successful");
      const state = screen.getByTestId("withdrawal-state");
      await expect(state).toHaveText(/Processing|Withdrawn/);
      await picture(memberPage, info, "withdraw-06-processing");
      await expect(state).toHaveText("Withdrawn");
      await expectAccessible(memberPage, "withdrawn");
      await expectNoSidewaysScroll(memberPage);
      await picture(memberPage, info, "withdraw-07-withdrawn");
    });

    await test.step("the chain has one transfer of the net amount, with the hash shown to the member", async () => {
      const transfers = await transfersTo(wallet);
      expect(transfers).toHaveLength(1);
      expect(transfers[0]?.units).toBe(299_000_000n);
      await expect(screen.getByTestId("tx-hash")).toHaveText(transfers[0]?.txHash ?? "");
      expect(await summaryOf(member, "real")).toMatchObject({ available: "20.00", locked: "0.00" });
    });

    await test.step("the withdrawal records and the ledger agree", async () => {
      await open(memberPage, "/pages/assets/index");
      await screen.getByRole("combobox", { name: "Wallet" }).selectOption("real");
      await expect(screen.getByTestId("fund-record").first()).toContainText("Withdrawal held");
      await screen.getByRole("tab", { name: "Withdrawal records" }).click();
      const record = screen.getByTestId("fund-record");
      // The previous tab's list stays until this one's has loaded.
      await expect(record).toHaveCount(1);
      await expect(record).toContainText("−300.00");
      await expect(record).toContainText("Withdrawn");
      await picture(memberPage, info, "withdraw-08-records");
      await record.click();
      await screen.getByRole("link", { name: "View withdrawal" }).click();
      await expect(screen.getByTestId("withdrawal-state")).toHaveText("Withdrawn");
    });

    await test.step("they can be filtered by wallet and days, and the CSV file has what the list shows", async () => {
      const [one] = valueOf(await member.client.call(withdrawList, {})).items;
      if (one === undefined) throw new Error("the withdrawal is not in the list of withdrawals");
      const day = new Date(one.createdAt).toISOString().slice(0, 10);
      const head = "recordNo,orderNo,time,currency,type,amount,balanceAfter,remark,note,fee,state,wallet\r\n";
      const time = new Date(one.createdAt).toISOString();
      const line = `${one.withdrawNo},${one.withdrawNo},${time},USD,Withdraw,-300.00,20.00,Withdrawal,,1.00,Withdrawn,real\r\n`;
      const record = screen.getByTestId("fund-record");
      const ofWallet = screen.getByRole("combobox", { name: "Wallet" });
      const choose = async (from: string, to: string) => {
        await screen.getByLabel("From", { exact: true }).fill(from);
        await screen.getByLabel("To", { exact: true }).fill(to);
      };
      const save = async () => {
        const [download] = await Promise.all([
          memberPage.waitForEvent("download"),
          screen.getByRole("button", { name: "Export as CSV" }).click(),
        ]);
        return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
      };

      await open(memberPage, "/pages/assets/index");
      await ofWallet.selectOption("real");
      await screen.getByRole("tab", { name: "Withdrawal records" }).click();
      await screen.getByRole("combobox", { name: "Time" }).selectOption("chosen");
      await choose("2020-01-01", "2020-01-31");
      await expect(screen.getByRole("button", { name: "Show all dates" })).toBeVisible();
      await expect(record).toHaveCount(0);
      expect((await save()).text).toBe(head);
      await choose(day, day);
      await expect(record).toHaveCount(1);
      await expectNoSidewaysScroll(memberPage);
      await picture(memberPage, info, "withdraw-08-chosen-days");
      expect(await save()).toEqual({ name: "fairtick-funds-real-withdraw.csv", text: head + line });
      await ofWallet.selectOption("practice");
      await expect(record).toHaveCount(0);
      expect(await save()).toEqual({ name: "fairtick-funds-practice-withdraw.csv", text: head });
    });
  },
);

test("a member cancels a withdrawal that waits for approval, and the money is returned", async ({
  memberPage,
  member,
}, info) => {
  const screen = onScreen(memberPage);
  const wallet = newWallet();
  await giveReal(member, "900");
  await chooseWithdrawal(memberPage, wallet, "700");
  await agreeToWithdraw(memberPage, TRADE_PASSWORD);
  await expect(screen.getByText("A person is checking it and has to sign it.")).toBeVisible();
  expect(await summaryOf(member, "real")).toMatchObject({ available: "200.00", locked: "700.00" });
  await picture(memberPage, info, "withdraw-09-review");
  await screen.getByRole("button", { name: "Cancel withdrawal" }).click();
  await picture(memberPage, info, "withdraw-10-cancel");
  await screen.getByRole("button", { name: "Yes, cancel it" }).click();
  await expectToast(memberPage, "Operation successful");
  await expect(screen.getByTestId("withdrawal-state")).toHaveText("Canceled");
  await picture(memberPage, info, "withdraw-11-canceled");
  expect(await summaryOf(member, "real")).toMatchObject({ available: "900.00", locked: "0.00" });
  expect(await transfersTo(wallet)).toEqual([]);
});

test("a wrong transaction password is counted, then locked, and reset with a code", async ({
  memberPage,
  member,
}, info) => {
  const screen = onScreen(memberPage);
  await giveReal(member, "50");
  await chooseWithdrawal(memberPage, newWallet(), "20");
  for (let left = 4; left >= 0; left -= 1) {
    await agreeToWithdraw(memberPage, "111111");
    await expect(screen.getByText(left === 1 ? "1 attempt left" : `${left} attempts left`).first()).toBeVisible();
  }
  await agreeToWithdraw(memberPage, TRADE_PASSWORD);
  await expect(screen.getByText("The transaction password is locked until").first()).toBeVisible();
  await picture(memberPage, info, "withdraw-12-locked");
  expect(await summaryOf(member, "real")).toMatchObject({ available: "50.00", locked: "0.00" });

  await screen.getByRole("link", { name: "Forgot transaction password?" }).click();
  await screen.getByRole("textbox", { name: "E-mail" }).fill(member.email);
  await enterCode(memberPage, member.email);
  await screen.getByLabel("Login password", { exact: true }).fill(PASSWORD);
  await screen.getByLabel("New password", { exact: true }).fill("739164");
  await screen.getByLabel("Confirm password").fill("739164");
  await screen.getByRole("button", { name: "Save" }).click();
  await expectToast(memberPage, "Successfully updated");

  // Back at the last step, with the earlier answers kept.
  await expect(screen.getByRole("button", { name: "Withdraw 20.00 USD" })).toBeVisible();
  await agreeToWithdraw(memberPage, "739164");
  await expect(screen.getByTestId("withdrawal-state")).toBeVisible();
  const { items } = valueOf(await member.client.call(withdrawList, {}));
  expect(items).toHaveLength(1);
});

test("without a transaction password, a link leads to setting one and back", async ({ page }, info) => {
  const member = await newMember({ withTradePassword: false });
  await logInByStorage(page, member);
  await open(page, "/pages/qk/qk?chain=test");
  const screen = onScreen(page);
  const words = "A transaction password must be set before withdrawing";
  await expectToast(page, words);
  await expect(screen.getByRole("main").getByText(words)).toBeVisible();
  await picture(page, info, "withdraw-13-no-password");
  await screen.getByRole("link", { name: "Set transaction password" }).click();
  await setPaymentPassword(page, TRADE_PASSWORD);
  await expect(screen.getByRole("heading", { name: "Where to?" })).toBeVisible();
});

test("a member who has only practised reads why there is nothing to withdraw, and is led to the deposit", async ({
  memberPage: page,
}, info) => {
  await open(page, "/pages/qk/index");
  const screen = onScreen(page);
  await expect(screen.getByText("Your real wallet is empty, so there’s nothing to withdraw.")).toBeVisible();
  await picture(page, info, "withdraw-15-empty");
  await screen.getByRole("link", { name: "Deposit", exact: true }).click();
  await expect(page).toHaveURL(/pages\/rk\/index/);
});

test("in a region with only the practice wallet, the rule is named", async ({ page }, info) => {
  await logInByStorage(page, await newMember({ region: "DE" }));
  await open(page, "/pages/qk/index");
  await expect(
    onScreen(page)
      .getByRole("main")
      .getByText(/Only the practice wallet is available here/),
  ).toBeVisible();
  await picture(page, info, "withdraw-14-practice-region");
});
