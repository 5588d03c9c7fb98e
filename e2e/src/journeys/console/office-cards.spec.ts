import { expect, onScreen, open, test } from "../../steps/journey.ts";
import { expectAccessible, picture } from "../../steps/look.ts";
import { giveReason, goTo, openConsole } from "../../steps/office.ts";

test("a receiving card is proposed by one admin, approved by another, and offered to members", async ({
  browser,
  memberPage,
}, info) => {
  const proposer = await openConsole(browser, "admin-1");
  const approver = await openConsole(browser, "admin-2");
  // A currency that only this journey uses, so that others see the cards they expect.
  const bank = `Test bank ${Date.now() % 100_000}`;

  await test.step("proposed; a typo in the number is reported", async () => {
    await goTo(proposer, "Receiving cards");
    await proposer.getByRole("tab", { name: "Propose a card" }).click();
    const form = proposer.getByRole("main");
    await form.getByLabel("Currency (ISO 4217)").fill("CHF");
    await form.getByLabel("Bank", { exact: true }).fill(bank);
    await form.getByLabel("Account holder").fill("Fairtick test, no real money");
    await form.getByLabel("IBAN or account number").fill("CH93 0076 2011 6238 5295 8");
    await form.getByLabel("Exchange rate for 1 USD").fill("0.93");
    await form.getByLabel("Note for members").fill("Sandbox: do not send any money.");
    await form.getByLabel(/^Reason/).fill("A second account, so that one may rest");
    await form.getByRole("button", { name: "Propose" }).click();
    await expect(form.getByRole("alert").first()).toBeVisible();
    await form.getByLabel("IBAN or account number").fill("CH93 0076 2011 6238 5295 7");
    await expectAccessible(proposer, "console card form");
    await form.getByRole("button", { name: "Propose" }).click();
    await proposer.getByRole("link", { name: /^prp_/ }).click();
    await expect(proposer.getByText("someone else has to decide")).toBeVisible();
    await picture(proposer, info, "office-cards-01-proposed");
  });

  await test.step("approved by another admin", async () => {
    await goTo(approver, "Receiving cards");
    await approver.getByRole("tab", { name: "Proposals" }).click();
    await approver.locator("tr[data-id]").first().getByRole("button").click();
    await expect(approver.getByRole("complementary")).toContainText(bank);
    await giveReason(approver, "Compared with the bank's letter");
    await approver.getByRole("button", { name: "Approve" }).click();
    await expect(approver.getByRole("complementary")).toContainText("Approved by admin-2");
    await approver.getByRole("tab", { name: "In force" }).click();
    await expect(approver.getByRole("cell", { name: bank })).toBeVisible();
    await expectAccessible(approver, "console cards");
    await picture(approver, info, "office-cards-02-in-force");
  });

  await test.step("a member can choose the card, and it can be closed again", async () => {
    await open(memberPage, "/pages/rk/SelectCard?currency=CHF");
    await expect(onScreen(memberPage).getByText(bank)).toBeVisible();
    await proposer.reload();
    await proposer.getByRole("tab", { name: "In force" }).click();
    await proposer.locator("tr", { hasText: bank }).getByRole("button").click();
    const side = proposer.getByRole("complementary");
    await side.getByRole("checkbox").uncheck();
    await giveReason(proposer, "Not needed any more");
    await side.getByRole("button", { name: "Propose" }).click();
    await expect(side.getByText("Another admin decides")).toBeVisible();
    await approver.reload();
    await approver.getByRole("tab", { name: "Proposals" }).click();
    await approver.locator("tr[data-id]").first().getByRole("button").click();
    await giveReason(approver, "Agreed");
    await approver.getByRole("button", { name: "Approve" }).click();
    await expect(approver.getByRole("complementary")).toContainText("Approved by admin-2");
    await memberPage.reload();
    await expect(onScreen(memberPage).getByText("No receiving card for this region and currency")).toBeVisible();
  });

  await test.step("chains, incidents and stray coins can be viewed", async () => {
    await goTo(approver, "Incidents");
    // Another journey may have opened one.
    await expect(approver.getByText("No open incidents.").or(approver.locator("tr[data-id]").first())).toBeVisible();
    await approver.getByRole("tab", { name: "Chains" }).click();
    await expect(approver.getByRole("cell", { name: "test" })).toBeVisible();
    await expectAccessible(approver, "console chains");
    await picture(approver, info, "office-cards-03-chains");
  });
});
