import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Page, TestInfo } from "@playwright/test";
import type axe from "axe-core";
import { expect } from "./journey.ts";
import { keepSeen, MARKING } from "./marks.ts";

const FOLDER = resolve(import.meta.dirname, "../../../artifacts/screens");

/** Takes a screenshot for people to review. Only if `PICTURES` is set, because a screenshot proves nothing. */
export async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  if (process.env["PICTURES"] !== undefined)
    await page.screenshot({ path: `${FOLDER}/${info.project.name}-${name}.png` });
  if (MARKING) await keepSeen(page, `journey-${info.project.name}-${name}`);
}

/** Soft check that nothing is wider than the window, so that the screen doesn't scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect.soft(await sidewaysParts(page)).toEqual([]);
}

/** Waits until finite animations, such as those of screens and sheets, have finished. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // An animation tied to scrolling ends at a position rather than a time, so it would never finish by itself.
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

/** Returns descriptions of elements that are wider than the window. */
export async function sidewaysParts(page: Page): Promise<readonly string[]> {
  const found = await measureParts(page);
  // A screen may begin to slide in just after everything was still. What is too wide stays too wide.
  return found.length === 0 ? found : measureParts(page);
}

async function measureParts(page: Page): Promise<readonly string[]> {
  // A screen that slides in is briefly beyond the edge, where nobody can scroll to it.
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

/** Soft check for violations of WCAG 2.2 A and AA and of axe's best practices. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // A closing sheet has already lost its text and no longer belongs to the screen.
  await expect(page.locator("[data-ending-style]")).toHaveCount(0);
  const said = await violations(page);
  expect.soft(said.map((sentence) => `${name}: ${sentence}`)).toEqual([]);
}

let axeSource: string | undefined;

/** Returns what axe finds on the page, one sentence per rule. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Compiling axe takes longer than checking a screen, so it stays in the page until the next load.
  if (!(await page.evaluate(() => "axe" in window))) {
    axeSource ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await page.evaluate(axeSource);
  }
  // axe would have to be injected into frames separately.
  expect(page.frames()).toHaveLength(1);
  const found = await examine(page);
  // A price that turns stale fades its button while axe is looking. What is wrong stays wrong.
  return found.length === 0 ? found : examine(page);
}

async function examine(page: Page): Promise<readonly string[]> {
  // Elements that fade in don't have their final contrast yet.
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

/** Expects each field to request the right keyboard (digits for figures) and autofill (codes and passwords). */
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
