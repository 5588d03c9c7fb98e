import { leaveOldEntry, waitForReturn } from "@fairtick/ui/sheet-history.ts";
import { createContext, useCallback, useContext, type ComponentProps, type MouseEvent } from "react";

/**
 * The current place in the app: the part of the address after the `#`. This module is twenty times smaller than a
 * router that could do more, see docs/decisions/0004. Which screen belongs to a place is decided in app/router.tsx.
 */
export type Path = "/" | `/pages/${string}`;
export type Search = Readonly<Record<string, string>>;

export interface Place {
  readonly path: string;
  readonly search: Search;
  /** Path and query together, as in the address: `/pages/order/index?tab=history`. */
  readonly href: string;
}

export interface Destination {
  readonly to: Path;
  /** Undefined values are left out of the address. */
  readonly search?: Readonly<Record<string, string | undefined>> | undefined;
  /** Replaces the current history entry. */
  readonly replace?: boolean | undefined;
}

export function placeOf(href: string): Place {
  const [path = "", ...query] = href.split("?");
  return { path: path || "/", search: Object.fromEntries(new URLSearchParams(query.join("?"))), href };
}

export function hrefOf({ to, search = {} }: Destination): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? to : `${to}?${new URLSearchParams(given).toString()}`;
}

function read(): Place {
  return placeOf(afterHash(location.href));
}

function afterHash(url: string): string {
  const start = url.indexOf("#");
  return start < 0 ? "" : url.slice(start + 1);
}

/** Returns how many places of the app are behind the current one in the history; null if the entry isn't ours yet. */
function storedDepth(): number | null {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null) return null;
  const depth: unknown = Reflect.get(state, "depth");
  return typeof depth === "number" ? depth : null;
}

let here = read();
let depth = storedDepth() ?? 0;
/** Whether the browser animated the last move itself, as it does for a swipe back. */
let isDrawn = false;
const watchers = new Set<() => void>();
// After a reload the entry is numbered already, and may be that of a sheet that was open.
if (storedDepth() === null) history.replaceState({ depth }, "");
leaveOldEntry();

function changed(): void {
  const next = read();
  if (next.href === here.href) return;
  here = next;
  for (const watcher of watchers) watcher();
}

/** Handles back and forward, links and typed addresses: the browser has already moved. */
addEventListener("popstate", ({ hasUAVisualTransition }) => {
  isDrawn = hasUAVisualTransition;
  const known = storedDepth();
  depth = known ?? depth + 1;
  if (known === null) history.replaceState({ depth }, "");
  changed();
});

/** Returns the place that the address names. Its screen may still be loading. */
export function currentPlace(): Place {
  return here;
}

/** Returns how deep in the app the current place is, and whether the browser animated the move there. */
export function currentMove(): { readonly depth: number; readonly isDrawn: boolean } {
  return { depth, isDrawn };
}

export function watchPlace(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Navigates to a complete address of the app, such as `/pages/order/index?tab=history`. */
export function navigateTo(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const asked = here.href;
  const goOn = () => {
    // If the place to be replaced was left in the meantime, drop the request: back may pass a place without staying there.
    if (!replace || here.href === asked) navigateTo(href, { replace });
  };
  // A sheet has just closed and the browser is going back from its entry. A new place added now would be left again.
  if (waitForReturn(goOn)) return;
  isDrawn = false;
  if (replace || href === here.href) history.replaceState({ depth }, "", `#${href}`);
  else {
    depth += 1;
    history.pushState({ depth }, "", `#${href}`);
  }
  changed();
}

export function navigate(destination: Destination): void {
  navigateTo(hrefOf(destination), { replace: destination.replace ?? false });
}

/** Goes back within the app; to `otherwise` after a reload or a link from outside. */
export function goBack(otherwise: Path): void {
  if (depth > 0) history.back();
  else navigate({ to: otherwise, replace: true });
}

/** The place whose screen is shown. */
export const ShownPlace = createContext<Place>(placeOf("/"));

/** The query of the current screen. Every value is text and may be missing. */
export function useSearch(): Search {
  return useContext(ShownPlace).search;
}

export function useShownPath(): string {
  return useContext(ShownPlace).path;
}

/** Returns whether the member is still on the calling screen. A late answer must not take them elsewhere. */
export function useIsHere(): () => boolean {
  const path = useShownPath();
  return useCallback(() => here.path === path, [path]);
}

/** A link within the app. */
export function Link({
  to,
  search,
  replace = false,
  onClick,
  ...rest
}: Destination & Omit<ComponentProps<"a">, "href">) {
  const href = hrefOf({ to, search });
  return (
    // oxlint-disable-next-line jsx-a11y/anchor-has-content -- its content is among the rest
    <a
      {...rest}
      href={`#${href}`}
      onClick={(event) => {
        onClick?.(event);
        follow(event, href, replace);
      }}
    />
  );
}

/** Leaves a link to the browser, unless it replaces the current place or has to wait. */
function follow(event: MouseEvent, href: string, replace: boolean): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const go = () => {
    navigateTo(href, { replace });
  };
  if (replace) go();
  else if (!waitForReturn(go)) return;
  event.preventDefault();
}
