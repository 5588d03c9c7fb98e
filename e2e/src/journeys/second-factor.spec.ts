import { authLogin, secondFactorStatus, withdrawMethods } from "@fairtick/protocol";
import type { CDPSession, Page } from "@playwright/test";
import { enterCode, logIn } from "../steps/account.ts";
import { expect, expectToast, logInByStorage, noteToasts, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { clientOf, PASSWORD, productUrl, valueOf } from "../steps/members.ts";
import { codeOf, STEP_MS } from "../steps/office.ts";

const ASKED = "Enter a code from your authenticator app, or use a passkey or a recovery code";
const WRONG = "That code or passkey isn’t right";
const THIEFS_PASSWORD = "granite-willow-9063";

/** Adds Chromium's virtual authenticator, which verifies its owner. */
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

test(
  "an authenticator app logs in a new device, and access to the mailbox alone resets nothing",
  { tag: "@desk" },
  async ({ memberPage: page, member, browser }, info) => {
    const screen = onScreen(page);
    const sheet = screen.getByRole("dialog");
    let secret = "";
    let recovery: string[] = [];
    const step = Math.floor(Date.now() / STEP_MS);

    await test.step("it is set up with the login password and the app's first code", async () => {
      await open(page, "/pages/auth/Safe");
      await screen.getByRole("link", { name: /Two-step verification.*Off/ }).click();
      await expect(page).toHaveTitle("Two-step verification");
      await expectNoSidewaysScroll(page);
      await picture(page, info, "factor-01-none");
      await screen.getByRole("button", { name: "Add an authenticator app" }).click();
      await sheet.getByRole("button", { name: "Continue" }).click();
      await expectToast(page, "Enter login password");
      await sheet.getByLabel("Login password", { exact: true }).fill("not the password");
      await sheet.getByRole("button", { name: "Continue" }).click();
      await expectToast(page, "Wrong password");
      await sheet.getByLabel("Login password", { exact: true }).fill(PASSWORD);
      await sheet.getByRole("button", { name: "Continue" }).click();
      secret = (await sheet.getByTestId("totp-secret").innerText()).replaceAll(" ", "");
      await expect(sheet.getByRole("figure", { name: "QR code for your authenticator app" })).toBeVisible();
      await expectAccessible(page, "factor app");
      await picture(page, info, "factor-02-app");
      await sheet.getByLabel("Code from the app").fill(codeOf(secret, step - 10));
      await sheet.getByRole("button", { name: "Turn on" }).click();
      await expect(sheet.getByLabel("Code from the app")).toHaveAttribute("aria-invalid", "true");
      await sheet.getByLabel("Code from the app").fill(codeOf(secret, Math.floor(Date.now() / STEP_MS)));
      await sheet.getByRole("button", { name: "Turn on" }).click();
      const codes = sheet.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
      await expect(codes).toHaveCount(8);
      recovery = await codes.allInnerTexts();
      await expectAccessible(page, "factor codes");
      await picture(page, info, "factor-03-codes");
      await sheet.getByRole("button", { name: "I’ve saved them" }).click();
      await expect(screen.getByRole("button", { name: "Remove Authenticator app" })).toBeVisible();
      await expect(screen.getByRole("button", { name: /Recovery codes.*8 left/ })).toBeVisible();
      await expectAccessible(page, "factor list");
      await picture(page, info, "factor-04-list");
    });

    const elsewhere = async () => {
      const { baseURL, viewport } = info.project.use;
      const context = await browser.newContext({ baseURL: baseURL ?? productUrl(), viewport: viewport ?? null });
      await context.addInitScript(noteToasts);
      return context.newPage();
    };

    await test.step("a new device needs it after the right password", async () => {
      const fresh = await elsewhere();
      await open(fresh, "/pages/index/index");
      await logIn(fresh, member.email, PASSWORD);
      await expectToast(fresh, ASKED);
      const field = onScreen(fresh).getByLabel("Code from your app or recovery code");
      await expectAccessible(fresh, "factor login");
      await expectNoSidewaysScroll(fresh);
      await picture(fresh, info, "factor-05-login");
      await field.fill("000000");
      await onScreen(fresh).getByRole("button", { name: "Log in" }).click();
      await expectToast(fresh, WRONG);
      await expect(field).toHaveAttribute("aria-invalid", "true");
      await field.fill(recovery[0] ?? "");
      await onScreen(fresh).getByRole("button", { name: "Log in" }).click();
      await expect(onScreen(fresh).locator(".home-assets .price")).toContainText("10,000.00");
      await fresh.context().close();
    });

    await test.step("someone who reads the member's mail can't set a password", async () => {
      const thief = await elsewhere();
      await open(thief, "/pages/index/ForgetPwd");
      const form = onScreen(thief);
      await form.getByRole("textbox", { name: "E-mail" }).fill(member.email);
      await enterCode(thief, member.email);
      for (const label of ["New password", "Confirm password"])
        await form.getByLabel(label, { exact: true }).fill(THIEFS_PASSWORD);
      await form.getByRole("button", { name: "Set new password" }).click();
      await expectToast(thief, ASKED);
      await picture(thief, info, "factor-06-forgot");
      await form.getByLabel("Code from your app or recovery code").fill("123456");
      await form.getByRole("button", { name: "Set new password" }).click();
      await expectToast(thief, WRONG);
      await expect(thief).toHaveTitle("Forgot password");
      // The member's own session and password still work.
      expect(valueOf(await member.client.call(secondFactorStatus, {})).recoveryCodesLeft).toBe(7);
      const owner = clientOf(null);
      const login = { account: member.email, password: PASSWORD, secondFactor: recovery[1] ?? "" };
      valueOf(await owner.call(authLogin, login));
      // With the second factor, the same mailed code is still valid.
      await form.getByLabel("Code from your app or recovery code").fill(recovery[2] ?? "");
      await form.getByRole("button", { name: "Set new password" }).click();
      await expectToast(thief, "Successfully updated");
      await thief.context().close();
    });
  },
);

test("a passkey logs in a device without any stored data, and removing the last factor makes withdrawals wait", async ({
  page,
  member,
}, info) => {
  // Browsers allow passkeys only for host names.
  const named = productUrl().replace("127.0.0.1", "localhost");
  const screen = onScreen(page);
  const sheet = screen.getByRole("dialog");
  await logInByStorage(page, member, named);
  const { cdp, authenticatorId } = await plugIn(page);
  const name = "Key of this journey";

  await test.step("it is added with a name and the login password", async () => {
    await page.goto(`${named}/#/pages/auth/SecondFactor`);
    await screen.getByRole("button", { name: "Add a passkey" }).click();
    await sheet.getByLabel("Name").fill(name);
    await sheet.getByLabel("Login password", { exact: true }).fill(PASSWORD);
    await sheet.getByRole("button", { name: "Add a passkey" }).click();
    await expect(sheet.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(8);
    await sheet.getByRole("button", { name: "I’ve saved them" }).click();
    await expect(screen.getByRole("button", { name: `Remove ${name}` })).toBeVisible();
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
    expect(credentials).toMatchObject([{ rpId: "localhost" }]);
  });

  await test.step("a browser without the member's data asks for it", async () => {
    await page.context().clearCookies();
    await page.evaluate(() => {
      localStorage.clear();
    });
    await page.goto(`${named}/#/pages/index/index`);
    await page.reload();
    await logIn(page, member.email, PASSWORD);
    await expectToast(page, ASKED);
    await picture(page, info, "factor-07-passkey");
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await screen.getByRole("button", { name: "Use a passkey" }).click();
    await expectToast(page, "No passkey was used. Try again");
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await screen.getByRole("button", { name: "Use a passkey" }).click();
    await expect(screen.locator(".home-assets .price")).toContainText("10,000.00");
  });

  await test.step("removing it by using it makes withdrawals wait", async () => {
    await page.goto(`${named}/#/pages/auth/SecondFactor`);
    await screen.getByRole("button", { name: `Remove ${name}` }).click();
    await expect(sheet.getByText("This is your last one.", { exact: false })).toBeVisible();
    await sheet.getByLabel("Login password", { exact: true }).fill(PASSWORD);
    await sheet.getByRole("button", { name: "Remove", exact: true }).click();
    await expectToast(page, ASKED);
    await picture(page, info, "factor-08-remove");
    await sheet.getByRole("button", { name: "Use a passkey" }).click();
    await expectToast(page, "Operation successful");
    await expect(screen.getByRole("button", { name: `Remove ${name}` })).toHaveCount(0);
    const [method] = valueOf(await member.client.call(withdrawMethods, {}));
    expect(method?.restsUntil).toBeGreaterThan(Date.now());
  });
});
