import type { Page } from "@playwright/test";
import { chooseRegion } from "../steps/account.ts";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { importStatement, photo, statementOf } from "../steps/depositing.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { summaryOf } from "../steps/members.ts";
import { giveReason, goTo, openConsole } from "../steps/office.ts";

/** Fills in the form for 100.00 USD in EUR; returns the reference it then shows. */
async function announce(page: Page): Promise<string> {
  const screen = onScreen(page);
  await open(page, "/pages/rk/index");
  await screen.getByRole("link", { name: /Bank remittance/ }).click();
  await screen.getByLabel("Fiat currency").selectOption("EUR");
  await screen.getByRole("link", { name: /Receiving card/ }).click();
  await screen.getByRole("button", { name: /DE89370400440532013000/ }).click();
  await screen.getByLabel(/Deposit amount/).fill("100");
  await expect(screen.getByTestId("you-send")).toContainText("92.15");
  await screen.getByRole("button", { name: "Continue" }).click();
  await expect(screen.getByTestId("fiat-amount")).toContainText("92.15");
  return (await screen.getByTestId("reference").innerText()).replaceAll(" ", "");
}

test(
  "a member sends a bank transfer, uploads the receipt, and is credited by a statement with its reference",
  { tag: "@desk" },
  async ({ browser, memberPage, member }, info) => {
    const screen = onScreen(memberPage);
    let reference = "";

    await test.step("missing fields are named in the specification's words", async () => {
      await open(memberPage, "/pages/rk/bankrk");
      await expect(screen.getByRole("link", { name: "Country or region: Brazil" })).toBeVisible();
      await screen.getByRole("button", { name: "Continue" }).click();
      await expectToast(memberPage, "Select a currency");
      await screen.getByLabel("Fiat currency").selectOption("EUR");
      await screen.getByRole("button", { name: "Continue" }).click();
      await expectToast(memberPage, "Select a receiving card");
      await screen.getByLabel(/Deposit amount/).fill("12");
      await screen.getByRole("button", { name: "Continue" }).click();
      await expectToast(memberPage, "Select a receiving card");
      await expectAccessible(memberPage, "remittance form");
      await picture(memberPage, info, "bank-01-form");
    });

    await test.step("the card is chosen from those of the region", async () => {
      await screen.getByRole("link", { name: /Receiving card/ }).click();
      await expect(memberPage).toHaveTitle("Select a receiving card");
      await expectAccessible(memberPage, "receiving cards");
      await expect(screen.getByRole("button", { name: /test bank/i })).toHaveCount(2);
      await picture(memberPage, info, "bank-01-cards");
      await screen.getByRole("button", { name: /DE89370400440532013000/ }).click();
      await expect(screen.getByRole("link", { name: /DE89370400440532013000/ })).toBeVisible();
      await screen.getByRole("button", { name: "Continue" }).click();
      await expectToast(memberPage, "The minimum deposit amount is 20.00 USD");
      await screen.getByLabel(/Deposit amount/).fill("");
      await screen.getByRole("button", { name: "Continue" }).click();
      await expectToast(memberPage, "Enter deposit amount");
    });

    await test.step("another region has its own currency and cards", async () => {
      await chooseRegion(memberPage, "Vietnam");
      await screen.getByLabel("Fiat currency").selectOption("VND");
      await expect(screen.getByRole("link", { name: /Receiving card/ })).toContainText("Select a receiving card");
      await screen.getByRole("link", { name: /Receiving card/ }).click();
      await expect(memberPage).toHaveTitle("Select a receiving card");
      await expect(screen.getByRole("button", { name: /test bank/i })).toHaveCount(2);
      await expect(screen.getByRole("button", { name: /DE89370400440532013000/ })).toHaveCount(0);
      await picture(memberPage, info, "bank-01-cards-vn");
      await screen.getByRole("button", { name: /Test bank Da Nang/ }).click();
      await expect(screen.getByRole("link", { name: "Country or region: Vietnam" })).toBeVisible();
      await screen.getByLabel(/Deposit amount/).fill("100");
      await expect(screen.getByTestId("you-send")).toContainText("VND");
      await chooseRegion(memberPage, "Brazil");
    });

    await test.step("the slip shows reference and code and asks for the receipt", async () => {
      reference = await announce(memberPage);
      expect(reference).toMatch(/^RF[0-9]{14}$/);
      await expect(screen.getByRole("figure", { name: "Code for your banking app" })).toBeVisible();
      await screen.getByRole("button", { name: "Send receipt" }).click();
      await expectToast(memberPage, "Upload the receipt");
      await expectNoSidewaysScroll(memberPage);
      await picture(memberPage, info, "bank-02-reference");
    });

    await test.step("a web page with a picture's file name is refused; a photo is accepted and shown on the slip", async () => {
      const field = screen.getByLabel("Receipt", { exact: true });
      const page = Buffer.from("<script>alert(1)</script>");
      await field.setInputFiles({ name: "receipt.png", mimeType: "image/png", buffer: page });
      await expect(screen.getByRole("alert")).toContainText("We don’t accept this type of file");
      await field.setInputFiles({
        name: "receipt.png",
        mimeType: "image/png",
        buffer: await photo(memberPage, "#335577"),
      });
      await expect(screen.getByText("Uploaded", { exact: true })).toBeVisible();
      await screen.getByRole("button", { name: "Send receipt" }).click();
      await expect(screen.getByTestId("deposit-state")).toHaveText("Processing");
      await expect(screen.getByText("We have your receipt.")).toBeVisible();
      await expect(screen.getByRole("img", { name: "Receipt", exact: true })).toBeVisible();
      await expectAccessible(memberPage, "slip");
      await picture(memberPage, info, "bank-03-slip");
    });

    await test.step("finance sees the receipt beside the case, and the statement credits it automatically", async () => {
      const finance = await openConsole(browser, "finance-1");
      await goTo(finance, "Deposits");
      const row = finance.locator("tr", { hasText: member.email }).getByRole("button");
      await row.click();
      const side = finance.getByRole("complementary");
      await expect(side).toContainText(reference);
      await expect(side.getByRole("img", { name: /^Receipt,/ }).first()).toBeVisible();
      await expectAccessible(finance, "console deposit");
      await picture(finance, info, "bank-04-case");
      await importStatement(finance, statementOf("92.15", `Payment ${reference}`));
      await expect(finance.getByRole("row", { name: /Credited.*100\.00/ })).toBeVisible();
      await expect(side).toContainText("Deposited");
      await picture(finance, info, "bank-05-credited");
    });

    await test.step("slip, wallet and records show the deposit without a reload", async () => {
      await expect(screen.getByTestId("deposit-state")).toHaveText("Deposited");
      expect(await summaryOf(member, "real")).toMatchObject({ available: "100.00" });
      await open(memberPage, "/pages/assets/index");
      await screen.getByRole("combobox", { name: "Wallet" }).selectOption("real");
      await screen.getByRole("tab", { name: "Deposit records" }).click();
      await expect(screen.getByTestId("fund-record")).toContainText("+100.00");
      await screen.getByTestId("fund-record").click();
      await screen.getByRole("link", { name: "View deposit" }).click();
      await expect(screen.getByTestId("deposit-state")).toHaveText("Deposited");
      await picture(memberPage, info, "bank-06-deposited");
    });
  },
);

test("a remittance that never arrived fails, and the member reads why", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const screen = onScreen(memberPage);
  await announce(memberPage);
  await screen.getByRole("button", { name: "I’ll send it later" }).click();
  await expect(screen.getByTestId("deposit-state")).toHaveText("Processing");
  const finance = await openConsole(browser, "finance-2");
  await goTo(finance, "Deposits");
  await finance.getByRole("tab", { name: "In progress" }).click();
  await finance.locator("tr", { hasText: member.email }).getByRole("button").click();
  await expect(finance.getByRole("complementary")).toContainText("Match a statement line first");
  await giveReason(finance, "No transfer came within a week.");
  await finance.getByRole("button", { name: "Reject" }).click();
  await expect(finance.getByRole("complementary")).toContainText("Deposit failed");
  await expect(screen.getByTestId("deposit-state")).toHaveText("Deposit failed");
  await expect(screen.getByText("No transfer came within a week.")).toBeVisible();
  await picture(memberPage, info, "bank-07-failed");
  expect(await summaryOf(member, "real")).toMatchObject({ available: "0.00" });
});

test("a different amount is matched by hand and credited at the rate that the member saw", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const screen = onScreen(memberPage);
  const reference = await announce(memberPage);
  await screen.getByRole("button", { name: "I’ll send it later" }).click();
  const finance = await openConsole(browser, "finance-1");
  await goTo(finance, "Deposits");
  // An amount that only this journey uses, so that its line can be told from others.
  const cents = String(10 + (Date.now() % 80));
  await importStatement(finance, statementOf(`90.${cents}`, "forgot the reference"));
  await expect(finance.getByText("Nothing was credited")).toBeVisible();
  await finance.getByRole("tab", { name: "In progress" }).click();
  await finance.locator("tr", { hasText: member.email }).getByRole("button").click();
  await finance
    .getByRole("button", { name: `Match with EUR 90.${cents}` })
    .first()
    .click();
  const side = finance.getByRole("complementary");
  await expect(side).toContainText(/Worth 9[78]\.\d\d USD/);
  const [, worth = ""] = /Worth (9[78]\.\d\d) USD/.exec(await side.innerText()) ?? [];
  await giveReason(finance, "Same name, same day, fee of the bank taken off");
  await finance.getByLabel("Type the amount to approve").fill(worth);
  await picture(finance, info, "bank-08-match");
  await finance.getByRole("button", { name: "Credit" }).click();
  await expect(side).toContainText("Deposited");
  await expect(screen.getByTestId("deposit-state")).toHaveText("Deposited");
  expect(await summaryOf(member, "real")).toMatchObject({ available: worth });

  await test.step("the bank reverses it: two people approve, and the member reads why", async () => {
    await importStatement(finance, statementOf(`90.${cents}`, `Return of ${reference}`, true));
    await expect(finance.getByRole("row", { name: /Reversed.*EUR 90/ })).toBeVisible();
    await expect(side).toContainText("The bank reversed it");
    await giveReason(finance, "The sending bank recalled the transfer.");
    await finance.getByRole("button", { name: "Propose reversal" }).click();
    await expect(side).toContainText("someone else has to decide");
    await expectAccessible(finance, "console reversal");
    const second = await openConsole(browser, "finance-2");
    await goTo(second, "Deposits");
    await second.locator("tr", { hasText: member.email }).getByRole("button").click();
    await giveReason(second, "Stands on the statement");
    await second.getByLabel("Type the amount to approve").fill(worth);
    await picture(second, info, "bank-13-reversal");
    await second.getByRole("button", { name: "Approve" }).click();
    await expect(second.getByRole("complementary")).toContainText("Reversed. The member owes 0.00 USD");
    await expect(screen.getByTestId("deposit-state")).toHaveText("Deposit failed");
    await expect(screen.getByText("The sending bank recalled the transfer.")).toBeVisible();
    await picture(memberPage, info, "bank-14-reversed");
    const after = await summaryOf(member, "real");
    expect(after).toMatchObject({ available: "0.00", creditScore: 80 });
  });
});
