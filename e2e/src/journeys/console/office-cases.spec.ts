import { depositList, supportSend, withdrawCreate } from "@fairtick/protocol";
import type { Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import { fillMoney } from "../../steps/filled.ts";
import { handIn } from "../../steps/identity.ts";
import { expect, test } from "../../steps/journey.ts";
import { picture } from "../../steps/look.ts";
import { newMember, TRADE_PASSWORD, valueOf } from "../../steps/members.ts";
import { giveReason, goTo, openConsole, openMember } from "../../steps/office.ts";
import { giveReal, newWallet } from "../../steps/real-money.ts";

/** Expects a low form that, scrolled to the end, leaves most of the case readable above it. */
async function expectReadable(office: Page): Promise<void> {
  const form = office.locator(".case > .decide");
  await expect(form).toBeVisible();
  await expect(office.locator(".case")).not.toContainText("Reading");
  const measured = await office.locator(".case").evaluate((side) => {
    const decide = side.querySelector<HTMLElement>(":scope > .decide");
    const others = [...side.querySelectorAll<HTMLElement>(":scope > :not(.decide)")];
    if (decide === null) throw new Error("no decision");
    side.scrollTo(0, 0);
    const isLong = side.scrollHeight > side.clientHeight + 1;
    const seen = decide.getBoundingClientRect().top - side.getBoundingClientRect().top;
    const { content, opacity } = getComputedStyle(decide, "::before");
    const fade = content === "none" ? 0 : Number(opacity);
    side.scrollTo(0, side.scrollHeight);
    const top = decide.getBoundingClientRect().top;
    const covered = others.filter((one) => one.getBoundingClientRect().bottom > top + 1).map((one) => one.innerText);
    return { height: decide.offsetHeight, seen, isLong, fade, covered };
  });
  expect(measured.covered).toEqual([]);
  expect(measured.height).toBeLessThan(190);
  // Most of the height belongs to the case.
  expect(measured.seen).toBeGreaterThan(480);
  // A fade shows that more of the case is below the form.
  if (measured.isLong) expect(measured.fade).toBe(1);
}

async function pictures(office: Page, name: string): Promise<void> {
  const info = test.info();
  await office.locator(".case").evaluate((side) => side.scrollTo(0, 0));
  for (const colorScheme of ["light", "dark"] as const) {
    await office.emulateMedia({ colorScheme });
    await picture(office, info, `office-case-${name}-${colorScheme}`);
  }
  await office.emulateMedia({ colorScheme: "light" });
}

test("the decision leaves room to read a withdrawal and a deposit at 1280 × 800", async ({ browser, member }) => {
  const { withdrawNo } = await fillMoney(member);
  const { items } = valueOf(await member.client.call(depositList, {}));
  const office = await openConsole(browser, "finance-2");
  await office.goto(`/#/withdrawals/${withdrawNo}`);
  await expect(office.getByRole("complementary")).toContainText(member.email);
  await expectReadable(office);
  await pictures(office, "withdrawal");

  const remittance = items.find(({ method }) => method === "bank")?.depositNo ?? "";
  await goTo(office, "Deposits");
  await office.getByRole("tab", { name: "In progress" }).click();
  await office.locator(`tr[data-id="${remittance}"]`).getByRole("button").click();
  await expect(office.getByRole("complementary")).toContainText(member.email);
  await expectReadable(office);
  await pictures(office, "deposit");
});

test("the decision leaves room to read an identity at 1280 × 800", async ({ browser, memberPage, member }) => {
  await memberPage.setViewportSize({ width: 360, height: 740 });
  const number = `LR${Date.now()}`;
  await handIn(memberPage, { familyName: "Lang", givenName: "Rosa", birthDate: "1988-02-03", number });
  const office = await openConsole(browser, "compliance-1");
  await goTo(office, "Identities");
  await office.locator("tr[data-id]", { hasText: member.email }).getByRole("button").click();
  await expect(office.getByRole("complementary")).toContainText(number);
  await expectReadable(office);
  await office.getByRole("button", { name: "Show photos" }).click();
  await expect(office.getByRole("img", { name: "Back" })).toBeVisible();
  await expectReadable(office);
  await pictures(office, "identity");
});

test("the decision leaves room to read a configuration's differences at 1280 × 800", async ({ browser }) => {
  const proposer = await openConsole(browser, "admin-1");
  await goTo(proposer, "Configuration");
  await proposer.getByRole("button", { name: "XRP/USD" }).click();
  const durations = proposer.getByLabel(/^Durations/);
  // All durations change, which makes as many differences as one product can have.
  await durations.fill((await durations.inputValue()).replaceAll(/= 0\.\d+/g, "= 0.71"));
  await giveReason(proposer, "A thin market, of which all durations pay less from tomorrow on");
  await proposer.getByRole("button", { name: /^Propose version/ }).click();
  await expect(proposer.getByText("someone else has to decide")).toBeVisible();
  const office = await openConsole(browser, "admin-2");
  await office.goto(`/${new URL(proposer.url()).hash}`);
  await expect(office.getByRole("complementary")).toContainText("XRPUSD");
  await expectReadable(office);
  await pictures(office, "configuration");
  await giveReason(office, "Only looked at");
  await office.getByRole("button", { name: "Reject" }).click();
  await expect(office.getByRole("complementary")).toContainText("Rejected by admin-2");
});

/** Screens with one tab for a queue of pending cases and another for finished ones. */
const QUEUES = [
  ["finance-1", "Withdrawals", "withdrawal/list", "Done"],
  ["finance-1", "Deposits", "deposit/list", "Done"],
  ["compliance-1", "Identities", "identity/list", "Decided"],
] as const;

test("in every queue, the next page of pending cases is newer and of finished ones older", async ({ browser }) => {
  for (const [login, screen, list, over] of QUEUES)
    await test.step(screen, async () => {
      const office = await openConsole(browser, login);
      // There is only one page, so the response is changed to claim another.
      await office.route(`**/operator/${list}`, async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as { data: Record<string, unknown> };
        await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, nextCursor: "another" } } });
      });
      await goTo(office, screen);
      await expect(office.getByRole("button", { name: "Newer" })).toBeEnabled();
      await expect(office.getByRole("button", { name: "Older" })).toBeDisabled();
      await office.getByRole("tab", { name: over }).click();
      await expect(office.getByRole("button", { name: "Older" })).toBeEnabled();
      await expect(office.getByRole("button", { name: "Newer" })).toBeDisabled();
    });
});

test("rejecting a withdrawal moves the keyboard focus to the next case", async ({ browser }) => {
  const made: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const asking = await newMember();
    await giveReal(asking, "800");
    const wish = { chain: "test", address: newWallet(), amount: "700", tradePassword: TRADE_PASSWORD };
    made.push(valueOf(await asking.client.call(withdrawCreate, { ...wish, clientId: randomUUID() })).withdrawNo);
  }
  const office = await openConsole(browser, "finance-2");
  await goTo(office, "Withdrawals");
  const row = (id: string | null | undefined) => office.locator(`tr[data-id="${id}"]`);
  await expect(async () => {
    await office.getByRole("button", { name: "Refresh" }).click();
    for (const withdrawNo of made) await expect(row(withdrawNo)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const [first = ""] = made;
  await row(first).getByRole("button").click();
  await giveReason(office, "Asked for twice");
  // Another journey's case may be between these two.
  const ids = await office.locator("tr[data-id]").evaluateAll((rows) => rows.map((one) => one.getAttribute("data-id")));
  await office
    .getByRole("complementary")
    .getByRole("button", { name: /^Reject/ })
    .press("Enter");
  await expect(row(first)).toHaveCount(0);
  await expect(row(ids[ids.indexOf(first) + 1]).getByRole("button")).toBeFocused();
  await expect(office.getByRole("complementary")).toContainText("Rejected by finance-2");
  await expect(office.getByRole("complementary")).toContainText("“Asked for twice”");
});

test("an operator's text that is too long is counted and refused, never cut", async ({ browser, member }) => {
  valueOf(await member.client.call(supportSend, { text: "Is anybody there?", clientId: randomUUID() }));
  const office = await openConsole(browser, "support-2");
  await test.step("an answer in the chat", async () => {
    await goTo(office, "Inbox");
    await office.getByRole("button", { name: member.email }).click();
    const answer = office.getByLabel("Answer", { exact: true });
    await answer.fill("m".repeat(4_012));
    await expect(answer).toHaveValue("m".repeat(4_012));
    await expect(office.getByText("Use at most 4,000 characters. This is 12 too long.")).toBeVisible();
    await expect(office.getByRole("button", { name: "Send answer" })).toBeDisabled();
    await picture(office, test.info(), "office-long-answer");
    await answer.fill("m".repeat(4_000));
    await expect(office.getByText("4,000 of 4,000 characters")).toBeVisible();
    await expect(office.getByRole("button", { name: "Send answer" })).toBeEnabled();
    await answer.fill("");
  });
  await test.step("a canned answer", async () => {
    await goTo(office, "Canned answers");
    await office.getByRole("button", { name: "Write an answer" }).click();
    await office.getByLabel("Title (operators only)").fill("t".repeat(61));
    await office.getByLabel("Text, English").fill("w".repeat(4_001));
    await expect(office.getByText("Use at most 60 characters. This is 1 too long.")).toBeVisible();
    await expect(office.getByText("Use at most 4,000 characters. This is 1 too long.")).toBeVisible();
    await expect(office.getByText("Too long: English.")).toBeVisible();
    await expect(office.getByRole("button", { name: "Save answer" })).toBeDisabled();
  });
  await test.step("a message and its reason", async () => {
    await openMember(office, member.email);
    await office.getByRole("tab", { name: "Message" }).click();
    await office.getByLabel("Title of the message").fill("t".repeat(121));
    await office.getByRole("textbox", { name: "Message", exact: true }).fill("Hello");
    await giveReason(office, "r".repeat(501));
    await office.getByRole("button", { name: "Send message" }).click();
    await expect(office.getByRole("alert")).toHaveText(/Shorten the reason first/);
    await giveReason(office, "Asked for it");
    await office.getByRole("button", { name: "Send message" }).click();
    await expect(office.getByRole("alert")).toHaveText(/The title or message is too long/);
  });
});
