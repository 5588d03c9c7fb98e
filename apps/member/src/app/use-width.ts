import { useSyncExternalStore } from "react";
import { useSettings } from "../data/settings.ts";

/** The four layouts, by how much room the window has. */
export type Width = "phone" | "tablet" | "desk" | "wide";

/** Windows narrower than this many CSS pixels get the phone layout. */
export const PHONE_BELOW_PX = 768;

/** The minimum width of each layout in CSS pixels, widest first. The style sheets use the same figures. */
const LAYOUTS: readonly (readonly [Width, number])[] = [
  ["wide", 1760],
  ["desk", 1200],
  ["tablet", PHONE_BELOW_PX],
];

/** The cached window width, because reading it after each render would force a layout. */
let width = innerWidth;
addEventListener("resize", () => {
  width = innerWidth;
});

/** The window's width in CSS pixels. */
export const windowWidth = (): number => width;

/** The layout that fits the window. Rerenders when it changes. */
export function useWidth(): Width {
  return useSyncExternalStore(watch, () => fitting(width));
}

/**
 * The layout by how much text fits in the window: text twice as large leaves half the room, as with the browser's own
 * zoom. For parts that place text side by side.
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
