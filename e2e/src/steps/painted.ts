import type { Page } from "@playwright/test";

declare global {
  interface Window {
    paintedTexts?: WeakMap<HTMLCanvasElement, string[]>;
    paintedArcs?: WeakMap<HTMLCanvasElement, Arc[]>;
  }
}

/** A circle's middle and radius in CSS pixels of its canvas. */
type Arc = readonly [x: number, y: number, radius: number];

/** Records the texts and circles that each canvas shows, from the next load on: a chart's are nowhere else. */
export async function notePainted(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const texts = new WeakMap<HTMLCanvasElement, string[]>();
    const arcs = new WeakMap<HTMLCanvasElement, Arc[]>();
    window.paintedTexts = texts;
    window.paintedArcs = arcs;
    const { prototype } = CanvasRenderingContext2D;
    for (const name of ["clearRect", "fillText", "arc"] as const) {
      const draw = Reflect.get(prototype, name) as (this: CanvasRenderingContext2D, ...given: unknown[]) => void;
      prototype[name] = function (...given: unknown[]) {
        if (name === "clearRect") {
          texts.set(this.canvas, []);
          arcs.set(this.canvas, []);
        } else if (name === "arc") arcs.get(this.canvas)?.push(given.slice(0, 3) as unknown as Arc);
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
    price: document.querySelector(".pane-price, [data-testid=live-price].big")?.textContent ?? "",
  }));
}

/** Returns the middles, in the window, of the circles of one radius that the chart shows. */
export async function readCircles(page: Page, radius: number): Promise<readonly (readonly [number, number])[]> {
  return page.evaluate(
    (wanted) =>
      [...document.querySelectorAll<HTMLCanvasElement>(".price-chart-host canvas")].flatMap((canvas) => {
        const { left, top } = canvas.getBoundingClientRect();
        const arcs = window.paintedArcs?.get(canvas) ?? [];
        return arcs.filter(([, , found]) => found === wanted).map(([x, y]) => [left + x, top + y] as const);
      }),
    radius,
  );
}
