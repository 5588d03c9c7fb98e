import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, picture } from "../steps/look.ts";
import { summaryOf } from "../steps/members.ts";
import { giveReason, goTo, openConsole, openMember } from "../steps/office.ts";

test("a card payment is proposed by one person and approved by another", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const screen = onScreen(memberPage);
  const first = await openConsole(browser, "finance-1");
  const second = await openConsole(browser, "finance-2");

  await test.step("the member enters the amount, and a chat about it opens", async () => {
    await open(memberPage, "/pages/rk/index");
    await screen.getByRole("button", { name: /Bank card/ }).click();
    const sheet = memberPage.getByRole("dialog");
    await sheet.getByRole("button", { name: "Open the chat" }).click();
    await expectToast(memberPage, "Enter deposit amount");
    await sheet.getByLabel(/Deposit amount/).fill("75");
    await expectAccessible(memberPage, "card sheet");
    await picture(memberPage, info, "bank-12-card-amount");
    await sheet.getByRole("button", { name: "Open the chat" }).click();
    await expect(screen.getByRole("textbox")).toHaveValue(/75\.00 USD/);
    await screen.getByRole("button", { name: "Send" }).click();
    await expect(screen.getByText(/About a card deposit of 75\.00 USD/)).toBeVisible();
  });

  await openMember(first, member.email);
  await first.getByRole("tab", { name: "Card" }).click();
  await first.getByLabel("Amount paid by card").fill("75");
  await first.getByLabel("Acquirer’s payment reference").fill(paymentOf(member));
  await giveReason(first, "Card payment 4711, told in the chat");
  await first.getByRole("button", { name: "Propose" }).click();
  await expect(first.getByText("A second person in finance decides")).toBeVisible();
  await open(memberPage, "/pages/rk/index");
  await expect(screen.getByTestId("deposit")).toContainText("Processing");

  await first.getByRole("link", { name: /^dep_/ }).click();
  await expect(first.getByText("someone else has to decide")).toBeVisible();
  await expect(first.getByRole("button", { name: "Approve" })).toHaveCount(0);

  await goTo(second, "Deposits");
  await second.locator("tr", { hasText: member.email }).getByRole("button").click();
  await giveReason(second, "Seen on the acquirer's list");
  await second.getByLabel("Type the amount to approve").fill("75.00");
  await picture(second, info, "bank-09-card");
  await second.getByRole("button", { name: "Approve" }).click();
  await expect(second.getByRole("complementary")).toContainText("Deposited");
  await screen.getByTestId("deposit").click();
  await expect(screen.getByTestId("deposit-state")).toHaveText("Deposited");
  expect(await summaryOf(member, "real")).toMatchObject({ available: "75.00" });
});

test("a card payment that a second person can't find fails, and the member reads why", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const screen = onScreen(memberPage);
  const why = "The card's bank did not confirm this payment.";
  const [first, second] = [await openConsole(browser, "finance-1"), await openConsole(browser, "finance-2")];
  await openMember(first, member.email);
  await first.getByRole("tab", { name: "Card" }).click();
  await first.getByLabel("Amount paid by card").fill("60");
  await first.getByLabel("Acquirer’s payment reference").fill(paymentOf(member));
  await giveReason(first, "Card payment 4712, told in the chat");
  await first.getByRole("button", { name: "Propose" }).click();
  await expect(first.getByText("A second person in finance decides")).toBeVisible();
  await open(memberPage, "/pages/rk/index");
  await screen.getByTestId("deposit").click();
  await expect(screen.getByTestId("deposit-state")).toHaveText("Processing");

  await goTo(second, "Deposits");
  await second.locator("tr", { hasText: member.email }).getByRole("button").click();
  await giveReason(second, why);
  await second.getByRole("button", { name: "Reject" }).click();
  await expect(second.getByRole("complementary")).toContainText("Deposit failed");
  await picture(second, info, "card-01-rejected");

  await expect(screen.getByTestId("deposit-state")).toHaveText("Deposit failed");
  await expect(screen.getByText(why)).toBeVisible();
  await expectAccessible(memberPage, "failed card deposit");
  await picture(memberPage, info, "card-02-failed");
  await open(memberPage, "/pages/rk/index");
  await expect(screen.getByTestId("deposit")).toContainText("Deposit failed");
  expect(await summaryOf(member, "real")).toMatchObject({ available: "0.00" });
});

/** Returns the acquirer's reference of this member's payment, which must be unique. */
function paymentOf({ email }: { readonly email: string }): string {
  return `ACQ-${email.replaceAll(/[^a-z0-9]/gi, "")}`.slice(0, 60);
}
