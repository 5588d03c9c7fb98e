import { randomInt } from "node:crypto";
import { handIn } from "../../steps/identity.ts";
import { expect, expectToast, logInByStorage, onScreen, open, test } from "../../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../../steps/look.ts";
import { newMember } from "../../steps/members.ts";
import { giveReason, goTo, openConsole, openMember } from "../../steps/office.ts";
import type { Page } from "@playwright/test";

// Operators are shared by the whole deployment, so their journeys run one by one and at one window size.
test.describe.configure({ mode: "serial" });

const person = () => ({
  familyName: `Silva ${randomInt(1e6)}`,
  givenName: "Ana",
  birthDate: "1990-05-17",
  number: `AB ${randomInt(1e6, 1e7)}-${randomInt(1e3, 1e4)}`,
});

/** Opens the case with that family name in compliance's queue. */
async function openCase(office: Page, familyName: string): Promise<void> {
  await goTo(office, "Identities");
  await office.reload();
  await office.locator("tr", { hasText: familyName }).first().getByRole("button").click();
  await expect(office.getByRole("complementary")).toContainText(familyName);
}

const side = (office: Page) => office.getByRole("complementary");

test("submitted documents are reviewed and approved, and the member sees it at once", async ({
  browser,
  memberPage: page,
  member,
}, info) => {
  const ana = person();
  const officer = await openConsole(browser, "compliance-1");

  await test.step("an incomplete form can't be submitted", async () => {
    await open(page, "/pages/auth/index");
    await expect(onScreen(page).getByText("Not yet open")).toBeVisible();
    await onScreen(page).getByRole("button", { name: "Start" }).click();
    await onScreen(page).getByRole("button", { name: "Continue" }).click();
    await expectToast(page, "Enter last name");
    await expect(onScreen(page).getByText("Enter birth date")).toBeVisible();
    await onScreen(page).getByLabel("Last name").fill(ana.familyName);
    await onScreen(page).getByLabel("First name").fill(ana.givenName);
    await onScreen(page).getByText("Female", { exact: true }).click();
    await onScreen(page).getByLabel("Birth date").fill("2020-01-01");
    await onScreen(page).getByRole("button", { name: "Continue" }).click();
    await expectToast(page, "You must be at least 18 years old");
    await onScreen(page).getByLabel("Birth date").fill(ana.birthDate);
    await onScreen(page).getByRole("button", { name: "Continue" }).click();
    await onScreen(page).getByRole("button", { name: "Send for review" }).click();
    await expectToast(page, "Enter ID number");
    await expect(onScreen(page).getByText("Upload front photo")).toBeVisible();
    await expect(onScreen(page).getByText("Upload back photo")).toBeVisible();
    await expectAccessible(page, "identity form");
    await picture(page, info, "identity-01-missing");
    // Going back to the name keeps what was typed.
    await onScreen(page).getByLabel("ID number").fill(ana.number);
    await onScreen(page).getByRole("link", { name: "Change" }).click();
    await onScreen(page).getByRole("button", { name: "Continue" }).click();
    await expect(onScreen(page).getByLabel("ID number")).toHaveValue(ana.number);
    await onScreen(page).getByText("Passport", { exact: true }).click();
    await expect(onScreen(page).getByLabel("You holding that page")).toBeAttached();
  });

  await test.step("once submitted, it is pending", async () => {
    await handIn(page, ana);
    await expect(onScreen(page).getByText("Pending").first()).toBeVisible();
    await picture(page, info, "identity-02-pending");
    await open(page, "/pages/auth/Auth");
    await expect(onScreen(page).getByText("A person is comparing the photos")).toBeVisible();
  });

  await test.step("compliance sees both photos side by side, and each view is recorded", async () => {
    await openCase(officer, ana.familyName);
    await expect(side(officer)).toContainText(ana.number.replaceAll(/[ -]/g, ""));
    await officer.getByRole("button", { name: "Show photos" }).click();
    await expect(side(officer).getByRole("img", { name: "Front" })).toBeVisible();
    await expect(side(officer).getByRole("img", { name: "Back" })).toBeVisible();
    await expectAccessible(officer, "console identity");
    await picture(officer, info, "identity-03-case");
    await officer.getByRole("button", { name: "Enlarge Front" }).click();
    await expect(officer.getByRole("dialog").getByRole("img")).toHaveCount(2);
    await picture(officer, info, "identity-04-large");
    await officer.getByRole("button", { name: "Close" }).click();
  });

  await test.step("approved with the birth date from the document; the member sees it without a reload", async () => {
    await giveReason(officer, "Photos and data agree");
    await officer.getByRole("button", { name: "Verify" }).click();
    await expect(officer.getByRole("alert")).toContainText("Enter the birth date shown on the document");
    await officer.getByLabel(/^Birth date on the document/).fill(ana.birthDate);
    await officer.getByRole("button", { name: "Verify" }).click();
    await expect(side(officer)).toContainText("Verified by compliance-1");
    await expect(onScreen(page).getByText("Real-name verified").first()).toBeVisible();
    await picture(page, info, "identity-05-verified");
    await open(page, "/pages/user/index");
    await expect(onScreen(page).getByText("Identity verified")).toBeVisible();
    await expect(onScreen(page).getByText("110")).toBeVisible();
  });

  await test.step("the credit score includes it, and the assigned people appear with their hours", async () => {
    await open(page, "/pages/user/Center");
    await expect(onScreen(page).getByRole("region", { name: "Credit score" })).toContainText("+10");
    const vip = onScreen(page).getByRole("region", { name: "VIP service" });
    await expect(vip).toContainText(/VIP managersupport-[12].*Analystsupport-[12]/);
    await expect(vip).toContainText("Assigned when your identity was verified");
    const support = await openConsole(browser, "support-1");
    await openMember(support, member.email);
    await support.getByRole("tab", { name: "VIP" }).click();
    await support.getByLabel("Your hours, UTC").fill("Mo-Fr 08:00-16:00");
    await support.getByRole("button", { name: "Save hours" }).click();
    const choice = support.getByLabel("Person");
    await expect(choice.getByRole("option", { name: /^support-1 · Mo-Fr/ })).toBeEnabled();
    await choice.selectOption({ index: 1 });
    await giveReason(support, "First verified");
    await expectAccessible(support, "console vip");
    await support.getByRole("button", { name: "Assign" }).click();
    await expect(side(support)).toContainText("VIP managersupport-1");
    await picture(support, info, "identity-08-vip");
    await expect(vip).toContainText("support-1");
    await expect(vip).toContainText("Mon–Fri 08:00–16:00");
    await expectAccessible(page, "personal center with people");
    await picture(page, info, "identity-09-center");
    await support.getByRole("tab", { name: "Files" }).click();
    await expect(side(support).getByRole("row")).toHaveCount(3);
    await support.context().close();
  });

  const caseId = await side(officer).getByText(/^idn_/).innerText();
  await test.step("the audit trail has both views", async () => {
    const auditor = await openConsole(browser, "auditor-1");
    await goTo(auditor, "Audit trail");
    await auditor.getByRole("searchbox", { name: "Search by id" }).fill(caseId);
    await auditor.keyboard.press("Enter");
    await expect(auditor.getByText("identity/approve")).toHaveCount(1);
    await expect(auditor.getByText("identity/viewFile")).toHaveCount(2);
    await auditor.context().close();
  });
});

test("a rejected member reads why and submits again", async ({ browser, memberPage: page }, info) => {
  const ana = person();
  const officer = await openConsole(browser, "compliance-1");
  await handIn(page, ana);
  await openCase(officer, ana.familyName);
  await giveReason(officer, "The back is out of focus");
  await officer.getByRole("button", { name: "Reject" }).click();
  await expect(side(officer)).toContainText("Rejected by compliance-1");
  await expect(onScreen(page).getByText("Rejected: The back is out of focus")).toBeVisible();
  await expectAccessible(page, "identity rejected");
  await picture(page, info, "identity-06-rejected");
  await handIn(page, ana);
  await expect(onScreen(page).getByText("Pending").first()).toBeVisible();
  await openCase(officer, ana.familyName);
  await expect(side(officer)).toContainText("The back is out of focus");
});

test("a document number seen before needs two people of compliance", async ({ browser, memberPage: page }, info) => {
  const first = person();
  const second = { ...person(), number: first.number };
  const stranger = await newMember();
  const strangerPage = await page.context().newPage();
  await handIn(page, first);
  await logInByStorage(strangerPage, stranger);
  await handIn(strangerPage, second);
  const [one, two] = [await openConsole(browser, "compliance-1"), await openConsole(browser, "compliance-2")];

  await test.step("the first person can only propose", async () => {
    await openCase(one, second.familyName);
    await expect(side(one)).toContainText("Another member submitted this document number");
    await one.getByLabel(/^Birth date on the document/).fill(second.birthDate);
    const near = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    await one.getByLabel("Expiry date on the document").fill(near);
    await giveReason(one, "Twins with one card? The photo is theirs");
    await one.getByRole("button", { name: "Propose to verify" }).click();
    await expect(side(one)).toContainText("someone else has to decide");
    await expect(one.getByRole("button", { name: "Agree" })).toHaveCount(0);
    await picture(one, info, "identity-07-proposed");
  });

  await test.step("the second person approves", async () => {
    await openCase(two, second.familyName);
    await giveReason(two, "Seen");
    await two.getByRole("button", { name: "Agree" }).click();
    await expect(side(two)).toContainText("Verified by compliance-2");
    await expect(onScreen(strangerPage).getByText("Real-name verified").first()).toBeVisible();
  });

  await test.step("close to its last day, the member is asked for a newer document and stays verified", async () => {
    await expect(onScreen(strangerPage).getByRole("button", { name: "Send a newer document" })).toBeVisible();
    await expect(onScreen(strangerPage).getByText(/Send a newer one; you stay verified in the meantime/)).toBeVisible();
    await strangerPage.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(strangerPage);
    await expectAccessible(strangerPage, "identity to be renewed");
    await picture(strangerPage, info, "identity-10-renew");
  });

  await test.step("two people revoke it, and the member reads the reason at once", async () => {
    await giveReason(two, "The card was reported stolen");
    await two.getByRole("button", { name: "Propose to revoke" }).click();
    await expect(side(two)).toContainText("someone else has to decide");
    await openCase(one, second.familyName);
    await expect(side(one)).toContainText("The card was reported stolen");
    await giveReason(one, "The report was seen");
    await expectAccessible(one, "console identity to be revoked");
    await picture(one, info, "identity-11-revoke");
    await one.getByRole("button", { name: "Agree to revoke" }).click();
    await expect(side(one)).toContainText("Revoked");
    const stranger = onScreen(strangerPage);
    await expect(stranger.getByText("Revoked: The card was reported stolen")).toBeVisible();
    await expect(stranger.getByText(/withdrawals are unaffected/)).toBeVisible();
    await expect(stranger.getByRole("button", { name: "Send again" })).toBeVisible();
    await expectNoSidewaysScroll(strangerPage);
    await picture(strangerPage, info, "identity-12-revoked");
  });
});
