import { waitForReturn } from "@fairtick/ui/sheet-history.ts";
import { createContext, useCallback, useContext, type ComponentProps, type MouseEvent } from "react";

/**
 * Where one is in the app: what stands behind the `#` of the address. Twenty times smaller than a router that could do
 * more, see docs/decisions/0004. Which screen belongs to a place is the business of app/router.tsx.
 */
export type Path = "/" | `/pages/${string}`;
export type Search = Readonly<Record<string, string>>;

export interface Place {
  readonly path: string;
  readonly search: Search;
  /** Both again, as the address bears them: `/pages/order/index?tab=history`. */
  readonly href: string;
}

export interface Destination {
  readonly to: Path;
  /** Left out where undefined. */
  readonly search?: Readonly<Record<string, string | undefined>> | undefined;
  /** Takes the place of the present one in the history. */
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

/** How many places of the app lie behind this one, as its entry of the history bears it; null for one not ours yet. */
function storedDepth(): number | null {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null) return null;
  const depth: unknown = Reflect.get(state, "depth");
  return typeof depth === "number" ? depth : null;
}

let here = read();
let depth = storedDepth() ?? 0;
/** The browser drew the way there itself, as it does for a swipe back. */
let isDrawn = false;
const watchers = new Set<() => void>();
history.replaceState({ depth }, "");

function changed(): void {
  const next = read();
  if (next.href === here.href) return;
  here = next;
  for (const watcher of watchers) watcher();
}

/** Back and forward, a link, an address typed by hand: the browser has moved already. */
addEventListener("popstate", ({ hasUAVisualTransition }) => {
  isDrawn = hasUAVisualTransition;
  const known = storedDepth();
  depth = known ?? depth + 1;
  if (known === null) history.replaceState({ depth }, "");
  changed();
});

/** The place that the address names; its screen may still be on its way. */
export function currentPlace(): Place {
  return here;
}

/** How deep in the app the present place lies, and whether the browser has drawn the way there. */
export function currentMove(): { readonly depth: number; readonly isDrawn: boolean } {
  return { depth, isDrawn };
}

export function watchPlace(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Leads to an address of the app as it stands: `/pages/order/index?tab=history`. */
export function navigateTo(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const asked = here.href;
  const goOn = () => {
    // What was to take a place's place has nothing to take once that was left: the way back may pass one that is not stayed at.
    if (!replace || here.href === asked) navigateTo(href, { replace });
  };
  // A sheet has just closed, and the browser is going back from its entry: a place put there now would be left again.
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

/** Back to where one came from within the app; to `otherwise` after a reload elsewhere or a link from outside. */
export function goBack(otherwise: Path): void {
  if (depth > 0) history.back();
  else navigate({ to: otherwise, replace: true });
}

/** The place whose screen is drawn. */
export const ShownPlace = createContext<Place>(placeOf("/"));

/** The query of the screen at hand. Every value is text, and none is sure to be there. */
export function useSearch(): Search {
  return useContext(ShownPlace).search;
}

export function useShownPath(): string {
  return useContext(ShownPlace).path;
}

/** Whether the member is still on the screen that asks. An answer that comes after they left leads them nowhere. */
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

/** The browser follows a link by itself, but for one that replaces this place, and one that has to wait. */
function follow(event: MouseEvent, href: string, replace: boolean): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const go = () => {
    navigateTo(href, { replace });
  };
  if (replace) go();
  else if (!waitForReturn(go)) return;
  event.preventDefault();
}
