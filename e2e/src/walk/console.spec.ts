import { fillMember, fillMoney } from "../steps/filled.ts";
import { handIn } from "../steps/identity.ts";
import { expect, test } from "../steps/journey.ts";
import { openConsole } from "../steps/office.ts";
import { lookAtAll } from "./look-at.ts";
import { Notes } from "./notes.ts";
import { looks, PLAN } from "./plan.ts";

/** One operator of each role; together they can open every screen. */
const LOGINS = ["support-1", "finance-1", "compliance-1", "admin-1", "auditor-1"] as const;
/** Desktop widths only, at the browser's own text size. */
const WAYS = looks().filter(({ width, text }) => width >= 768 && text === 100);

test("every screen of the console", async ({ browser, memberPage, member }) => {
  const notes = new Notes("console");
  const seen = new Set<string>();
  try {
    await fillMember(member);
    await fillMoney(member);
    const number = `AB ${Date.now()}`;
    await handIn(memberPage, { familyName: "Silva", givenName: "Ana", birthDate: "1990-05-17", number });
    for (const login of LOGINS) {
      const page = await openConsole(browser, login);
      const rail = page.getByRole("navigation", { name: "Back office" });
      for (const href of await rail
        .getByRole("link")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href")))) {
        const screen = (href ?? "").replace("#/", "");
        if (seen.has(screen) || !screen.includes(PLAN.only)) continue;
        seen.add(screen);
        await page.setViewportSize({ width: 1280, height: 800 });
        await rail.locator(`a[href="${href}"]`).click();
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await page.waitForLoadState("networkidle");
        await lookAtAll(page, notes, { part: "console", screen, language: "en" }, WAYS);
        if ((await page.locator("tr[data-id]").count()) === 0) continue;
        await page.keyboard.press("j");
        await page.waitForLoadState("networkidle");
        await lookAtAll(page, notes, { part: "console", screen: `${screen}-case`, language: "en" }, WAYS);
      }
      await page.context().close();
    }
  } finally {
    await notes.write();
  }
});
