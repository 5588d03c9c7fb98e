import { expect, test } from "../../steps/journey.ts";
import { expectAccessible, picture } from "../../steps/look.ts";
import { codeOf, consoleUrl, giveReason, goTo, openConsole, STEP_MS } from "../../steps/office.ts";

const PASSWORD = "granite-willow-harbour";

test("two admins invite an operator, whose link says if it was opened before, and can be declined", async ({
  browser,
}, info) => {
  const proposer = await openConsole(browser, "admin-1");
  const approver = await openConsole(browser, "admin-2");
  const unique = Date.now().toString(36);

  /** Proposes and approves an invitation, and returns its link. */
  const invite = async (login: string) => {
    await goTo(proposer, "Operators");
    await proposer.getByRole("button", { name: "Invite an operator" }).click();
    const form = proposer.getByRole("complementary");
    await form.getByLabel("Login").fill(login);
    await form.getByLabel("Name", { exact: true }).fill("Books, evenings");
    await form.getByRole("checkbox", { name: "Auditor" }).check();
    await giveReason(proposer, "The evenings need someone who reads the books");
    await form.getByRole("button", { name: "Propose" }).click();
    await expect(form.getByText("someone else has to decide")).toBeVisible();

    await goTo(approver, "Operators");
    await approver.reload();
    await approver.getByRole("tab", { name: /^Proposals/ }).click();
    await approver.locator("tr[data-id]", { hasText: login }).getByRole("button").click();
    await giveReason(approver, "Agreed with the person by telephone");
    const side = approver.getByRole("complementary");
    await side.getByRole("button", { name: "Approve" }).click();
    const link = side.locator(".code.wrap", { hasText: "http" });
    await expect(link).toBeVisible();
    return (await link.textContent())!;
  };
  const newcomer = await (await browser.newContext({ baseURL: consoleUrl() })).newPage();
  const secretShown = newcomer.locator(".code.secret");

  await test.step("each opening has its own secret, and only the newest one's codes count", async () => {
    await newcomer.goto(await invite(`evening-${unique}`));
    await expect(secretShown).toBeVisible();
    await expect(newcomer.getByText("opened before")).toHaveCount(0);
    const first = (await secretShown.textContent())!;
    await newcomer.reload();
    await expect(newcomer.getByText("This link was opened before")).toBeVisible();
    await expectAccessible(newcomer, "console invitation");
    await picture(newcomer, info, "invitation-01-opened-before");
    const second = (await secretShown.textContent())!;
    expect(second).not.toBe(first);
    await newcomer.getByLabel("Choose a password").fill(PASSWORD);
    const give = async (secret: string) => {
      await newcomer.getByLabel("Code from the app").fill(codeOf(secret, Math.floor(Date.now() / STEP_MS)));
      await newcomer.getByRole("button", { name: "Accept invitation" }).click();
    };
    await give(first);
    await expect(newcomer.getByText("Each opening of the link replaces the secret.")).toBeVisible();
    await give(second);
    await expect(newcomer.getByRole("heading", { name: "Save your recovery codes" })).toBeVisible();
  });

  await test.step("a declined link is of no use to anybody", async () => {
    const link = await invite(`night-${unique}`);
    await newcomer.goto("about:blank");
    await newcomer.goto(link);
    await expect(secretShown).toBeVisible();
    await newcomer.reload();
    await newcomer.getByRole("button", { name: "Decline invitation" }).click();
    await expect(newcomer.getByRole("heading", { name: "Invitation declined" })).toBeVisible();
    await newcomer.reload();
    await expect(newcomer.getByText("has expired, was used or was declined")).toBeVisible();
  });
});
