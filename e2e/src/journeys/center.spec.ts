import { expect, expectToast, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { logIn } from "../steps/account.ts";
import { expectAccessible, picture } from "../steps/look.ts";
import { newMember, PASSWORD, TRADE_PASSWORD } from "../steps/members.ts";

test(
  "the personal center shows the score with its parts, accepts a name, and links to its screens",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    await open(page, "/pages/user/index");
    await onScreen(page).getByRole("link", { name: "Personal center" }).click();
    await expect(page).toHaveTitle("Personal center");
    const score = onScreen(page).getByRole("region", { name: "Credit score" });
    await expect(score).toContainText("100");
    await expect(score).toContainText("Starting score");
    await expect(score).toContainText("It has no effect on withdrawals, odds or limits.");
    // No VIP manager is assigned yet, so none is shown.
    await expect(onScreen(page).getByText("VIP service")).toHaveCount(0);

    await test.step("a name replaces the masked account", async () => {
      await onScreen(page).getByLabel("Display name").fill("  ");
      await onScreen(page).getByRole("button", { name: "Save" }).click();
      await expectToast(page, "Enter username");
      await onScreen(page).getByLabel("Display name").fill("Zoé van Dijk");
      await onScreen(page).getByRole("button", { name: "Save" }).click();
      await expectToast(page, "Successfully updated");
      await expectAccessible(page, "personal center");
      await picture(page, info, "center-01");
      await open(page, "/pages/user/index");
      await expect(onScreen(page).getByText("Zoé van Dijk")).toBeVisible();
    });

    await test.step("every entry opens a screen, and back returns", async () => {
      for (const [name, title] of [
        ["Identity verification", "Identity verification"],
        ["Security center", "Security center"],
        ["Notifications", "Notices"],
        ["Help", "Help"],
        ["Customer service", "Help|Customer service"],
        ["Share", "Invite people"],
      ] as const) {
        await open(page, "/pages/user/Center");
        await onScreen(page)
          .getByRole("navigation", { name: "Menu" })
          .getByRole("link", { name: new RegExp(`^${name}`) })
          .click();
        await expect(page).toHaveTitle(new RegExp(title));
      }
    });

    await test.step("logging out leads home", async () => {
      await open(page, "/pages/user/Center");
      await onScreen(page).getByRole("button", { name: "Log out" }).click();
      await expectToast(page, "Operation successful");
      await expect(page).toHaveURL(/#\/pages\/home\/index/);
      await open(page, "/pages/user/Center");
      await expectToast(page, "Log in to continue");
      await logIn(page, member.email, PASSWORD);
      await expect(page).toHaveTitle("Personal center");
    });
  },
);

test("the security center names each missing or wrong field", { tag: "@desk" }, async ({ page }) => {
  const fresh = await newMember({ withTradePassword: false });
  await logInByStorage(page, fresh);
  const screen = onScreen(page);
  const save = () => screen.getByRole("button", { name: "Save" }).click();

  await test.step("the first transaction password", async () => {
    await open(page, "/pages/auth/Safe");
    await screen.getByRole("link", { name: /Transaction password.*Not set/ }).click();
    await save();
    await expectToast(page, "Enter payment password");
    await screen.getByLabel("Transaction password", { exact: true }).fill(TRADE_PASSWORD);
    await screen.getByLabel("Confirm password").fill("111111");
    await save();
    await expectToast(page, "Passwords do not match");
    await screen.getByLabel("Confirm password").fill(TRADE_PASSWORD);
    await save();
    await expectToast(page, "Enter login password");
    await screen.getByLabel("Login password", { exact: true }).fill("not-the-password-1");
    await save();
    await expectToast(page, "Wrong password");
    await screen.getByLabel("Login password", { exact: true }).fill(PASSWORD);
    await save();
    await expectToast(page, "Successfully set");
    await expect(screen.getByRole("link", { name: /Transaction password.*Set$/ })).toBeVisible();
  });

  await test.step("a new transaction password", async () => {
    await screen.getByRole("link", { name: /Transaction password/ }).click();
    await save();
    await expectToast(page, "Enter current password");
    await screen.getByLabel("Current password").fill("000000");
    await save();
    await expectToast(page, "Enter new password");
    await screen.getByLabel("New password").fill("736251");
    await screen.getByLabel("Confirm password").fill("736251");
    await save();
    await expectToast(page, "Wrong transaction password");
    await screen.getByLabel("Current password").fill(TRADE_PASSWORD);
    await save();
    await expectToast(page, "Successfully updated");
  });

  await test.step("a new login password", async () => {
    await screen.getByRole("link", { name: /Login password/ }).click();
    await save();
    await expectToast(page, "Enter current password");
    await screen.getByLabel("Current password").fill("not-the-password");
    await save();
    await expectToast(page, "Enter new password");
    await screen.getByLabel("New password").fill("amber-canyon-5512");
    await screen.getByLabel("Confirm password").fill("amber-canyon-5513");
    await save();
    await expectToast(page, "Passwords do not match");
    await screen.getByLabel("Confirm password").fill("amber-canyon-5512");
    await save();
    await expectToast(page, "Wrong password");
    await screen.getByLabel("Current password").fill(PASSWORD);
    await save();
    await expectToast(page, "Successfully updated");
  });
});

test("log out everywhere ends every device at once", async ({ memberPage: page, member, browser }, info) => {
  const other = await (await browser.newContext()).newPage();
  await open(other, "/pages/user/index");
  await logIn(other, member.email, PASSWORD);
  await expect(other).toHaveTitle("Mine");
  await open(page, "/pages/auth/Safe");
  await onScreen(page).getByRole("button", { name: "Log out everywhere" }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("including this one");
  await expectAccessible(page, "log out everywhere");
  await picture(page, info, "center-02-everywhere");
  await sheet.getByRole("button", { name: "Log out everywhere" }).click();
  await expectToast(page, "Operation successful");
  await expect(page).toHaveTitle("Log in");
  await expect(other).toHaveTitle("Log in");
  await logInByStorage(page, member);
  await open(page, "/pages/user/index");
  await expect(page).toHaveTitle("Log in");
  await other.context().close();
});
