/**
 * An open sheet has an entry of the history of its own, on top of its screen's and with the same address. Going back takes
 * the entry away and closes the sheet, and the screen stays. A form of several questions does the same for going back to
 * the one before. Close watchers would need no entry, but a desktop's back button does not ask them.
 */

interface OpenSheet {
  readonly close: () => void;
  /** How many places of the app lie behind its screen. */
  readonly depth: number;
}

/** The open sheets by the number that each one's entry bears; the later one has the greater number. */
const opened = new Map<number, OpenSheet>();
let newest = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/** A place that was gone to from a sheet: it takes the place of the sheet's entry, or of the screen that was replaced. */
let carried: { readonly state: unknown; readonly href: string } | null = null;
let isFollowing = false;
/** Going back takes the browser a moment: what opens meanwhile, or leads on, waits until it has arrived. */
let isGoingBack = false;
let waiting: (() => void)[] = [];
/** A browser that gives up going back says nothing about it. */
const GOING_MS_MAX = 3_000;
let givenUp: ReturnType<typeof setTimeout> | undefined;

/** The sheet whose entry is the present one; 0: none. */
function present(): number {
  return numberInState("sheet") ?? 0;
}

function numberInState(name: "sheet" | "depth"): number | null {
  const state: unknown = history.state;
  const number: unknown = typeof state === "object" && state !== null ? Reflect.get(state, name) : null;
  return typeof number === "number" ? number : null;
}

/** Whether one came to the present entry by going on from a sheet: a link in it makes an entry above, not yet numbered. */
function isFurtherThan({ depth }: OpenSheet): boolean {
  return (numberInState("depth") ?? Number.POSITIVE_INFINITY) > depth;
}

/** A sheet opens: going back calls `close`. The answer is called when it is closed, however that came. */
export function openEntry(close: () => void): () => void {
  if (!isFollowing) {
    // Before the app reads where it is.
    addEventListener("popstate", follow, { capture: true });
    isFollowing = true;
  }
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

function makeEntry(close: () => void): number {
  const under = present();
  newest = Math.max(newest, under) + 1;
  const marked = { ...(history.state as object | null), sheet: newest };
  // One that opens as another closes takes its entry over.
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
 * Calls `act` when the browser has gone back from a sheet that closed, and answers true; false where it is not going. A
 * place that is put into the history meanwhile would be left again: the way back began before it.
 */
export function waitForReturn(act: () => void): boolean {
  if (isGoingBack) waiting.push(act);
  return isGoingBack;
}

/** Closed by other means than going back, the sheet leaves no entry behind that would lead nowhere. */
function takeAway(): void {
  timer = undefined;
  const top = present();
  if (opened.has(top)) return;
  // Its choice led on to another place, or put one in the place of its own.
  if (top === 0) carried = { state: history.state as unknown, href: location.href };
  goBack();
}

function follow(): void {
  isGoingBack = false;
  if (carried !== null) {
    history.replaceState(carried.state, "", carried.href);
    carried = null;
    // Chromium calls a window's listeners in the order of their coming, whatever their phase: who has read the address
    // already is told again.
    dispatchEvent(new PopStateEvent("popstate", { state: history.state as unknown }));
    arrive();
    return;
  }
  const top = present();
  for (const [number, sheet] of [...opened].toReversed())
    // A link in the sheet takes its screen away by itself.
    if (number > top && !isFurtherThan(sheet)) {
      opened.delete(number);
      sheet.close();
    }
  // What is left of a sheet that was closed long ago, or before a reload.
  if (top > 0 && !opened.has(top)) {
    goBack();
    return;
  }
  arrive();
}
