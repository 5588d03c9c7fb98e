import { readFile } from "node:fs/promises";
import { authLogin } from "@fairtick/protocol";
import { expect, expectToast, onScreen, open, stored, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { clientOf, PASSWORD, placeByCall } from "../steps/members.ts";

const visitor = () => clientOf(null);

test("a member downloads their data and closes the account, which waits for a running order", async ({
  memberPage: page,
  member,
}, info) => {
  const screen = onScreen(page);
  test.slow();
  await open(page, "/pages/settings/index");
  await screen.getByRole("link", { name: "Data and account" }).click();

  await test.step("with the login password, they get a zip with account and orders", async () => {
    await screen.getByRole("button", { name: "Download the archive" }).click();
    await expectToast(page, "Enter login password");
    await screen.getByLabel("Login password", { exact: true }).fill(PASSWORD);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      screen.getByRole("button", { name: "Download the archive" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("fairtick-data.zip");
    const bytes = await readFile(await download.path());
    expect(bytes.subarray(0, 2).toString()).toBe("PK");
    for (const name of ["account.json", "orders.json", "orders.csv", "fund-records.csv"])
      expect(bytes.includes(name)).toBe(true);
    await expectNoSidewaysScroll(page);
    await picture(page, info, "leave-01-screen");
  });

  await test.step("closing lists the remaining balance and running orders and asks for the password", async () => {
    // Placed only now, so that it is still running when the account is closed.
    await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "12.00", duration: 60 });
    await screen.getByRole("button", { name: "Close the account" }).click();
    const sheet = screen.getByRole("dialog");
    await expect(sheet).toContainText("Your real wallet is empty.");
    await expect(sheet).toContainText("1 order is open and settles first.");
    await sheet.getByLabel("Login password", { exact: true }).fill("not this one");
    await sheet.getByRole("button", { name: "Close the account" }).click();
    await expectToast(page, "Tick the box to confirm that you understand");
    await sheet.getByRole("checkbox").check();
    await sheet.getByRole("button", { name: "Close the account" }).click();
    await expectToast(page, "password");
    await expectAccessible(page, "leave-sheet");
    await picture(page, info, "leave-02-close");
    await sheet.getByLabel("Login password", { exact: true }).fill(PASSWORD);
    await sheet.getByRole("button", { name: "Close the account" }).click();
    await expectToast(page, "Operation successful");
  });

  await test.step("nothing new can be started, and the member still sees their order end", async () => {
    await expect(screen.getByText(/This account is closing/)).toBeVisible();
    await picture(page, info, "leave-03-closing");
    await expect(placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "5.00" })).rejects.toThrow(
      /^403/,
    );
  });

  await test.step("then they are logged out and can't log in any more", async () => {
    await expect.poll(() => stored(page, "exchange2508Token"), { timeout: 100_000 }).toBeNull();
    const answer = await visitor().call(authLogin, { account: member.email, password: PASSWORD });
    expect(answer).toMatchObject({ ok: false, failure: { code: 403 } });
  });
});

test("withdrawing consent logs out at once", async ({ memberPage: page, member }, info) => {
  const screen = onScreen(page);
  await open(page, "/pages/user/data");
  await screen.getByRole("button", { name: "Withdraw your consent" }).click();
  const sheet = screen.getByRole("dialog");
  await sheet.getByLabel("Login password", { exact: true }).fill(PASSWORD);
  await sheet.getByRole("checkbox").check();
  await picture(page, info, "leave-04-consent");
  await sheet.getByRole("button", { name: "Withdraw your consent" }).click();
  await expectToast(page, "Operation successful");
  await expect(page).toHaveURL(/#\/pages\/home\/index/);
  await expect(screen.getByRole("link", { name: "Log in" })).toBeVisible();
  expect(await stored(page, "exchange2508Token")).toBeNull();
  const answer = await visitor().call(authLogin, { account: member.email, password: PASSWORD });
  expect(answer).toMatchObject({ ok: false, failure: { code: 403 } });
});
