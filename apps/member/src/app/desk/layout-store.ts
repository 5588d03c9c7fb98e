import { useSyncExternalStore } from "react";
import { readStoredJson, store } from "../../shared/storage.ts";
import type { Width } from "../use-width.ts";

export const DOCK_TABS = ["positions", "history", "funds", "log"] as const;
export type DockTab = (typeof DOCK_TABS)[number];
export const LISTS = ["all", "favourites", "fx", "digital"] as const;
export type List = (typeof LISTS)[number];
/** The breakpoints with a workspace; a phone has none. */
export type Breakpoint = Exclude<Width, "phone">;

/** The layout of one breakpoint's workspace. Sizes in CSS pixels; `charts` is the first chart's share of the width. */
export interface Layout {
  readonly watch: number;
  readonly ticket: number;
  readonly dock: number;
  readonly charts: number;
  readonly isDockOpen: boolean;
  readonly tab: DockTab;
  readonly list: List;
  readonly hasSecondChart: boolean;
  /** The second chart's product, if it isn't linked to the first one's. */
  readonly secondSymbol: string | null;
}

/** The bounds of each panel. The dock's height is bounded by the window's: `DOCK_SHARE_MAX` of it, as it is shown. */
export const BOUNDS = {
  watch: { min: 224, max: 360 },
  ticket: { min: 296, max: 400 },
  dock: { min: 148, max: Number.POSITIVE_INFINITY },
  charts: { min: 0.3, max: 0.7 },
} as const;
export const DOCK_SHARE_MAX = 0.55;

const COMMON = { charts: 0.5, isDockOpen: true, tab: "positions", list: "all", secondSymbol: null } as const;
/** The default layouts. */
export const FIRST: Readonly<Record<Breakpoint, Layout>> = {
  tablet: { ...COMMON, watch: 264, ticket: 296, dock: 200, hasSecondChart: false },
  desk: { ...COMMON, watch: 264, ticket: 312, dock: 232, hasSecondChart: false },
  wide: { ...COMMON, watch: 288, ticket: 336, dock: 288, hasSecondChart: true },
};

/** Raised when the stored format changes its meaning. Layouts of another version are ignored. */
const VERSION = 1;

/** Parses a stored layout. Missing, unknown or out-of-bounds values fall back to the default. */
export function readLayout(stored: unknown, breakpoint: Breakpoint): Layout {
  const first = FIRST[breakpoint];
  const known = part(part(stored, "layouts"), breakpoint);
  if (part(stored, "version") !== VERSION || typeof known !== "object" || known === null) return first;
  const size = (name: keyof typeof BOUNDS) => {
    const value = part(known, name);
    return typeof value === "number" && value >= BOUNDS[name].min && value <= BOUNDS[name].max ? value : first[name];
  };
  const flag = (name: "isDockOpen" | "hasSecondChart") => {
    const value = part(known, name);
    return typeof value === "boolean" ? value : first[name];
  };
  const symbol = part(known, "secondSymbol");
  return {
    watch: size("watch"),
    ticket: size("ticket"),
    dock: size("dock"),
    charts: size("charts"),
    isDockOpen: flag("isDockOpen"),
    hasSecondChart: flag("hasSecondChart"),
    tab: DOCK_TABS.find((tab) => tab === part(known, "tab")) ?? first.tab,
    list: LISTS.find((list) => list === part(known, "list")) ?? first.list,
    secondSymbol: typeof symbol === "string" ? symbol : null,
  };
}

function part(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null && Object.hasOwn(of, name) ? Reflect.get(of, name) : undefined;
}

type Layouts = Readonly<Record<Breakpoint, Layout>>;

function readAll(): Layouts {
  const stored = readStoredJson("fairtickDesk");
  return {
    tablet: readLayout(stored, "tablet"),
    desk: readLayout(stored, "desk"),
    wide: readLayout(stored, "wide"),
  };
}

let layouts: Layouts | null = null;
const watchers = new Set<() => void>();

function current(): Layouts {
  layouts ??= readAll();
  return layouts;
}

/** Changes one breakpoint's layout and stores it on this device, or in memory if it can't be stored. */
export function changeLayout(breakpoint: Breakpoint, change: Partial<Layout>): void {
  layouts = { ...current(), [breakpoint]: { ...current()[breakpoint], ...change } };
  store("fairtickDesk", JSON.stringify({ version: VERSION, layouts }));
  for (const watcher of watchers) watcher();
}

/** Resets one breakpoint's workspace to its default. */
export function resetLayout(breakpoint: Breakpoint): void {
  changeLayout(breakpoint, FIRST[breakpoint]);
}

export function useLayout(breakpoint: Breakpoint): Layout {
  return useSyncExternalStore(watch, () => current()[breakpoint]);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Drops the cached layouts, for tests that change the storage directly. */
export function forgetLayouts(): void {
  layouts = null;
}
