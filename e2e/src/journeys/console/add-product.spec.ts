import { marketInstruments } from "@fairtick/protocol";
import { expect, onScreen, open, test } from "../../steps/journey.ts";
import { expectAccessible, picture } from "../../steps/look.ts";
import { valueOf } from "../../steps/members.ts";
import { giveReason, goTo, openConsole } from "../../steps/office.ts";

test("two admins add a product, and members see its title and when it opens", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const proposer = await openConsole(browser, "admin-1");
  const approver = await openConsole(browser, "admin-2");
  const side = proposer.getByRole("complementary");
  // Symbols can't be reused, so each retry takes another one.
  const name = `LT${String.fromCharCode(65 + info.retry)}/USD`;
  const symbol = name.replace("/", "");
  const title = `Litecoin ${info.retry + 1}`;

  await test.step("each wrong field says what is wrong", async () => {
    await goTo(proposer, "Configuration");
    await proposer.getByRole("button", { name: "Add a product" }).click();
    await side.getByLabel("Name", { exact: true }).fill("BTC/USD");
    await side.getByLabel("Title in English").fill(title);
    // A new crypto product copies another's terms, and its decimals follow from its price.
    await expect(side.getByLabel("Copy terms from").locator("option:checked")).toHaveText("BTC/USD");
    await side.getByLabel("Starting price").fill("85");
    await expect(side.getByLabel("Decimal places")).toHaveValue("4");
    await side.getByLabel("Annual volatility, %").fill("80");
    await expect(side.getByLabel("Decimal places")).toHaveValue("3");
    await side.getByLabel("Spread").fill("0.02");
    await expect(side).toContainText("66 of the smallest price steps");
    await expect(side).toContainText("30 to 40 minutes after approval");
    await giveReason(proposer, "Members ask for it");
    await side.getByRole("button", { name: "Propose product" }).click();
    await expect(side.getByText("A symbol can’t be reused").first()).toBeVisible();
    await expect(side.getByLabel("Symbol")).toHaveAttribute("aria-invalid", "true");
    await expectAccessible(proposer, "console new product");
    await picture(proposer, info, "add-product-01-refused");
  });

  await test.step("the proposal spells out every figure", async () => {
    await side.getByLabel("Name", { exact: true }).fill(name);
    await picture(proposer, info, "add-product-02-form");
    await proposer.emulateMedia({ colorScheme: "dark" });
    await picture(proposer, info, "add-product-03-form-dark");
    await side.getByRole("button", { name: "Propose product" }).click();
    await expect(side).toContainText(`Adds ${name} as ${symbol}`);
    await expect(proposer.getByText("someone else has to decide")).toBeVisible();
    await proposer.emulateMedia({ colorScheme: "light" });
  });

  await test.step("another admin reads and approves it", async () => {
    await goTo(approver, "Configuration");
    await approver.getByRole("tab", { name: "Proposals" }).click();
    await approver
      .locator("tr[data-id]", { hasText: `Adds ${name}` })
      .getByRole("button")
      .click();
    const read = approver.getByRole("complementary");
    for (const [label, value] of [
      ["Title in English", title],
      ["Starting price", "85.000"],
      ["Annual volatility", "80%"],
      ["Payout rate for 60 s", "85%"],
    ] as const) {
      await expect(read.getByRole("row", { name: `${label} ${value}` })).toBeVisible();
    }
    await expectAccessible(approver, "console addition");
    await picture(approver, info, "add-product-04-approver");
    await approver.emulateMedia({ colorScheme: "dark" });
    await picture(approver, info, "add-product-05-approver-dark");
    await approver.emulateMedia({ colorScheme: "light" });
    await giveReason(approver, "Read and agreed");
    await approver.getByRole("button", { name: "Approve" }).click();
    await expect(read).toContainText("Approved by admin-2");
  });

  await test.step("the member finds it by its title and reads when it will open", async () => {
    const listed = async () =>
      valueOf(await member.client.call(marketInstruments, {})).find((each) => each.symbol === symbol);
    await expect.poll(async () => (await listed())?.nextChange ?? 0).toBeGreaterThan(Date.now());
    // As in the form; some time may have passed since the approval.
    const minutesLeft = (((await listed())?.nextChange ?? 0) - Date.now()) / 60_000;
    expect(minutesLeft).toBeGreaterThan(28);
    expect(minutesLeft).toBeLessThanOrEqual(41);
    expect(await listed()).toMatchObject({ name, title, open: false, price: null, decimals: 3 });
    await open(memberPage, "/pages/market/index");
    const page = onScreen(memberPage);
    await page.getByRole("searchbox").fill(title.toLowerCase());
    await expect(page.getByRole("link", { name: new RegExp(name) })).toContainText(/Closed, opens \w+ \d/);
    await picture(memberPage, info, "add-product-06-member");
  });
});
