import { type LanguageCode, LANGUAGES } from "@fairtick/i18n/server";
import type { Page, TestInfo } from "@playwright/test";
import { fillMember, fillMoney } from "../steps/filled.ts";
import { expect, speak, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { MEMBER_ROUTES, VISITOR_ROUTES } from "../steps/specified.ts";
import { tapThrough } from "../steps/tapping.ts";

const DAY_MS = 86_400_000;
const others = LANGUAGES.map(({ code }) => code).filter((code) => code !== "en");
/** Another language each day, so that all of them are covered in nine days. `npm run walk` covers all at once. */
const ofToday = others[Math.floor(Date.now() / DAY_MS) % others.length] ?? "zh";

const WALKS: readonly { readonly language: LanguageCode; readonly name: string }[] = [
  { language: "en", name: "in English" },
  { language: ofToday, name: "in the language of the day" },
];

/** Expects each screen to fit and to pass axe, and takes a screenshot. */
async function expectAllReached(page: Page, info: TestInfo, language: LanguageCode, wanted: readonly string[]) {
  info.annotations.push({ type: "language", description: language });
  const reached = await tapThrough(page, async (route) => {
    const name = `tapped-${language}${route.replace("/pages", "").replaceAll("/", "-")}`;
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, name);
    await picture(page, info, name);
  });
  expect(wanted.filter((route) => !reached.includes(route))).toEqual([]);
}

// Forty screens one after another, each checked by axe.
test.describe.configure({ timeout: 600_000 });

for (const { language, name } of WALKS) {
  // The words are the same at both sizes, so the wide layout is only walked in English.
  const tag = language === "en" ? ["@desk"] : [];

  test(
    `a visitor reaches every screen the specification gives them by tapping, ${name}`,
    { tag },
    async ({ page }, info) => {
      await speak(page, language);
      await expectAllReached(page, info, language, VISITOR_ROUTES);
    },
  );

  test(`a member reaches all the others by tapping, ${name}`, { tag }, async ({ memberPage: page, member }, info) => {
    await fillMember(member);
    await fillMoney(member);
    await speak(page, language);
    await expectAllReached(page, info, language, MEMBER_ROUTES);
  });
}
