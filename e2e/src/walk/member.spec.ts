import type { Page } from "@playwright/test";
import { fillMember, fillMoney } from "../steps/filled.ts";
import { expect, onScreen, speak, test } from "../steps/journey.ts";
import { MEMBER_SCREENS, nameOf, OPEN_SCREENS, openFilled, type ScreenPlace } from "../steps/screens.ts";
import { lookAtAll } from "./look-at.ts";
import { Notes } from "./notes.ts";
import { PLAN } from "./plan.ts";
import { stagesOf } from "./stages.ts";

const wanted = (place: ScreenPlace) => nameOf(place).includes(PLAN.only);

for (const language of PLAN.languages) {
  const walk = async (page: Page, notes: Notes, part: string, places: readonly ScreenPlace[]) => {
    await speak(page, language);
    for (const place of places.filter(wanted)) {
      await page.setViewportSize({ width: 360, height: 740 });
      await openFilled(page, place, language);
      await lookAtAll(page, notes, { part, screen: nameOf(place), language });
    }
  };

  test(`a visitor's screens, ${language}`, async ({ page }) => {
    const notes = new Notes(`visitor-${language}`);
    try {
      await walk(page, notes, "visitor", OPEN_SCREENS);
    } finally {
      await notes.write();
    }
  });

  test(`a member's screens, ${language}`, async ({ memberPage: page, member }) => {
    const notes = new Notes(`member-${language}`);
    try {
      const world = { ...(await fillMember(member)), ...(await fillMoney(member)) };
      await walk(page, notes, "member", MEMBER_SCREENS);
      for (const { screen, go } of stagesOf(page, world)) {
        if (!screen.includes(PLAN.only)) continue;
        const subject = { part: "member", screen, language };
        await page.setViewportSize({ width: 360, height: 740 });
        try {
          await go();
          await expect(onScreen(page).locator(".wait")).toHaveCount(0);
        } catch (error) {
          // Continue, so that the other screens are still covered.
          notes.find({ ...subject, says: `is not reached: ${String(error).slice(0, 300)}` }, "360");
          continue;
        }
        await lookAtAll(page, notes, subject);
      }
    } finally {
      await notes.write();
    }
  });
}
