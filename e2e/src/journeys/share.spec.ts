import { readCode } from "../inbox.ts";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { chooseRegion } from "../steps/account.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { newEmail, PASSWORD, productUrl } from "../steps/members.ts";
import { giveReason, goTo, openConsole, takeFirst } from "../steps/office.ts";

test("a member invites someone with a link, who registers with it and appears masked", async ({
  browser,
  memberPage: page,
}, info) => {
  const screen = onScreen(page);
  await page.addInitScript(() => {
    // Desktop Chromium can't share, so record what would be passed to the system.
    Object.defineProperty(navigator, "share", {
      configurable: true,
      value: async (what: ShareData) => {
        localStorage.setItem("fairtickShared", JSON.stringify(what));
      },
    });
  });
  await open(page, "/pages/user/index");
  await screen.getByRole("link", { name: "Invite people" }).click();
  await expect(page).toHaveTitle("Invite people");
  await expect(screen.getByText("No one has joined with your invitation yet")).toBeVisible();
  await expect(screen.getByText(/^You earn 10% of the fees/)).toBeVisible();
  await expect(screen.getByText(/^Won and lost orders count/)).toBeVisible();
  const code = (await screen.getByTestId("invite-code").textContent()) ?? "";
  expect(code).toMatch(/^[2-9A-Z]{8}$/);

  await test.step("link and code are copied, or the member is told to copy them by hand", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await screen.getByRole("button", { name: "Copy code" }).click();
    await expectToast(page, "Copy successful");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("no clipboard"));
    });
    await screen.getByRole("button", { name: "Copy link" }).click();
    await expectToast(page, "Copy failed, please copy manually");
  });

  await test.step("the system is asked to share", async () => {
    await screen.getByRole("button", { name: "Share" }).click();
    const shared = JSON.parse((await page.evaluate(() => localStorage.getItem("fairtickShared"))) ?? "{}") as ShareData;
    expect(shared.url).toBe(await screen.getByTestId("invite-link").textContent());
    await expectAccessible(page, "share");
    await expectNoSidewaysScroll(page);
    await picture(page, info, "share-01-invitation");
  });

  await test.step("the link leads to a registration with the code filled in", async () => {
    const link = (await screen.getByTestId("invite-link").textContent()) ?? "";
    const { viewport = null } = info.project.use;
    const context = await browser.newContext({ locale: "en-US", viewport });
    const guest = await context.newPage();
    await guest.goto(link);
    const form = onScreen(guest);
    const email = newEmail();
    await chooseRegion(guest, "Brazil");
    await form.getByRole("textbox", { name: "E-mail" }).fill(email);
    const since = Date.now();
    await form.getByRole("button", { name: "Continue" }).click();
    await expect(form.getByLabel(/Invitation code/)).toHaveValue(code);
    await form.getByLabel("Verification code").fill(await readCode(productUrl(), email, since));
    await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await form.getByLabel("Confirm password").fill(PASSWORD);
    await form.getByRole("checkbox").check();
    await form.getByRole("button", { name: "Create account" }).click();
    await expect(guest).toHaveURL(/#\/pages\/home\/index/);
    await context.close();
    await page.reload();
    await expect(screen.getByTestId("invited")).toContainText("j•••@example.com");
    await expect(screen.getByTestId("invited")).not.toContainText(email);
    await picture(page, info, "share-02-invited");
  });
});

test("two admins set the share of fees that an invitation pays", { tag: "@console" }, async ({ browser }, info) => {
  const first = await openConsole(browser, "admin-1");
  const second = await openConsole(browser, "admin-2");
  await goTo(first, "Invite reward");
  await first.getByRole("button", { name: "Propose a share" }).click();
  await first.getByLabel("Share of an invited member's fees").fill("5");
  await giveReason(first, "Word of mouth in spring");
  await first.getByRole("complementary").getByRole("button", { name: "Propose" }).click();
  await expect(first.getByText("someone else has to decide")).toBeVisible();
  await expectAccessible(first, "console referral");
  await goTo(second, "Invite reward");
  await takeFirst(second);
  await expect(second.getByRole("complementary")).toContainText("5%");
  await giveReason(second, "Agreed in the meeting");
  await second.getByRole("button", { name: "Approve" }).click();
  await expect(second.getByText("No proposals waiting.")).toBeVisible();
  await second.getByRole("tab", { name: "Decided" }).click();
  await takeFirst(second);
  await expect(second.getByRole("complementary")).toContainText("Approved by admin-2");
  await picture(second, info, "share-03-rate");
});
