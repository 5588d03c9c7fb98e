import { fillMember, fillMoney } from "../steps/filled.ts";
import { onScreen, expect, test } from "../steps/journey.ts";
import { keepSeen, markMessages } from "../steps/marks.ts";
import { MEMBER_SCREENS, nameOf, OPEN_SCREENS, openFilled } from "../steps/screens.ts";
import { stretch } from "./inspect.ts";
import { PLAN } from "./plan.ts";
import { stagesOf } from "./stages.ts";

const PHONE = { width: 360, height: 740 };

test("which messages a visitor sees on which screen", async ({ page, context }) => {
  await markMessages(context);
  for (const place of OPEN_SCREENS) {
    if (!nameOf(place).includes(PLAN.only)) continue;
    await page.setViewportSize(PHONE);
    await openFilled(page, place);
    await stretch(page, PHONE.width, PHONE.height);
    await keepSeen(page, `visitor-${nameOf(place)}`);
  }
});

test("which messages a member sees on which screen", async ({ memberPage: page, member, context }) => {
  await markMessages(context);
  const world = { ...(await fillMember(member)), ...(await fillMoney(member)) };
  for (const place of MEMBER_SCREENS) {
    if (!nameOf(place).includes(PLAN.only)) continue;
    await page.setViewportSize(PHONE);
    await openFilled(page, place);
    await stretch(page, PHONE.width, PHONE.height);
    await keepSeen(page, `member-${nameOf(place)}`);
  }
  for (const { screen, go } of stagesOf(page, world)) {
    if (!screen.includes(PLAN.only)) continue;
    await page.setViewportSize(PHONE);
    await go();
    await expect(onScreen(page).locator(".wait")).toHaveCount(0);
    await stretch(page, PHONE.width, PHONE.height);
    await keepSeen(page, `member-${screen}`);
  }
});
