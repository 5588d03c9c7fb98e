import type { Locator } from "@playwright/test";
import { secondFactorRegisterTotp, secondFactorStartTotp, secondFactorStatus } from "@fairtick/protocol";
import { expect, onScreen, open, test } from "../../steps/journey.ts";
import { expectAccessible, picture } from "../../steps/look.ts";
import { PASSWORD, valueOf } from "../../steps/members.ts";
import { codeOf, giveReason, openConsole, openMember, STEP_MS } from "../../steps/office.ts";

test("two people let a member back in who lost every second factor, and the member reads what follows", async ({
  browser,
  memberPage,
  member,
}, info) => {
  const { secret } = valueOf(await member.client.call(secondFactorStartTotp, { loginPassword: PASSWORD }));
  const code = codeOf(secret, Math.floor(Date.now() / STEP_MS));
  valueOf(await member.client.call(secondFactorRegisterTotp, { code }));

  await test.step("support proposes it but can't approve it alone", async () => {
    const support = await openConsole(browser, "support-1");
    await openMember(support, member.email);
    await support.getByRole("tab", { name: "Second factor" }).click();
    const side = support.getByRole("complementary");
    expect(await labelsOnTwoLines(side.getByRole("tab"))).toEqual([]);
    // Make sure that the check detects a label that wraps.
    const factorTab = side.getByRole("tab", { name: "Second factor" });
    const narrow = "white-space: normal; width: 60px";
    await factorTab.evaluate((tab: HTMLElement, style) => (tab.style.cssText = style), narrow);
    expect(await labelsOnTwoLines(side.getByRole("tab"))).toEqual(["Second factor"]);
    await factorTab.evaluate((tab: HTMLElement) => (tab.style.cssText = ""));
    await expect(side).toContainText("Two-step verification is on.");
    await giveReason(support, "Showed the passport in a call");
    await side.getByRole("button", { name: "Propose removal" }).click();
    await expect(side.getByRole("button", { name: "Cancel proposal" })).toBeVisible();
    await expect(side.getByRole("button", { name: "Approve removal" })).toHaveCount(0);
    await expectAccessible(support, "second factor in the console");
    await picture(support, info, "lost-factor-01-proposed");
  });

  await test.step("compliance reads why and approves", async () => {
    const compliance = await openConsole(browser, "compliance-1");
    await openMember(compliance, member.email);
    await compliance.getByRole("tab", { name: "Second factor" }).click();
    const side = compliance.getByRole("complementary");
    await expect(side).toContainText("Showed the passport in a call");
    await giveReason(compliance, "Called back at the known number");
    await picture(compliance, info, "lost-factor-02-agreed");
    await side.getByRole("button", { name: "Approve removal" }).click();
    await expect(side).toContainText("Two-step verification is off.");
  });

  await test.step("the member's factors are gone, and the messages say so", async () => {
    expect(valueOf(await member.client.call(secondFactorStatus, {}))).toMatchObject({ totp: null, passkeys: [] });
    await open(memberPage, "/pages/user/index");
    const screen = onScreen(memberPage);
    await screen.getByRole("link", { name: /^Notices/ }).click();
    await screen.getByRole("tab", { name: /^Messages/ }).click();
    await expect(screen.getByText("Withdrawals wait: two-step verification is off")).toBeVisible();
    await picture(memberPage, info, "lost-factor-03-told");
  });
});

/** Returns the labels that wrap. Each line of text is one rectangle, so these have several. */
async function labelsOnTwoLines(labels: Locator): Promise<readonly (string | null)[]> {
  return labels.evaluateAll((all) =>
    all
      .filter((label) => {
        const words = document.createRange();
        words.selectNodeContents(label);
        return words.getClientRects().length > 1;
      })
      .map((label) => label.textContent),
  );
}
