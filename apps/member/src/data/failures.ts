import { showToast } from "@fairtick/ui";
import type { Query } from "@tanstack/react-query";
import { text } from "../shared/i18n.ts";
import { watchPlace } from "../shared/navigation.tsx";
import { CallError } from "./transport.ts";

type AnyQuery = Query<unknown, unknown, unknown>;

/** A background failure that recurs within this time isn't reported again. Each recurrence restarts the time. */
const SAID_FOR_MS = 60_000;
/** A call made this soon after a tap counts as caused by it. */
const BY_HAND_MS = 500;

/** The last tap before a call was made, and whether that tap caused the call. */
export interface Asking {
  readonly tap: number;
  readonly byHand: boolean;
}

/** When a message last came up, and after which tap it was shown. */
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
// A failure of the new screen is worth reporting again.
watchPlace(() => said.clear());

/** Returns the last tap and whether a call made now is caused by it. This decides whether its failure is reported. */
export function askingNow(): Asking {
  return { tap, byHand: performance.now() - tappedAt < BY_HAND_MS };
}

/** Records that a query is being fetched now. */
export function noteAsking(query: AnyQuery): void {
  askedAfter.set(query, askingNow());
}

/**
 * Reports the failure of an action with the message of the specification's error catalogue. An ended session is left
 * to the login screen, which shows its own message. `timedOut` is the message after a time-out; by default it says to
 * press the button again.
 */
export function reportFailure(error: unknown, timedOut?: string): void {
  if (!(error instanceof CallError)) throw error;
  if (error.kind === "session") return;
  const words = error.kind === "timeout" ? (timedOut ?? text("common.timedOutAction")) : error.message;
  said.set(words, { at: performance.now(), tap });
  showToast(words);
}

/**
 * Reports why something on a screen couldn't be loaded: once for each tap, and once while it keeps failing in the
 * background.
 */
export function reportFailureOnce(error: unknown, asked: Asking): void {
  if (!(error instanceof CallError)) throw error;
  if (error.kind === "session") return;
  const now = performance.now();
  const before = said.get(error.message);
  const isNews = before === undefined || now - before.at >= SAID_FOR_MS || (asked.byHand && asked.tap !== before.tap);
  said.set(error.message, { at: now, tap: isNews ? asked.tap : before.tap });
  if (isNews) showToast(error.message);
}

/** Reports once why a query failed. */
export function reportQueryFailure(error: unknown, query: AnyQuery): void {
  reportFailureOnce(error, askedAfter.get(query) ?? { tap, byHand: false });
}
