import { useSyncExternalStore } from "react";
import { useSettings } from "../data/settings.ts";

/** Which of the four layouts the window has room for. */
export type Width = "phone" | "tablet" | "desk" | "wide";

/** The phone's layout ends here, in CSS pixels. */
export const PHONE_BELOW_PX = 768;

/** From how many CSS pixels on each layout is drawn, widest first; the style sheets use the same figures. */
const LAYOUTS: readonly (readonly [Width, number])[] = [
  ["wide", 1760],
  ["desk", 1200],
  ["tablet", PHONE_BELOW_PX],
];

/** Kept, since asking for it after each drawing has the page laid out for this alone. */
let width = innerWidth;
addEventListener("resize", () => {
  width = innerWidth;
});

/** The window's width in CSS pixels. */
export const windowWidth = (): number => width;

/** The layout for the window as it is; redraws when another one fits. */
export function useWidth(): Width {
  return useSyncExternalStore(watch, () => fitting(width));
}

/**
 * The layout for as much as the window shows of text of the member's size: twice as large, half of it, as with the
 * browser's own zoom. For what stands side by side with words in it.
 */
export function useRoom(): Width {
  const scale = Number(useSettings().textSize) / 100;
  return useSyncExternalStore(watch, () => fitting(width / scale));
}

function fitting(room: number): Width {
  return LAYOUTS.find(([, from]) => room >= from)?.[0] ?? "phone";
}

function watch(watcher: () => void): () => void {
  addEventListener("resize", watcher);
  return () => {
    removeEventListener("resize", watcher);
  };
}
