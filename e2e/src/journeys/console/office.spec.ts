import { expect, onScreen, open, test } from "../../steps/journey.ts";
import { expectAccessible, picture } from "../../steps/look.ts";
import { placeByCall, valueOf } from "../../steps/members.ts";
import { openOrderForm } from "../../steps/ordering.ts";
import { giveReason, goTo, openConsole, openMember, takeFirst } from "../../steps/office.ts";
import { marketInstruments, orderQuote } from "@fairtick/protocol";

// Operators are shared by the whole deployment, so their journeys run in one file and at one window size.
test.describe.configure({ mode: "serial" });

test("a correction needs two people of finance, and the member reads why", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const first = await openConsole(browser, "finance-1");
  const second = await openConsole(browser, "finance-2");
  const reason = "Fee of 3 November charged twice";

  await test.step("proposed from the member's case", async () => {
    await openMember(first, member.email);
    await expectAccessible(first, "console member");
    await first.getByRole("tab", { name: "Correct" }).click();
    await first.getByLabel(/^Amount/).fill("12.34");
    await giveReason(first, reason);
    await picture(first, info, "office-01-propose");
    await first.getByRole("button", { name: "Propose" }).click();
    await expect(first.getByText("A second person in finance decides")).toBeVisible();
  });

  await test.step("the proposer can't approve it", async () => {
    await goTo(first, "Corrections");
    await takeFirst(first);
    await expect(first.getByText("someone else has to decide")).toBeVisible();
    await expect(first.getByRole("button", { name: "Approve" })).toHaveCount(0);
  });

  await test.step("another person approves it by keyboard alone, typing the amount and a reason", async () => {
    const { keyboard } = second;
    const heading = second.getByRole("heading", { level: 1, name: "Corrections" });
    const row = second.locator("tr[data-id]").first().getByRole("button");
    const side = second.getByRole("complementary");
    await second.getByRole("navigation").getByRole("link", { name: "Corrections" }).focus();
    await keyboard.press("Enter");
    await expect(heading).toBeFocused();
    await takeFirst(second);
    await expect(row).toBeFocused();
    await expect(side).toContainText("+12.34");
    await keyboard.press("Enter");
    await expect(side).toBeFocused();
    await keyboard.press("Escape");
    await expect(row).toBeFocused();
    await keyboard.press("a");
    await expect(second.getByRole("alert")).toHaveText(/Enter a reason first/);
    await expect(second.getByLabel(/^Reason/)).toBeFocused();
    await keyboard.type("Seen in the ledger");
    const approve = second.getByRole("button", { name: "Approve" });
    await approve.focus();
    await keyboard.press("Enter");
    await expect(second.getByRole("alert")).toHaveText(/Type the amount/);
    await expect(second.getByLabel("Type the amount to approve")).toBeFocused();
    await keyboard.type("12.34");
    await picture(second, info, "office-02-approve");
    await approve.focus();
    await keyboard.press("Enter");
    await expect(second.getByText("No corrections waiting.")).toBeVisible();
    await expect(heading).toBeFocused();
    await second.getByRole("tab", { name: "Decided" }).click();
    await takeFirst(second);
    await expect(second.getByRole("complementary")).toContainText("Approved by finance-2");
    await expectAccessible(second, "console correction");
  });

  await test.step("the member sees the correction with its reason", async () => {
    await open(memberPage, "/pages/assets/index");
    const record = memberPage.getByTestId("fund-record").first();
    await expect(record).toContainText("+12.34");
    await expect(record).toContainText(reason);
    await expect(record).toContainText("10,012.34");
    await picture(memberPage, info, "office-03-member");
  });
});

test("a payout rate changes from a given time on, for new orders only", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const proposer = await openConsole(browser, "admin-1");
  const approver = await openConsole(browser, "admin-2");
  // A product that only this journey changes.
  const wish = { symbol: "DOGEUSD", direction: "up", stake: "10", duration: 900 } as const;
  const rateNow = async () => valueOf(await member.client.call(orderQuote, { ...wish, wallet: "practice" })).payoutRate;
  const before = await rateNow();
  expect(before).toBe("0.89");
  const running = await placeByCall(member, wish);
  // The order form stays open all the time and is never reloaded.
  await openOrderForm(memberPage, wish.symbol);
  const chip = onScreen(memberPage).getByRole("radiogroup", { name: "Delivery time" }).getByText("15 min");
  await expect(chip.locator("..")).toContainText("pays 89%");

  await test.step("proposed with its differences", async () => {
    await goTo(proposer, "Configuration");
    await proposer.getByRole("button", { name: "DOGE/USD" }).click();
    const durations = proposer.getByLabel(/^Durations/);
    await durations.fill((await durations.inputValue()).replace("900 = 0.89", "900 = 0.75"));
    await giveReason(proposer, "Thin market at the weekend");
    await expectAccessible(proposer, "console configuration");
    await picture(proposer, info, "office-04-config");
    await proposer.getByRole("button", { name: /^Propose version/ }).click();
    await expect(proposer.getByRole("complementary")).toContainText("DOGEUSD 900 s payoutRate");
    await expect(proposer.getByText("someone else has to decide")).toBeVisible();
  });

  await test.step("another admin approves it, and it applies ten seconds later", async () => {
    await goTo(approver, "Configuration");
    await approver.getByRole("tab", { name: "Proposals" }).click();
    await takeFirst(approver);
    await giveReason(approver, "Agreed");
    await picture(approver, info, "office-05-diff");
    await approver.getByRole("button", { name: "Approve" }).click();
    await expect(approver.getByRole("complementary")).toContainText("Approved by admin-2");
    expect(await rateNow()).toBe("0.89");
    await expect.poll(rateNow).toBe("0.75");
    await expect(chip.locator("..")).toContainText("pays 75%");
  });

  await test.step("running orders keep their terms, and new orders get the new ones", async () => {
    const later = await placeByCall(member, wish);
    expect([running.payoutRate, later.payoutRate]).toEqual(["0.89", "0.75"]);
    expect(later.configVersion).toBe(running.configVersion + 1);
    const instruments = valueOf(await member.client.call(marketInstruments, {}));
    const doge = instruments.find(({ symbol }) => symbol === wish.symbol);
    expect(doge?.durations.find(({ seconds }) => seconds === 900)?.payoutRate).toBe("0.75");
  });

  await test.step("the audit trail has both steps, and its hash chain is intact", async () => {
    await goTo(approver, "Audit trail");
    await expect(approver.getByText("The hash chain is intact")).toBeVisible();
    await approver
      .getByRole("button", { name: /^20\d\d-\d\d-\d\d \d\d:\d\d/ })
      .first()
      .click();
    await expectAccessible(approver, "console audit");
    await picture(approver, info, "office-06-audit");
  });
});

test("a suspended member reads why and can't start anything until the suspension is lifted", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const officer = await openConsole(browser, "compliance-1");
  const reason = "Account used by another person";

  await test.step("suspended with a reason", async () => {
    await openMember(officer, member.email);
    await officer.getByRole("tab", { name: "Standing" }).click();
    await giveReason(officer, reason);
    await officer.getByRole("button", { name: "Suspend" }).click();
    await expect(officer.getByRole("complementary")).toContainText("Suspended by compliance-1");
    await picture(officer, info, "office-07-suspended");
  });

  await test.step("an order is refused with that reason", async () => {
    await expect(placeByCall(member, { symbol: "EURUSD", direction: "up", stake: "10" })).rejects.toThrow(reason);
    await open(memberPage, "/pages/user/index");
    await expect(memberPage.getByText(reason).first()).toBeVisible();
  });

  await test.step("lifted within 24 hours by the same person", async () => {
    await giveReason(officer, "Cleared by phone");
    await officer.getByRole("button", { name: "Lift" }).click();
    await expect(officer.getByRole("complementary")).toContainText("Lifted by compliance-1");
    await placeByCall(member, { symbol: "EURUSD", direction: "up", stake: "10" });
  });
});
