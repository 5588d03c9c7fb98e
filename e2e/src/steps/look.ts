import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Page, TestInfo } from "@playwright/test";
import type axe from "axe-core";
import { expect } from "./journey.ts";
import { keepSeen, MARKING } from "./marks.ts";

const FOLDER = resolve(import.meta.dirname, "../../../artifacts/screens");

/** Keeps a picture of the screen as it stands, for people to look at: where `PICTURES` is set, since drawing it proves nothing. */
export async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  if (process.env["PICTURES"] !== undefined)
    await page.screenshot({ path: `${FOLDER}/${info.project.name}-${name}.png` });
  if (MARKING) await keepSeen(page, `journey-${info.project.name}-${name}`);
}

/** Nothing is wider than the window: no screen is moved sideways by a thumb. Looks on at the next screen where it is. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect.soft(await sidewaysParts(page)).toEqual([]);
}

/** Waits for what moves and ends: a screen that comes, a sheet on its way. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // The end of one that goes with a scrolling area is a part of its way: it stays until somebody scrolls.
    const ending = document.getAnimations().filter(({ effect }) => {
      const end = effect?.getComputedTiming().endTime;
      return typeof end === "number" && end !== Infinity;
    });
    await Promise.race([
      Promise.allSettled(ending.map(({ finished }) => finished)),
      new Promise((go) => setTimeout(go, 2_000)),
    ]);
  });
}

/** What is wider than the window, and by which of its parts. */
export async function sidewaysParts(page: Page): Promise<readonly string[]> {
  // A screen that comes from its side is beyond the edge for a moment, where nobody can move it.
  await untilStill(page);
  return page.evaluate(() => {
    const window = document.documentElement;
    const parts = [...document.querySelectorAll<HTMLElement>(".app, main, header, footer, nav.tabs, [role=dialog]")];
    return [window, ...parts]
      .filter((part) => part.scrollWidth > part.clientWidth + 1)
      .map((part) => {
        const edge = part.getBoundingClientRect().left + part.clientWidth + 1;
        const over = [...part.querySelectorAll("*")].filter((inner) => inner.getBoundingClientRect().right > edge);
        const names = over.slice(0, 4).map((inner) => `${inner.tagName}.${String(inner.getAttribute("class"))}`);
        return `${location.hash} ${part.tagName}: ${part.scrollWidth} in ${part.clientWidth}, by ${names.join(", ")}`;
      });
  });
}

/** No violation of WCAG 2.2 A and AA, nor of axe's good practice. Looks on at the next screen where there is one. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // A sheet on its way out has lost its words already, and is no part of the screen any more.
  await expect(page.locator("[data-ending-style]")).toHaveCount(0);
  const said = await violations(page);
  expect.soft(said.map((sentence) => `${name}: ${sentence}`)).toEqual([]);
}

let axeSource: string | undefined;

/** What axe finds on the page, one sentence for each rule. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Compiling axe takes the browser longer than reading a screen: it stays in the page until that is loaded anew.
  if (!(await page.evaluate(() => "axe" in window))) {
    axeSource ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await page.evaluate(axeSource);
  }
  // In frames axe would have to be brought in too.
  expect(page.frames()).toHaveLength(1);
  // What fades in has no contrast of its own yet.
  await untilStill(page);
  return page.evaluate(async () => {
    const brought = window as unknown as { readonly axe: Pick<typeof axe, "run"> };
    const { violations } = await brought.axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => {
      const where = nodes.map((node) => `${node.target.join(" ")}: ${node.failureSummary ?? ""}`);
      return `${id}: ${where.slice(0, 4).join(" | ")}`;
    });
  });
}

/** Which keyboard and which autofill a field asks for: figures get the one with digits, codes and passwords are named. */
export async function expectFieldsKnown(page: Page, name: string): Promise<void> {
  const wrong = await page.locator("main input, form input, dialog[open] input").evaluateAll((inputs) =>
    inputs.flatMap((input) => {
      if (!(input instanceof HTMLInputElement) || !["text", "password", "email", "tel", "search"].includes(input.type))
        return [];
      const label = input.labels?.[0]?.textContent ?? input.ariaLabel ?? "";
      const { inputMode, autocomplete } = input;
      const isFigure = /amount|quantity|price at|minutes|limit price/i.test(label);
      const isSecret = /password/i.test(label);
      const isCode = /^(?:verification )?code/i.test(label);
      const fits =
        (!isFigure || inputMode === "decimal" || inputMode === "numeric") &&
        (!isSecret || /^(?:current|new)-password$/.test(autocomplete) || inputMode === "numeric") &&
        (!isCode || (inputMode === "numeric" && autocomplete === "one-time-code"));
      return fits ? [] : [`${label}: inputmode ${inputMode}, autocomplete ${autocomplete}`];
    }),
  );
  expect(wrong, name).toEqual([]);
}
