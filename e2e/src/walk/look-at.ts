import type { LanguageCode } from "@fairtick/i18n";
import type { Page } from "@playwright/test";
import { join } from "node:path";
import { sidewaysParts, violations } from "../steps/look.ts";
import { readWords, settle, stretch } from "./inspect.ts";
import { type Notes, WALK_FOLDER } from "./notes.ts";
import { heightOf, type Look, looks, PLAN } from "./plan.ts";
import { findUntranslated } from "./untranslated.ts";

export interface Subject {
  readonly part: string;
  readonly screen: string;
  readonly language: LanguageCode;
}

/** The width at which axe checks a screen, in each theme. */
const AXE_WIDTH = 390;

/** Looks at the current screen in every way the plan asks for: takes screenshots and notes faults. */
export async function lookAtAll(
  page: Page,
  notes: Notes,
  subject: Subject,
  ways: readonly Look[] = looks(),
): Promise<void> {
  const axeWidth = ways.some(({ width }) => width === AXE_WIDTH) ? AXE_WIDTH : ways.at(-1)?.width;
  for (const look of ways) {
    const { width, theme, text } = look;
    const where = `${width} ${theme}${text === 100 ? "" : ` ${text} %`}`;
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: heightOf(width) });
    // As the app's own text size setting does it.
    await page.evaluate((scale) => {
      document.documentElement.style.setProperty("--text-scale", String(scale));
    }, text / 100);
    await settle(page);
    for (const says of await sidewaysParts(page)) notes.find({ ...subject, says: `scrolls sideways: ${says}` }, where);
    const { said, faults } = await readWords(page);
    for (const says of [...faults, ...findUntranslated(said, subject.language)])
      notes.find({ ...subject, says }, where);
    if (PLAN.axe && width === axeWidth && text === 100)
      for (const says of await violations(page)) notes.find({ ...subject, says: `axe: ${says}` }, where);
    await stretch(page, width, heightOf(width));
    const name = [subject.language, subject.screen, width, theme, text].join("-");
    const file = join("pictures", subject.part, `${name}.jpg`);
    await page.screenshot({ path: join(WALK_FOLDER, file), type: "jpeg", quality: 70 });
    notes.take({ ...subject, ...look, file });
  }
}
