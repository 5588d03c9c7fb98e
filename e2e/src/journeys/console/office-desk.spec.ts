import type { Page } from "@playwright/test";
import { expect, test } from "../../steps/journey.ts";
import { expectAccessible, picture } from "../../steps/look.ts";
import { placeByCall } from "../../steps/members.ts";
import { importStatement } from "../../steps/depositing.ts";
import { giveReason, goTo, openConsole, openMember } from "../../steps/office.ts";

test.describe.configure({ mode: "serial" });

/** Makes a call as the console's page does, with the session of the operator who is logged in there. */
async function call<Data>(page: Page, path: string, body: object): Promise<Data> {
  return page.evaluate(
    async ([to, sent]) => {
      const response = await fetch(`/operator/${to}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-fairtick-console": "1" },
        body: JSON.stringify(sent),
      });
      const answer = (await response.json()) as { code: number; msg: string; data: Data };
      if (answer.code !== 200) throw new Error(answer.msg);
      return answer.data;
    },
    [path, body] as const,
  );
}
const proposeCapital = (page: Page, amount: string) =>
  call<{ proposalId: string }>(page, "capital/propose", { wallet: "practice", amount, reason: "For the weekend" });

test("a member's ledger and orders can be paged back to the first one", async ({ browser, member }) => {
  for (let placed = 0; placed < 55; placed += 5) {
    const five = Array.from({ length: 5 }, () =>
      placeByCall(member, { symbol: "EURUSD", direction: "up", stake: "10" }),
    );
    await Promise.all(five);
  }
  const desk = await openConsole(browser, "finance-1");
  await openMember(desk, member.email);
  const side = desk.getByRole("complementary");
  const rows = side.locator("tr[data-id]");
  await expect(rows).toHaveCount(50);
  await side.getByRole("button", { name: "Older" }).click();
  await expect(side.getByText("Practice funds added")).toBeVisible();
  await expect(side.getByText("Page 2")).toBeVisible();
  await side.getByRole("tab", { name: "Orders" }).click();
  const older = side.getByRole("button", { name: "Older" });
  // Some orders may be settled by now; the two parts together list all of them.
  await expect(rows.first().or(side.getByText("No open orders"))).toBeVisible();
  if (!(await older.isVisible())) await side.getByText("Settled", { exact: true }).click();
  await older.click();
  await expect(rows).not.toHaveCount(50);
  await expect(older).toBeDisabled();
});

test("the next page of a pending queue is newer", async ({ browser }) => {
  const desk = await openConsole(browser, "finance-1");
  const made: string[] = [];
  for (let each = 1; each <= 52; each += 1) made.push((await proposeCapital(desk, `${each}.00`)).proposalId);
  await goTo(desk, "House capital");
  await expect(desk.locator(".queue tr[data-id]")).toHaveCount(50);
  await expect(desk.getByRole("button", { name: "Older" })).toBeDisabled();
  await desk.getByRole("button", { name: "Newer" }).click();
  await expect(desk.locator(`tr[data-id="${made.at(-1)}"]`)).toBeVisible();
  await desk.getByRole("button", { name: "Older" }).click();
  await expect(desk.locator(`tr[data-id="${made[0]}"]`)).toBeVisible();
  for (const proposalId of made) await call(desk, "capital/reject", { proposalId, reason: "Not needed" });
});

test("the keyboard works on after a filter and moves to the next case after a decision", async ({ browser }, info) => {
  const first = await openConsole(browser, "finance-1");
  const second = await openConsole(browser, "admin-1");
  const made: string[] = [];
  for (const amount of ["11.00", "12.00", "13.00", "14.00"])
    made.push((await proposeCapital(first, amount)).proposalId);
  const row = (place: number) => second.locator(`tr[data-id="${made[place]}"]`).getByRole("button");
  const side = second.getByRole("complementary");

  await test.step("j works after a filter was clicked", async () => {
    await goTo(second, "Members");
    await second.locator(".queue tr[data-id]").first().getByRole("button").click();
    const real = second.getByRole("radio", { name: "Real" });
    await side.getByText("Real", { exact: true }).click();
    await expect(real).toBeFocused();
    await second.keyboard.press("j");
    await expect(second.locator(".queue tr[data-id]").nth(1).getByRole("button", { pressed: true })).toBeVisible();
  });

  await test.step("after deciding one in the middle, the focus is on the next case and the decided one stays in view", async () => {
    await goTo(second, "House capital");
    await row(1).click();
    await giveReason(second, "Agreed by phone");
    await second.getByLabel("Type the amount to approve").fill("12.00");
    await expectAccessible(second, "console decision");
    await picture(second, info, "office-decide");
    await second.getByRole("button", { name: "Approve" }).press("Enter");
    await expect(row(2)).toBeFocused();
    await expect(side).toContainText("Approved by admin-1");
    await second.keyboard.press("j");
    await expect(side).toContainText("13.00");
    await expect(row(2)).toBeFocused();
  });

  await test.step("whoever decides second is told who was first", async () => {
    await giveReason(second, "Not this one");
    await call(first, "capital/reject", { proposalId: made[2], reason: "Typed twice" });
    await second.getByRole("button", { name: "Reject" }).click();
    await expect(second.getByRole("alert")).toContainText(/finance-1 was first\. Rejected, .* UTC/);
    await expect(side).toContainText("Rejected by finance-1");
    await expect(side).toContainText("“Typed twice”");
    await picture(second, info, "office-lost");
    await row(3).click();
    await expect(second.getByRole("alert")).toHaveCount(0);
  });
  for (const place of [0, 3]) await call(first, "capital/reject", { proposalId: made[place], reason: "Not needed" });
});

test("the case can be read above the decision at 1280 × 800", async ({ browser }, info) => {
  const first = await openConsole(browser, "finance-1");
  const { proposalId } = await proposeCapital(first, "21.00");
  const second = await openConsole(browser, "admin-1");
  await second.goto(`/#/capital/${proposalId}`);
  const form = second.locator(".decide");
  await expect(form).toBeVisible();
  expect((await form.boundingBox())!.height).toBeLessThan(190);
  // Each sentence of the case ends above the form.
  const top = (await form.boundingBox())!.y;
  for (const text of await second.locator(".case > :not(.decide)").all()) {
    const box = (await text.boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(top + 1);
  }
  for (const colorScheme of ["light", "dark"] as const)
    for (const [width, height] of [
      [1280, 800],
      [1440, 900],
    ] as const) {
      await second.setViewportSize({ width, height });
      await second.emulateMedia({ colorScheme });
      await picture(second, info, `office-readable-${colorScheme}-${width}`);
    }
  await call(first, "capital/reject", { proposalId, reason: "Not needed" });
});

test("a statement of 1,500 lines gives a summary and a table; importing it again says who imported it first", async ({
  browser,
}, info) => {
  // Use the card in dong, so that these lines don't affect other journeys.
  const entries = Array.from({ length: 1_500 }, (_, place) => {
    const amount = place % 25 === 0 ? "-1" : String(100_000 + place);
    return `<Ntry><Amt Ccy="VND">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>LONG${Date.now()}-${place}</AcctSvcrRef></Ntry>`;
  });
  const xml = `<Document><BkToCstmrStmt><GrpHdr><MsgId>LONG</MsgId></GrpHdr>
<Stmt><Acct><Id><Othr><Id>000000012345</Id></Othr></Id></Acct>${entries.join("\n")}</Stmt></BkToCstmrStmt></Document>`;
  const desk = await openConsole(browser, "finance-1");
  await goTo(desk, "Deposits");
  const hand = (content: string) => importStatement(desk, Buffer.from(content));
  await hand(xml);
  await expect(desk.getByText("1,440").first()).toBeVisible();
  const rows = desk.locator(".queue tr[data-id]");
  await expect(rows).toHaveCount(50);
  await expect(rows.first()).toContainText("Line 2: the amount isn’t valid for its currency");
  const height = await desk.locator(".queue").evaluate((queue) => queue.scrollHeight);
  expect(height).toBeLessThan(3_500);
  await expectAccessible(desk, "console import");
  // Counts have thousands separators, and the empty side pane says what to do.
  await expect(desk.getByText("Choose a row to see the details.")).toBeVisible();
  await picture(desk, info, "office-import");
  await desk.emulateMedia({ colorScheme: "dark" });
  await desk.setViewportSize({ width: 1440, height: 900 });
  await picture(desk, info, "office-import-dark");
  await desk.getByRole("button", { name: "Next" }).click();
  await expect(rows).toHaveCount(10);

  await hand(xml);
  await expect(desk.getByRole("alert").first()).toContainText("already imported by finance-1");
  await hand(xml.replace("000000012345", "DE02120300000000202051"));
  await expect(desk.getByRole("alert").first()).toContainText("isn’t one of the receiving cards");
  await hand(xml.replace("</Ntry>\n<Ntry>", "</Ntry>\n<Torn>"));
  await expect(desk.getByRole("alert").first()).toContainText(/The file is broken\. Line [\d,]+:/);
  await picture(desk, info, "office-import-refused");
});

test("a case taken by one operator is shown to others as theirs until it is given back or decided", async ({
  browser,
  member,
}, info) => {
  const [first, second, support] = await Promise.all([
    openConsole(browser, "finance-1"),
    openConsole(browser, "finance-2"),
    openConsole(browser, "support-1"),
  ]);
  const [found] = (await call<{ items: { memberId: string }[] }>(support, "member/list", { search: member.email }))
    .items;
  await call(support, "deposit/proposeCard", {
    memberId: found!.memberId,
    amount: "32.10",
    reference: `taken-${Date.now()}`,
    reason: "Paid by card, told in the chat",
    clientId: `taken-${Date.now()}-client`,
  });
  await goTo(first, "Deposits");
  const rowOf = (page: Page) => page.locator(".queue tr[data-id]", { hasText: member.email });
  await rowOf(first).getByRole("button").click();
  const [sideOfFirst, sideOfSecond] = [first.getByRole("complementary"), second.getByRole("complementary")];

  await test.step("the key t takes it for ten minutes, and the list says so", async () => {
    await expect(sideOfFirst.getByRole("button", { name: "Take for 10 minutes" })).toBeVisible();
    await first.keyboard.press("t");
    await expect(sideOfFirst.getByText(/^Yours until \d\d:\d\d UTC$/)).toBeVisible();
    await expect(rowOf(first)).toContainText("finance-1 has it");
    await expectAccessible(first, "console take");
    await picture(first, info, "office-take-mine");
  });

  await test.step("a colleague sees who has it and can take it only once it is given back", async () => {
    await goTo(second, "Deposits");
    await expect(rowOf(second)).toContainText("finance-1 has it");
    await rowOf(second).getByRole("button").click();
    await expect(sideOfSecond.getByText(/^finance-1 is working on this until \d\d:\d\d UTC\.$/)).toBeVisible();
    await expect(sideOfSecond.getByRole("button", { name: "Take for 10 minutes" })).toHaveCount(0);
    await picture(second, info, "office-take-theirs");
    await sideOfFirst.getByRole("button", { name: "Give back" }).click();
    await sideOfSecond.getByRole("button", { name: "Take for 10 minutes" }).click();
    await expect(sideOfSecond.getByText(/^Yours until/)).toBeVisible();
    await expect(sideOfFirst.getByText(/^finance-2 is working on this/)).toBeVisible({ timeout: 15_000 });
  });

  await test.step("once decided, nobody has it any more", async () => {
    await giveReason(second, "Agrees with the acquirer's list");
    await second.getByRole("button", { name: /^Reject/ }).click();
    await expect(sideOfSecond).toContainText("Rejected by finance-2");
    await expect(sideOfSecond.getByText(/^Yours until/)).toHaveCount(0);
    await expect(sideOfFirst.getByText(/is working on this/)).toHaveCount(0, { timeout: 15_000 });
  });
});

test("the key ? lists all keys, and Escape closes the list", async ({ browser }, info) => {
  const desk = await openConsole(browser, "finance-1");
  await goTo(desk, "Withdrawals");
  await desk.keyboard.press("?");
  const sheet = desk.getByRole("dialog", { name: "Keyboard" });
  await expect(sheet).toContainText("Take it for 10 minutes");
  await expectAccessible(desk, "console keys sheet");
  for (const colorScheme of ["light", "dark"] as const) {
    await desk.emulateMedia({ colorScheme });
    await picture(desk, info, `office-keys-${colorScheme}`);
  }
  // Keys of the screen behind the list do nothing while it is open.
  await desk.keyboard.press("g");
  await desk.keyboard.press("d");
  await desk.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(desk.getByRole("heading", { level: 1, name: "Withdrawals" })).toBeVisible();
});
