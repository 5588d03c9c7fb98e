import { showToast } from "@fairtick/ui";
import type { Query } from "@tanstack/react-query";
import { text } from "../shared/i18n.ts";
import { watchPlace } from "../shared/navigation.tsx";
import { CallError } from "./transport.ts";

type AnyQuery = Query<unknown, unknown, unknown>;

/** A failure that comes again by itself within this time is not said again; each one starts the time anew. */
const SAID_FOR_MS = 60_000;
/** A call made this soon after a tap is what the tap asked for. */
const BY_HAND_MS = 500;

/** Which tap a call was made after, and whether that tap asked for it. */
export interface Asking {
  readonly tap: number;
  readonly byHand: boolean;
}

/** When a sentence was last due, and after which tap it was said. */
interface Said {
  readonly at: number;
  readonly tap: number;
}

const said = new Map<string, Said>();
const askedAfter = new WeakMap<AnyQuery, Asking>();
let tap = 0;
let tappedAt = -Infinity;

function noteTap(): void {
  // The end of a touch and its click are one tap.
  if (performance.now() - tappedAt > BY_HAND_MS) tap += 1;
  tappedAt = performance.now();
}
for (const kind of ["click", "touchend"]) addEventListener(kind, noteTap, { capture: true, passive: true });
// What a screen fails with is news when that screen is opened.
watchPlace(() => said.clear());

/** Says what a call that is made now is asked for: whether by hand or not decides what is said if it fails. */
export function askingNow(): Asking {
  return { tap, byHand: performance.now() - tappedAt < BY_HAND_MS };
}

/** Notes that a query is being asked now. */
export function noteAsking(query: AnyQuery): void {
  askedAfter.set(query, askingNow());
}

/**
 * Says what went wrong with something that the member did, as the specification's error catalogue has it. An ended session
 * says its own sentence when the login screen opens. `timedOut`: what to do where no answer came in time; the button that
 * was pressed is the way unless told otherwise.
 */
export function reportFailure(error: unknown, timedOut?: string): void {
  if (!(error instanceof CallError)) throw error;
  if (error.kind === "session") return;
  const words = error.kind === "timeout" ? (timedOut ?? text("common.timedOutAction")) : error.message;
  said.set(words, { at: performance.now(), tap });
  showToast(words);
}

/** Says why what a screen shows did not come: once for each tap, and once while it goes on failing by itself. */
export function reportFailureOnce(error: unknown, asked: Asking): void {
  if (!(error instanceof CallError)) throw error;
  if (error.kind === "session") return;
  const now = performance.now();
  const before = said.get(error.message);
  const isNews = before === undefined || now - before.at >= SAID_FOR_MS || (asked.byHand && asked.tap !== before.tap);
  said.set(error.message, { at: now, tap: isNews ? asked.tap : before.tap });
  if (isNews) showToast(error.message);
}

/** Says once why a query failed. */
export function reportQueryFailure(error: unknown, query: AnyQuery): void {
  reportFailureOnce(error, askedAfter.get(query) ?? { tap, byHand: false });
}
