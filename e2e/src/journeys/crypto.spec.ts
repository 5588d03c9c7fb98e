import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { photo } from "../steps/depositing.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { summaryOf } from "../steps/members.ts";
import { giveReason, goTo, openConsole } from "../steps/office.ts";
import { newWallet, sendAnotherToken } from "../steps/real-money.ts";

test("a member reports a late transfer and finds it once it has arrived", async ({ memberPage, member }, info) => {
  const screen = onScreen(memberPage);
  await open(memberPage, "/pages/rk/szrk");
  await expect(screen.getByTestId("deposit-address")).toHaveText(/^0x/);
  await screen.getByRole("link", { name: /Send us the receipt/ }).click();
  await expect(screen.getByText("Enter the actual quantity truthfully, or approval may fail.")).toBeVisible();
  await screen.getByRole("button", { name: "Send" }).click();
  await expectToast(memberPage, "Enter the quantity");
  await screen.getByLabel(/Quantity/).fill("61.5");
  await screen.getByRole("button", { name: "Send" }).click();
  await expectToast(memberPage, "Upload the proof");
  await screen
    .getByLabel("Proof of the transfer")
    .setInputFiles({ name: "proof.png", mimeType: "image/png", buffer: await photo(memberPage, "#775533") });
  await expect(screen.getByText("Uploaded", { exact: true })).toBeVisible();
  await expectAccessible(memberPage, "claim");
  await expectNoSidewaysScroll(memberPage);
  await picture(memberPage, info, "bank-10-claim");
  await screen.getByRole("button", { name: "Send" }).click();
  await expect(screen.getByText("Looking for it on the chain")).toBeVisible();
  await picture(memberPage, info, "bank-11-claimed");

  await open(memberPage, "/pages/rk/szrk");
  const [faucet] = await Promise.all([
    memberPage.context().waitForEvent("page"),
    screen.getByRole("link", { name: /faucet/ }).click(),
  ]);
  await faucet.getByRole("textbox", { name: "USDT" }).fill("61.5");
  await faucet.getByRole("button", { name: "Send" }).click();
  await expect(faucet.getByRole("status")).toContainText("Sent 61.5 USDT");
  await faucet.close();
  await open(memberPage, "/pages/rk/index");
  const rows = screen.getByTestId("deposit");
  await expect(rows.filter({ hasText: "Deposited" })).toHaveCount(1, { timeout: 120_000 });
  // The deposit may be pushed a moment before the list learns that it answers the claim.
  await expect(rows).toHaveCount(1);
  expect(await summaryOf(member, "real")).toMatchObject({ available: "61.50" });
});

test(
  "another token fails, and so does a claim of a transfer that never arrived; each shows its reason",
  { tag: "@desk" },
  async ({ browser, memberPage, member }, info) => {
    const screen = onScreen(memberPage);
    const finance = await openConsole(browser, "finance-2");
    const side = finance.getByRole("complementary");
    const rows = screen.getByTestId("deposit");

    await test.step("a transfer of another token fails at once, and nobody can credit it", async () => {
      await open(memberPage, "/pages/rk/szrk");
      await expect(screen.getByTestId("deposit-address")).toHaveText(/^0x/);
      await sendAnotherToken(await screen.getByTestId("deposit-address").innerText());
      await open(memberPage, "/pages/rk/index");
      await expect(rows.filter({ hasText: "Deposit failed" })).toHaveCount(1, { timeout: 120_000 });
      await rows.click();
      await expect(screen.getByTestId("deposit-state")).toHaveText("Deposit failed");
      await expectAccessible(memberPage, "another token");
      await picture(memberPage, info, "crypto-01-another-token");
    });

    await test.step("finance reviews it and states why it can't be accepted", async () => {
      const why = "This is another token than USDT; we cannot send it back.";
      await goTo(finance, "Deposits");
      await finance.locator("tr", { hasText: member.email }).getByRole("button").click();
      await expect(side).toContainText("Wrong token");
      await expect(side.getByRole("button", { name: "Credit" })).toHaveCount(0);
      await giveReason(finance, why);
      await picture(finance, info, "crypto-02-another-token-case");
      await side.getByRole("button", { name: "Reject" }).click();
      await expect(side).toContainText(why);
      await expect(side).not.toContainText("30.000000");
      await expect(screen.getByText(why)).toBeVisible();
    });

    await test.step("a claim whose transfer never arrived is closed, and the member reads why", async () => {
      const why = "No such transfer stands on the chain.";
      await open(memberPage, "/pages/rk/szrk1?chain=test");
      await screen.getByLabel(/Quantity/).fill("77");
      await screen
        .getByLabel("Proof of the transfer")
        .setInputFiles({ name: "proof.png", mimeType: "image/png", buffer: await photo(memberPage, "#337755") });
      await expect(screen.getByText("Uploaded", { exact: true })).toBeVisible();
      await screen.getByRole("button", { name: "Send" }).click();
      await expect(screen.getByText("Looking for it on the chain")).toBeVisible();
      await finance.getByRole("tab", { name: "In progress" }).click();
      await finance.locator("tr", { hasText: member.email }).getByRole("button").click();
      await expect(side).toContainText("Claimed on test");
      await giveReason(finance, why);
      await side.getByRole("button", { name: "Reject" }).click();
      await expect(side).toContainText(why);
      await expect(screen.getByTestId("deposit-state")).toHaveText("Deposit failed");
      await expect(screen.getByText(why)).toBeVisible();
      await picture(memberPage, info, "crypto-03-claim-failed");
    });
    expect(await summaryOf(member, "real")).toMatchObject({ available: "0.00" });
  },
);

test("an address that was swapped in transit isn't shown, and the member is warned", async ({ memberPage }, info) => {
  const screen = onScreen(memberPage);
  const swapped = newWallet();
  await memberPage.route("**/client/deposit/address", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { address: string } };
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, address: swapped } } });
  });
  await open(memberPage, "/pages/rk/szrk");
  await expect(screen.getByTestId("address-unproven")).toContainText("may have been swapped on the way to you");
  await expect(screen.getByTestId("deposit-address")).toHaveCount(0);
  await expect(screen.getByRole("img", { name: "QR code of the address" })).toHaveCount(0);
  await expect(screen.getByRole("link", { name: /faucet/ })).toHaveCount(0);
  await expectAccessible(memberPage, "swapped address");
  await expectNoSidewaysScroll(memberPage);
  await picture(memberPage, info, "crypto-04-swapped-address");

  await memberPage.unroute("**/client/deposit/address");
  await memberPage.reload();
  await expect(screen.getByTestId("deposit-address")).toHaveText(/^0x/);
  await expect(screen.getByTestId("address-proven")).toHaveText("Signed with our key and checked by this app.");
  await picture(memberPage, info, "crypto-05-signed-address");
});

test("the faucet's form works in a plain browser, without a journey's headers and routes", async ({ browser }) => {
  // Journeys send a made-up client address, for which developer pages don't exist; this context doesn't.
  const context = await browser.newContext({ extraHTTPHeaders: {} });
  const faucet = await context.newPage();
  const to = newWallet();
  await faucet.goto(`/dev/faucet?to=${to}`);
  await faucet.getByRole("textbox", { name: "USDT" }).fill("3");
  await faucet.getByRole("button", { name: "Send" }).click();
  await expect(faucet.getByRole("status")).toContainText(`Sent 3 USDT to ${to}`);
});
