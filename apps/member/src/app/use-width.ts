import { useSyncExternalStore } from "react";
import { useSettings } from "../data/settings.ts";

/** The four layouts, by how much room the window has. */
export type Width = "phone" | "tablet" | "desk" | "wide";

/** Windows narrower than this many CSS pixels get the phone layout. `first-paint.ts` and the style sheets say the same. */
const PHONE_BELOW_PX = 768;
/** So does a phone on its side: lower than 480 px, and narrower than any tablet on its side. */
const LYING_PHONE = { lowerThan: 480, narrowerThan: 1_000 };

/** The minimum width of each layout in CSS pixels, widest first. The style sheets use the same figures. */
const LAYOUTS: readonly (readonly [Width, number])[] = [
  ["wide", 1760],
  ["desk", 1200],
  ["tablet", PHONE_BELOW_PX],
];

/** The cached size of the window, because reading it after each render would force a layout. */
let width = innerWidth;
let height = innerHeight;
addEventListener("resize", () => {
  width = innerWidth;
  height = innerHeight;
});

/** Whether the window gets the phone layout. */
export const isPhoneWindow = (): boolean => fitting(width) === "phone";

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
  if (height < LYING_PHONE.lowerThan && width < LYING_PHONE.narrowerThan) return "phone";
  return LAYOUTS.find(([, from]) => room >= from)?.[0] ?? "phone";
}

function watch(watcher: () => void): () => void {
  addEventListener("resize", watcher);
  return () => {
    removeEventListener("resize", watcher);
  };
}
