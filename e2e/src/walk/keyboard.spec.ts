import type { CDPSession, Page } from "@playwright/test";
import { fillMember, fillMoney } from "../steps/filled.ts";
import { expect, onScreen, test } from "../steps/journey.ts";
import { MEMBER_SCREENS, nameOf, OPEN_SCREENS, openFilled, type ScreenPlace } from "../steps/screens.ts";
import { Notes } from "./notes.ts";
import { PLAN } from "./plan.ts";
import { stagesOf } from "./stages.ts";

/** More stops than any screen has; a list of all countries is the longest. */
const STOPS_MAX = 400;

interface Stop {
  readonly key: string;
  readonly what: string;
  readonly isVisible: boolean;
  readonly shows: boolean;
}

/**
 * Returns the focused element and whether its focus is visible; null for the page itself, “guard” for a focus guard.
 */
async function focused(page: Page): Promise<Stop | "guard" | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body || element === document.documentElement) return null;
    // Guards at both ends of a sheet pass the focus on.
    if (element.matches("[data-base-ui-focus-guard]")) return "guard";
    element.id ||= `stop-${Math.random().toString(36).slice(2)}`;
    const box = element.getBoundingClientRect();
    // A chip's radio and a photo's file field are invisible, and their label shows the focus.
    const shown = [
      element,
      ...(element instanceof HTMLInputElement ? (element.labels ?? []) : []),
      element.parentElement,
    ];
    const shows = shown.some((each) => {
      if (!each) return false;
      const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(each);
      return (
        (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) ||
        (each.matches(".box, .field, :has(> input)") && (boxShadow !== "none" || borderColor !== ""))
      );
    });
    const kind = element.getAttribute(element instanceof HTMLInputElement ? "type" : "class");
    const { innerWidth, innerHeight } = window;
    return {
      key: element.id,
      what: `${element.tagName.toLowerCase()}${kind ? `.${kind}` : ""} “${element.textContent.trim().slice(0, 30)}”`,
      isVisible: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
      shows,
    };
  });
}

/** Returns the accessible name of the focused element, as the browser computes it. */
async function nameOfFocused(browser: CDPSession): Promise<string> {
  const { result } = await browser.send("Runtime.evaluate", { expression: "document.activeElement" });
  const { nodes } = await browser.send("Accessibility.getPartialAXTree", {
    objectId: result.objectId ?? "",
    fetchRelatives: false,
  });
  return String(nodes[0]?.name?.value ?? "").trim();
}

/** Presses Tab until every element has had the focus; returns the faults found on the way. */
async function tabThrough(page: Page): Promise<readonly string[]> {
  const faults = new Set<string>();
  const seen = new Set<string>();
  const browser = await page.context().newCDPSession(page);
  // A sheet that has just opened is about to take the focus.
  await page.waitForFunction(() => {
    const sheet = document.querySelector("[role=dialog]");
    return !sheet || sheet.contains(document.activeElement);
  });
  await page.evaluate(() => {
    // A sheet keeps the focus inside it.
    if (document.querySelector("[role=dialog]")) return;
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  let last = "";
  let isAgain = false;
  for (let count = 0; count < STOPS_MAX; count += 1) {
    await page.keyboard.press("Tab");
    const stop = await focused(page);
    if (stop === "guard") continue;
    if (stop === null) {
      // Past the end. The next stop is the first of the page, where this walk may not have started.
      if (isAgain) break;
      isAgain = true;
      continue;
    }
    // Day, month and year are separate stops within one date field.
    if (stop.key === last && stop.what.startsWith("input.date")) continue;
    // In a sheet with a single stop, Tab returns to it.
    if (stop.key === last && (await page.locator("[role=dialog]").count()) > 0) break;
    if (stop.key === last) {
      faults.add(`keeps the focus: ${stop.what}`);
      break;
    }
    last = stop.key;
    if (seen.has(stop.key)) break;
    seen.add(stop.key);
    const name = await nameOfFocused(browser);
    // A page that has to be scrolled and has nothing else to focus takes the focus itself and is read by its content.
    if (name === "" && !stop.what.startsWith("main.")) faults.add(`has no name: ${stop.what}`);
    if (name !== name.trim() || / {2}/.test(name)) faults.add(`has a name with a gap: “${name}”`);
    if (!stop.isVisible) faults.add(`is out of sight when focused: ${stop.what}`);
    if (!stop.shows) faults.add(`does not show its focus: ${stop.what}`);
  }
  await browser.detach();
  if (seen.size === 0) faults.add("nothing can be reached by Tab");
  const left = await page.evaluate(
    (ids) => {
      const all = document.querySelectorAll<HTMLElement>(
        ".app :is(a[href], button, input, select, textarea, [tabindex='0'])",
      );
      const dialog = document.querySelector("dialog[open], [role=dialog]");
      return [...all]
        .filter((each) => !each.matches("[type=radio], [tabindex='-1'], :disabled") && each.checkVisibility())
        .filter((each) => !dialog || dialog.contains(each))
        .filter((each) => !each.closest("[inert]") && !ids.includes(each.id))
        .map(
          (each) => `${each.tagName.toLowerCase()} “${(each.textContent || each.ariaLabel || "").trim().slice(0, 40)}”`,
        );
    },
    [...seen],
  );
  for (const what of left) faults.add(`is not reached by Tab: ${what}`);
  return [...faults];
}

test("every screen works by keyboard alone", async ({ memberPage: page, member }) => {
  const notes = new Notes("keyboard");
  const note = async (screen: string) => {
    const subject = { part: "keyboard", screen, language: "en" };
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const says of await tabThrough(page)) notes.find({ ...subject, says }, "1280");
  };
  const visit = async (places: readonly ScreenPlace[]) => {
    for (const place of places) {
      if (!nameOf(place).includes(PLAN.only)) continue;
      await openFilled(page, place);
      await note(nameOf(place));
    }
  };
  try {
    await visit(OPEN_SCREENS.filter(({ route }) => /fairness|xieyi|Register|Forget|Region|download/.test(route)));
    const world = { ...(await fillMember(member)), ...(await fillMoney(member)) };
    await visit(MEMBER_SCREENS);
    for (const { screen, go } of stagesOf(page, world)) {
      if (!screen.includes(PLAN.only)) continue;
      await go();
      await expect(onScreen(page).locator(".wait")).toHaveCount(0);
      await note(screen);
    }
  } finally {
    await notes.write();
  }
});
