import { expect, onScreen, open, test } from "../../steps/journey.ts";
import { expectAccessible, picture } from "../../steps/look.ts";
import { giveReason, goTo, openConsole } from "../../steps/office.ts";

// Versions belong to the whole deployment, so each one is approved before the next is proposed.
test.describe.configure({ mode: "serial" });

test("two admins change a region and the withdrawal terms, and members read what will change", async ({
  browser,
  memberPage,
}, info) => {
  const proposer = await openConsole(browser, "admin-1");
  const approver = await openConsole(browser, "admin-2");

  /** Approves the newest proposal of the current screen. */
  async function approveNewest(change: string): Promise<void> {
    await approver.getByRole("tab", { name: "Proposals" }).click();
    await approver.locator("tr[data-id]", { hasText: "Waiting" }).first().getByRole("button").click();
    const side = approver.getByRole("complementary");
    await expect(side).toContainText(change);
    await giveReason(approver, "Read and agreed");
    await approver.getByRole("button", { name: "Approve" }).click();
    await expect(side).toContainText("Approved by admin-2");
  }

  await test.step("a region no other journey looks at", async () => {
    await goTo(proposer, "Regions");
    await proposer.getByRole("searchbox").fill("Tuvalu");
    await proposer.getByRole("button", { name: "Tuvalu TV" }).click();
    const side = proposer.getByRole("complementary");
    await expect(side).toContainText("Always open");
    const age = side.getByLabel("Legal age");
    await age.fill((await age.inputValue()) === "21" ? "20" : "21");
    await giveReason(proposer, "A new act raises the age");
    await expectAccessible(proposer, "console regions");
    await picture(proposer, info, "office-policies-01-region");
    await proposer.getByRole("button", { name: "Propose change" }).click();
    await expect(side).toContainText("TV legalAge");
    await expect(proposer.getByText("someone else has to decide")).toBeVisible();
    await goTo(approver, "Regions");
    await approveNewest("TV legalAge");
    await approver.getByRole("tab", { name: "Versions" }).click();
    await expect(approver.locator("tr[data-id]").first()).toContainText("TV legalAge");
    await picture(approver, info, "office-policies-02-versions");
  });

  await test.step("a higher fee applies a day later and is shown to members at once", async () => {
    await goTo(proposer, "Withdrawal terms");
    await proposer.getByRole("button", { name: "Fee", exact: true }).click();
    const side = proposer.getByRole("complementary");
    await side.getByLabel("Fee", { exact: true }).fill("1.50");
    await giveReason(proposer, "Gas has become dearer");
    await expectAccessible(proposer, "console withdrawal terms");
    await picture(proposer, info, "office-policies-03-terms");
    await proposer.getByRole("button", { name: "Propose terms" }).click();
    await expect(side).toContainText("1.50");
    await goTo(approver, "Withdrawal terms");
    await approveNewest("fee");
    await open(memberPage, "/pages/qk/index");
    await expect(onScreen(memberPage).getByText(/New terms apply from .*: fee 1\.50 USD/)).toBeVisible();
    await expectAccessible(memberPage, "coming terms");
    await picture(memberPage, info, "office-policies-04-member");
  });

  await test.step("the reports show what is in the tables", async () => {
    await goTo(approver, "Liabilities");
    await expect(approver.getByText("Owed to members now")).toBeVisible();
    await expectAccessible(approver, "console liabilities");
    await goTo(approver, "Fairness");
    await expect(approver.getByText("Entry price, 95%")).toBeVisible();
    await expectAccessible(approver, "console fairness");
  });
});
