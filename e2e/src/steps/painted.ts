import type { Page } from "@playwright/test";

declare global {
  interface Window {
    paintedTexts?: WeakMap<HTMLCanvasElement, string[]>;
  }
}

/** Records the texts that each canvas shows, from the next load on: a chart's figures are nowhere else. */
export async function notePainted(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const texts = new WeakMap<HTMLCanvasElement, string[]>();
    window.paintedTexts = texts;
    const { prototype } = CanvasRenderingContext2D;
    for (const name of ["clearRect", "fillText"] as const) {
      const draw = Reflect.get(prototype, name) as (this: CanvasRenderingContext2D, ...given: unknown[]) => void;
      prototype[name] = function (...given: unknown[]) {
        if (name === "clearRect") texts.set(this.canvas, []);
        else texts.get(this.canvas)?.push(String(given[0]));
        draw.apply(this, given);
      };
    }
  });
}

/** Returns the texts that the chart shows now, and the product's live price in the same frame. */
export async function readPainted(page: Page): Promise<{ readonly texts: readonly string[]; readonly price: string }> {
  return page.evaluate(() => ({
    texts: [...document.querySelectorAll<HTMLCanvasElement>(".price-chart-host canvas")].flatMap(
      (canvas) => window.paintedTexts?.get(canvas) ?? [],
    ),
    price: document.querySelector("[data-testid=live-price]")?.textContent ?? "",
  }));
}
