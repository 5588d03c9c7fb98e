import { withdrawAddresses } from "@fairtick/protocol";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { PASSWORD, productUrl, TRADE_PASSWORD, valueOf } from "../steps/members.ts";
import { giveReal, newWallet } from "../steps/real-money.ts";
import { agreeToWithdraw, chooseWithdrawal } from "../steps/withdrawing.ts";

test(
  "a member freezes withdrawals in the security center, sees it on the withdrawal screens, and lifts the freeze",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const screen = onScreen(page);
    await giveReal(member, "120");
    await open(page, "/pages/auth/Safe");
    await screen.getByRole("button", { name: "Freeze withdrawals" }).click();
    await picture(page, info, "freeze-01-sure");
    await screen.getByRole("dialog").getByRole("button", { name: "Freeze withdrawals" }).click();
    await expectToast(page, "Operation successful");
    await expect(screen.getByText(/Your withdrawals have been frozen since/)).toBeVisible();
    await expectAccessible(page, "security center, frozen");
    await expectNoSidewaysScroll(page);
    await picture(page, info, "freeze-02-frozen");

    await chooseWithdrawal(page, newWallet(), "20");
    await expect(screen.getByText(/You froze your withdrawals on/)).toBeVisible();
    await agreeToWithdraw(page, TRADE_PASSWORD);
    await expect(screen.getByText(/You have frozen your withdrawals/)).toBeVisible();
    await picture(page, info, "freeze-03-waits");

    await open(page, "/pages/auth/Safe");
    await screen.getByRole("button", { name: "Lift the freeze" }).click();
    const dialog = screen.getByRole("dialog");
    await dialog.getByRole("button", { name: "Lift the freeze" }).click();
    await expectToast(page, "Enter login password");
    await dialog.getByLabel("Login password", { exact: true }).fill(PASSWORD);
    await picture(page, info, "freeze-04-lift");
    await dialog.getByRole("button", { name: "Lift the freeze" }).click();
    await expectToast(page, "Operation successful");
    await expect(screen.getByText(/Your withdrawals have been frozen since/)).toHaveCount(0);
    await open(page, "/pages/qk/index");
    await expect(screen.getByText(/a freeze was lifted/)).toBeVisible();
  },
);

test("the link in a warning freezes withdrawals only when its button is pressed", async ({
  memberPage,
  member,
  browser,
}, info) => {
  let token: string | undefined;
  await expect
    .poll(async () => {
      const answer = await fetch(`${productUrl()}/dev/inbox?to=${encodeURIComponent(member.email)}`);
      const mails = (await answer.json()) as { text: string }[];
      token = mails.map(({ text }) => /freeze\?token=([\w-]{43})/.exec(text)?.[1]).find((found) => found !== undefined);
      return token;
    })
    .toBeDefined();
  await open(memberPage, "/pages/auth/Safe");
  await expect(onScreen(memberPage).getByRole("button", { name: "Freeze withdrawals" })).toBeVisible();

  const stranger = await browser.newContext();
  const page = await stranger.newPage();
  const screen = onScreen(page);
  await page.goto(`${productUrl()}/#/pages/auth/freeze?token=${token}`);
  const button = screen.getByRole("button", { name: "Freeze and log out everywhere" });
  await expect(button).toBeVisible();
  await expectAccessible(page, "freeze by a link");
  await picture(page, info, "freeze-05-link");
  await memberPage.reload();
  await expect(onScreen(memberPage).getByRole("button", { name: "Freeze withdrawals" })).toBeVisible();

  await button.click();
  await expect(screen.getByRole("link", { name: "Set a new login password" })).toBeVisible();
  await picture(page, info, "freeze-06-done");
  await expect(memberPage).toHaveURL(/#\/pages\/index\/index/);
  await stranger.close();
});

test(
  "the address book keeps addresses that were paid, lets members name them, and offers them at the next withdrawal",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const screen = onScreen(page);
    await giveReal(member, "120");
    await open(page, "/pages/qk/addresses");
    await expect(screen.getByText("No saved addresses")).toBeVisible();
    await picture(page, info, "addresses-01-none");
    await screen.getByRole("button", { name: "Add address" }).click();
    const dialog = screen.getByRole("dialog");
    const wallet = newWallet();
    await dialog.getByLabel("Wallet address").fill(wallet);
    await dialog.getByLabel("Name (optional)").fill("Cold wallet");
    await picture(page, info, "addresses-02-add");
    await dialog.getByRole("button", { name: "Add address" }).click();
    await expect(screen.getByText("Cold wallet")).toBeVisible();
    await expectAccessible(page, "address book");
    await expectNoSidewaysScroll(page);
    await picture(page, info, "addresses-03-book");

    await open(page, "/pages/qk/qk?chain=test");
    await expect(screen.getByRole("heading", { name: "Where to?" })).toBeVisible();
    await screen.getByRole("button", { name: /^Cold wallet/ }).click();
    await picture(page, info, "addresses-04-choose");
    await screen.getByRole("button", { name: "Continue" }).click();
    await expect(screen.getByLabel("Amount", { exact: true })).toBeVisible();

    // Starts again from the first step.
    await open(page, "/pages/qk/index");
    await expect(screen.getByRole("link", { name: "Address book" })).toBeVisible();
    const other = newWallet();
    await chooseWithdrawal(page, other, "20");
    await expect(screen.getByText(/In this sandbox it is paid at once/)).toBeVisible();
    await picture(page, info, "addresses-05-new");
    await agreeToWithdraw(page, TRADE_PASSWORD);
    // The app then opens the withdrawal; the address book may only be opened after that.
    await expect(screen.getByTestId("withdrawal-state")).toBeVisible();
    expect(valueOf(await member.client.call(withdrawAddresses, {}))).toHaveLength(2);

    await open(page, "/pages/qk/addresses");
    await screen.getByRole("button", { name: "Remove: Cold wallet" }).click();
    await screen.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expectToast(page, "Operation successful");
    await expect(screen.getByText("Cold wallet")).toHaveCount(0);
  },
);
