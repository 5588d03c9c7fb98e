import { flushSync } from "react-dom";

/** Which way a screen comes: from further on, from where one was before, or in the place of another. */
export type Way = "forward" | "back" | "beside";

/**
 * Draws the next screen by `draw`, the old one fading out under it where the browser has view transitions. Taps reach the new
 * screen at once: the picture over it takes none (`app.css`). Where movement is to be reduced, or nobody looks, it is only drawn.
 */
export function changeScreen(way: Way, draw: () => void): void {
  const { documentElement: root } = document;
  if (!("startViewTransition" in document) || document.visibilityState === "hidden" || isToBeStill()) {
    draw();
    return;
  }
  const change = document.startViewTransition(() => {
    root.dataset["way"] = way;
    // The browser takes the new picture when this returns: by then it must be drawn.
    flushSync(draw);
  });
  // Cut short by the next change, or given up by a slow browser: the screen is drawn all the same.
  change.ready.catch(() => undefined);
  change.updateCallbackDone.catch(() => undefined);
  change.finished
    .finally(() => {
      if (root.dataset["way"] === way) delete root.dataset["way"];
    })
    .catch(() => undefined);
}

function isToBeStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
