import { AxeBuilder } from "@axe-core/playwright";
import type { Page, TestInfo } from "@playwright/test";
import { expect } from "./journey.ts";
import { resolve } from "node:path";

const PICTURES = resolve(import.meta.dirname, "../../../artifacts/screens");

/** Keeps a picture of the screen as it stands, for people to look at. */
export async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  await page.screenshot({ path: `${PICTURES}/${info.project.name}-${name}.png` });
}

/** Nothing is wider than the window: no screen is moved sideways by a thumb. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) return [`the page: ${page.scrollWidth} in ${page.clientWidth}`];
    return [...document.querySelectorAll<HTMLElement>(".app, main, header, footer, nav.tabs, [role=dialog]")]
      .filter((part) => part.scrollWidth > part.clientWidth + 1)
      .map((part) => `${part.tagName} ${part.className}: ${part.scrollWidth} in ${part.clientWidth}`);
  });
  expect(wide).toEqual([]);
}

/** No violation of WCAG 2.2 A and AA, nor of axe's good practice. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const said = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary}`).join(" | ")}`,
  );
  expect(said).toEqual([]);
}
