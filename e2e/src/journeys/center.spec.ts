import { expect, expectToast, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { logIn } from "../steps/account.ts";
import { expectAccessible, picture } from "../steps/look.ts";
import { PASSWORD } from "../steps/members.ts";

test("the personal center shows the score with its parts, takes a name, and leads on", async ({
  memberPage: page,
  member,
}, info) => {
  await open(page, "/pages/user/index");
  await onScreen(page).getByRole("link", { name: "Personal center" }).click();
  await expect(page).toHaveTitle("Personal center");
  const score = onScreen(page).getByRole("region", { name: "Credit score" });
  await expect(score).toContainText("100");
  await expect(score).toContainText("At the start");
  await expect(score).toContainText("It changes nothing about withdrawals, odds or limits.");
  // Nobody is assigned, so nobody is shown.
  await expect(onScreen(page).getByText("VIP service")).toHaveCount(0);

  await test.step("a name instead of the masked account", async () => {
    await onScreen(page).getByLabel("Name shown").fill("  ");
    await onScreen(page).getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Enter username");
    await onScreen(page).getByLabel("Name shown").fill("Zoé van Dijk");
    await onScreen(page).getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Successfully updated");
    await expectAccessible(page, "personal center");
    await picture(page, info, "center-01");
    await open(page, "/pages/user/index");
    await expect(onScreen(page).getByText("Zoé van Dijk")).toBeVisible();
  });

  await test.step("every entry leads somewhere, and back", async () => {
    for (const [name, title] of [
      ["Identity verification", "Identity verification"],
      ["Security center", "Security center"],
      ["Notifications", "Notices"],
      ["Help", "Help"],
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

  await test.step("logout leads home, logged out", async () => {
    await open(page, "/pages/user/Center");
    await onScreen(page).getByRole("button", { name: "Log out" }).click();
    await expectToast(page, "Operation successful");
    await expect(page).toHaveURL(/#\/pages\/home\/index/);
    await open(page, "/pages/user/Center");
    await expectToast(page, "Login expired, please log in again");
    await logIn(page, member.email, PASSWORD);
    await expect(page).toHaveTitle("Personal center");
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
  await expect(sheet).toContainText("this one too");
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
