import { authLogin } from "@fairtick/protocol";
import { readCode } from "../inbox.ts";
import { chooseRegion, enterCode, goOnWithCode, logIn, registerHere } from "../steps/account.ts";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { clientOf, newEmail, newPhone, PASSWORD, productUrl, TRADE_PASSWORD } from "../steps/members.ts";

const NEW_PASSWORD = "granite-willow-9063";

test("registration by phone with common mistakes, and login by phone", { tag: "@desk" }, async ({ page }, info) => {
  const phone = newPhone();
  await open(page, "/pages/index/Register");
  const send = onScreen(page).getByRole("button", { name: "Create account" });
  const goOn = onScreen(page).getByRole("button", { name: "Continue" });

  await test.step("an empty form says what is missing and sends nothing", async () => {
    await goOn.click();
    await expect(onScreen(page).getByText("Select country/region").last()).toBeVisible();
    await picture(page, info, "account-01-empty");
  });
  await chooseRegion(page, "Brazil");
  await onScreen(page).getByText("Phone", { exact: true }).click();
  await goOn.click();
  await expect(onScreen(page).getByText("Enter phone number").first()).toBeVisible();
  await onScreen(page).getByLabel("Phone number").fill(phone);
  await goOnWithCode(page, `+55${phone}`);

  await test.step("a reload stays on this step, and back returns to the previous one", async () => {
    await page.reload();
    await expect(onScreen(page).getByText(`Code for +55${phone}`)).toBeVisible();
    await page.goBack();
    await expect(onScreen(page).getByLabel("Phone number")).toHaveValue(phone);
    const since = Date.now() - 60_000;
    await goOn.click();
    await onScreen(page)
      .getByLabel("Verification code")
      .fill(await readCode(productUrl(), `+55${phone}`, since));
  });

  await test.step("a short password, a mismatched one, no agreement to the terms", async () => {
    await onScreen(page).getByLabel("Password", { exact: true }).fill("short");
    await send.click();
    await expect(onScreen(page).getByText("Use at least 8 characters for your password").first()).toBeVisible();
    await onScreen(page).getByLabel("Password", { exact: true }).fill(PASSWORD);
    await onScreen(page).getByLabel("Confirm password").fill(`${PASSWORD}x`);
    await send.click();
    await expect(onScreen(page).getByText("Passwords do not match").first()).toBeVisible();
    await onScreen(page).getByLabel("Confirm password").fill(PASSWORD);
    await send.click();
    await expectToast(page, "Accept the user agreement and the privacy policy to continue");
  });

  await test.step("the server refuses a common password", async () => {
    await onScreen(page).getByRole("checkbox").check();
    for (const label of ["Password", "Confirm password"])
      await onScreen(page).getByLabel(label, { exact: true }).fill("password1");
    await send.click();
    await expect(onScreen(page).getByText("This password is too easy to guess").first()).toBeVisible();
    for (const label of ["Password", "Confirm password"])
      await onScreen(page).getByLabel(label, { exact: true }).fill(PASSWORD);
  });

  await send.click();
  await expectToast(page, "Register successful");
  await expect(page).toHaveURL(/#\/pages\/home\/index/);
  await open(page, "/pages/user/index");
  await onScreen(page).getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL(/#\/pages\/home\/index/);

  await test.step("login by phone", async () => {
    await onScreen(page).getByRole("link", { name: "Log in" }).click();
    await onScreen(page).getByRole("button", { name: "Log in" }).click();
    await expectToast(page, "Enter username");
    await onScreen(page).getByText("Phone", { exact: true }).click();
    await onScreen(page).getByLabel("Country code").selectOption("+55");
    await onScreen(page).getByLabel("Phone number").fill(phone);
    await onScreen(page).getByLabel("Password", { exact: true }).fill("not the password");
    await onScreen(page).getByRole("button", { name: "Log in" }).click();
    await expectToast(page, "Wrong account or password");
    await onScreen(page).getByLabel("Password", { exact: true }).fill(PASSWORD);
    await onScreen(page).getByRole("button", { name: "Log in" }).click();
    await expect(onScreen(page).locator(".home-assets .price")).toContainText("10,000.00");
  });
});

test(
  "regions say in advance what they offer: practice only, or no registration",
  { tag: "@desk" },
  async ({ page }, info) => {
    await open(page, "/pages/index/Register");
    await chooseRegion(page, "Germany");
    await expect(
      onScreen(page).getByText(/Only the practice wallet is available here\. .*2018\/795.*\(2018\)/),
    ).toBeVisible();
    await picture(page, info, "account-02-practice-only");
    await chooseRegion(page, "Cuba");
    await expect(onScreen(page).getByRole("button", { name: "You can’t register here." })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await chooseRegion(page, "Germany");
    await open(page, "/pages/index/SelectRegion");
    await expectNoSidewaysScroll(page);
    await page.goBack();

    await registerHere(page, newEmail());
    await open(page, "/pages/rk/index");
    await expect(onScreen(page).getByText(/Only the practice wallet is available here/)).toBeVisible();
    await open(page, "/pages/home/index");
    // There is nothing to choose from. A desk's header shows the wallet's assets beside its name.
    await expect(page.locator(".wallet")).toHaveText(/^Practice(?:10,000\.00USD)?$/);
  },
);

test("a forgotten password is reset with a code, and the old one stops working", async ({ page, member }) => {
  await open(page, "/pages/index/index");
  await onScreen(page).getByRole("link", { name: "Forgot password?" }).click();
  await expect(page).toHaveTitle("Forgot password");
  await onScreen(page).getByText("E-mail", { exact: true }).first().click();
  await onScreen(page).getByRole("textbox", { name: "E-mail" }).fill(member.email);
  await enterCode(page, member.email);
  for (const label of ["New password", "Confirm password"])
    await onScreen(page).getByLabel(label, { exact: true }).fill(NEW_PASSWORD);
  await onScreen(page).getByRole("button", { name: "Set new password" }).click();
  await expectToast(page, "Successfully updated");
  await expect(page).toHaveTitle("Log in");
  await logIn(page, member.email, PASSWORD);
  await expectToast(page, "Wrong account or password");
  await logIn(page, member.email, NEW_PASSWORD);
  await expect(onScreen(page).locator(".home-assets .price")).toContainText("10,000.00");
});

test("login and transaction password are changed, and other devices are logged out", async ({
  memberPage: page,
  member,
}) => {
  await open(page, "/pages/user/index");
  await onScreen(page).getByRole("link", { name: "Security center" }).click();
  await onScreen(page)
    .getByRole("link", { name: /Login password/ })
    .click();
  await onScreen(page).getByLabel("Current password", { exact: true }).fill("not the password");
  for (const label of ["New password", "Confirm password"])
    await onScreen(page).getByLabel(label, { exact: true }).fill(NEW_PASSWORD);
  await onScreen(page).getByRole("button", { name: "Save" }).click();
  await expect(onScreen(page).getByText("Wrong password").first()).toBeVisible();

  const elsewhere = await clientOf(null).call(authLogin, { account: member.email, password: PASSWORD });
  await onScreen(page).getByLabel("Current password", { exact: true }).fill(PASSWORD);
  await onScreen(page).getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Successfully updated");
  await expect(onScreen(page).getByText("This device")).toBeVisible();
  await expect(onScreen(page).getByRole("button", { name: /^Log out(?! everywhere)/ })).toHaveCount(0);
  expect(elsewhere.ok).toBe(true);

  await test.step("changing the transaction password requires the old one", async () => {
    await onScreen(page)
      .getByRole("link", { name: /Transaction password/ })
      .click();
    await onScreen(page).getByLabel("Current password", { exact: true }).fill("000000");
    for (const label of ["New password", "Confirm password"])
      await onScreen(page).getByLabel(label, { exact: true }).fill("716253");
    await onScreen(page).getByRole("button", { name: "Save" }).click();
    await expect(onScreen(page).getByText("Wrong transaction password").first()).toBeVisible();
    await onScreen(page).getByLabel("Current password", { exact: true }).fill(TRADE_PASSWORD);
    await onScreen(page).getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Successfully updated");
  });
});
