/**
 * History entries of open sheets. An open sheet has a history entry of its own, on top of its screen's and with the
 * same address. Going back removes the entry and closes the sheet, while the screen stays. A form with several
 * questions does the same to go back to the previous question. Close watchers would need no entry, but a desktop's back
 * button doesn't trigger them.
 */

interface OpenSheet {
  readonly close: () => void;
  /** Number of the app's places behind the sheet's screen. */
  readonly depth: number;
}

/** The open sheets by the number in their history entry. Later sheets have greater numbers. */
const opened = new Map<number, OpenSheet>();
let newest = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/**
 * A place to which the user navigated from a sheet. It replaces the sheet's entry, or that of the screen that was
 * replaced.
 */
let carried: { readonly state: unknown; readonly href: string } | null = null;
let isFollowing = false;
/**
 * Whether the browser is still going back. Sheets that open and navigation that happens meanwhile wait until it has
 * arrived.
 */
let isGoingBack = false;
let waiting: (() => void)[] = [];
/** After this time the browser counts as having given up going back, which no event reports. */
const GOING_MS_MAX = 3_000;
let givenUp: ReturnType<typeof setTimeout> | undefined;

/** Returns the number of the sheet whose entry is the current one; 0 if there is none. */
function present(): number {
  return numberInState("sheet") ?? 0;
}

function numberInState(name: "sheet" | "depth"): number | null {
  const state: unknown = history.state;
  const number: unknown = typeof state === "object" && state !== null ? Reflect.get(state, name) : null;
  return typeof number === "number" ? number : null;
}

/**
 * Returns whether the current entry was reached by navigating on from a sheet: a link in it makes an entry above, not
 * yet numbered.
 */
function isFurtherThan({ depth }: OpenSheet): boolean {
  return (numberInState("depth") ?? Number.POSITIVE_INFINITY) > depth;
}

/**
 * Registers an opened sheet, so that going back calls `close`. Returns a function to call once the sheet is closed, by
 * whatever means.
 */
export function openEntry(close: () => void): () => void {
  startFollowing();
  clearTimeout(timer);
  timer = undefined;
  let number: number | null = null;
  const enter = () => {
    number = makeEntry(close);
  };
  if (!waitForReturn(enter)) enter();
  return () => {
    waiting = waiting.filter((other) => other !== enter);
    if (number !== null && opened.delete(number)) timer ??= setTimeout(takeAway);
  };
}

function startFollowing(): void {
  if (isFollowing) return;
  // In the capture phase, so that it runs before the app reads its address.
  addEventListener("popstate", follow, { capture: true });
  isFollowing = true;
}

/**
 * Goes back from the entry of a sheet that was open when the page was reloaded: without its sheet, the first step back
 * would change nothing. Call it once, at the start of the page.
 */
export function leaveOldEntry(): void {
  if (present() === 0) return;
  startFollowing();
  const leave = () => {
    if (present() > 0 && !isGoingBack) timer ??= setTimeout(takeAway);
  };
  // Browsers report no step in the history before the page has loaded.
  if (document.readyState === "complete") leave();
  else addEventListener("load", leave, { once: true });
}

function makeEntry(close: () => void): number {
  const under = present();
  newest = Math.max(newest, under) + 1;
  const marked = { ...(history.state as object | null), sheet: newest };
  // A sheet that opens as another closes takes over its entry.
  if (under > 0 && !opened.has(under)) history.replaceState(marked, "");
  else history.pushState(marked, "");
  opened.set(newest, { close, depth: numberInState("depth") ?? 0 });
  return newest;
}

function goBack(): void {
  isGoingBack = true;
  clearTimeout(givenUp);
  givenUp = setTimeout(arrive, GOING_MS_MAX);
  history.back();
}

function arrive(): void {
  clearTimeout(givenUp);
  isGoingBack = false;
  for (const act of waiting.splice(0)) act();
}

/**
 * Calls `act` once the browser has gone back from a closed sheet, and returns true; returns false if it isn't going
 * back. A place added to the history meanwhile would be left again, because the browser had already started to go back.
 */
export function waitForReturn(act: () => void): boolean {
  if (isGoingBack) waiting.push(act);
  return isGoingBack;
}

/** Removes the entry of a sheet that was closed by other means than going back, which would otherwise lead nowhere. */
function takeAway(): void {
  timer = undefined;
  const top = present();
  if (opened.has(top)) return;
  // The sheet's choice navigated to another place or replaced the current one.
  if (top === 0) carried = { state: history.state as unknown, href: location.href };
  goBack();
}

function follow(): void {
  isGoingBack = false;
  if (carried !== null) {
    history.replaceState(carried.state, "", carried.href);
    carried = null;
    // Chromium calls a window's listeners in order of registration, whatever their phase, so listeners that have
    // already read the address are notified again.
    dispatchEvent(new PopStateEvent("popstate", { state: history.state as unknown }));
    arrive();
    return;
  }
  const top = present();
  for (const [number, sheet] of [...opened].toReversed())
    // A link in the sheet removes its screen anyway.
    if (number > top && !isFurtherThan(sheet)) {
      opened.delete(number);
      sheet.close();
    }
  // The entry is left over from a sheet that was closed long ago or before a reload.
  if (top > 0 && !opened.has(top)) {
    goBack();
    return;
  }
  arrive();
}
