import { type CDPSession, expect, type Page, test } from "@playwright/test";
import { expectAccessible, picture } from "../../steps/look.ts";
import { givePassword, goTo, namedConsoleUrl, openConsole, operatorOf } from "../../steps/office.ts";

// Operators are shared by the whole deployment, so their journeys run at one window size.

const LOGIN = "auditor-1";

/** Adds Chromium's virtual platform authenticator, which verifies its owner as the test tells it to. */
async function plugIn(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

test("an operator adds a passkey, logs in with it, ends another session and removes it", async ({ browser }, info) => {
  const operator = await operatorOf(LOGIN);
  const page = await openConsole(browser, LOGIN, namedConsoleUrl());
  const context = page.context();
  const { cdp, authenticatorId } = await plugIn(page);
  const side = page.getByRole("complementary");
  const factors = page.getByRole("region", { name: "Second factors" });
  const sessions = page.getByRole("region", { name: "Sessions" });
  const inside = page.getByRole("navigation", { name: "Back office" });
  const name = "Desk key of this journey";

  await test.step("the only second factor can't be removed", async () => {
    await goTo(page, "My account");
    await factors.getByRole("button", { name: "Authenticator app" }).click();
    await expect(side).toContainText("This is your only second factor");
    await expect(side.getByLabel("Your password")).toHaveCount(0);
  });

  await test.step("creating a passkey requires the password", async () => {
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await side.getByLabel("Name").fill(name);
    await side.getByLabel("Your password").fill("not the password");
    await side.getByRole("button", { name: "Create passkey" }).click();
    await expect(side.getByRole("alert")).toHaveText("Wrong password");
    await side.getByLabel("Your password").fill(operator.password);
    await side.getByRole("button", { name: "Create passkey" }).click();
    await expect(side.getByRole("heading", { name })).toBeVisible();
    await expect(factors.getByRole("row", { name })).toContainText("–");
    await expectAccessible(page, "console account");
    await picture(page, info, "office-account");
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
    expect(credentials).toMatchObject([{ rpId: "localhost" }]);
  });

  const own = sessions.getByRole("row").filter({ hasText: "Yes" });
  const firstSession = (await own.getAttribute("data-id")) ?? "";
  const cookies = await context.cookies();

  await test.step("it replaces the code when logging in", async () => {
    await context.clearCookies();
    await page.reload();
    await givePassword(page, operator);
    await expectAccessible(page, "console second factor");
    await picture(page, info, "office-passkey");
    // A passkey without user verification is refused, and the operator may try again.
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(page.getByRole("alert")).toHaveText("The passkey request was canceled or timed out. Try again.");
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(inside).toBeVisible();
    await goTo(page, "My account");
    await expect(factors.getByRole("row", { name })).not.toContainText("–");
  });

  await test.step("the earlier session is ended from here", async () => {
    const other = sessions.locator(`tr[data-id="${firstSession}"]`);
    await other.getByRole("button").click();
    await side.getByRole("button", { name: "Log out this device" }).click();
    await expect(other).toHaveCount(0);
    const mine = await context.cookies();
    await context.addCookies(cookies);
    await page.reload();
    await expect(page.getByLabel("Login")).toBeVisible();
    await context.addCookies(mine);
    await page.reload();
    await expect(inside).toBeVisible();
  });

  await test.step("a console opened by its IP address says where passkeys work", async () => {
    const elsewhere = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const door = await elsewhere.newPage();
    await door.goto(namedConsoleUrl().replace("localhost", "127.0.0.1"));
    await givePassword(door, operator);
    await expect(door.getByRole("link", { name: namedConsoleUrl() })).toBeVisible();
    await expect(door.getByRole("button", { name: "Use a passkey" })).toHaveCount(0);
    await elsewhere.close();
  });

  await test.step("a removed passkey no longer logs in", async () => {
    await factors.getByRole("button", { name }).click();
    await side.getByLabel("Your password").fill(operator.password);
    await side.getByRole("button", { name: "Remove passkey" }).click();
    await expect(factors.getByRole("row", { name })).toHaveCount(0);
    await context.clearCookies();
    await page.reload();
    await givePassword(page, operator);
    await expect(page.getByLabel(/Code from your/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Use a passkey" })).toHaveCount(0);
  });
  await context.close();
});
