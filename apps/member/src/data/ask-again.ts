import { onReconnected } from "./connection.ts";
import { CallError } from "./transport.ts";

/** Where no answer came it is asked again after so long, for as long as the screen shows the failure. */
export const CUT_AGAIN_MS = 10_000;

/** Whether a call found no server, so that asking again may find one. */
export function isCut(error: unknown): boolean {
  return error instanceof CallError && error.kind === "network";
}

/**
 * Asks again, once, for what a screen shows and did not come: as soon as the server is back; after `CUT_AGAIN_MS` where
 * a call found no server; and at the next tap anywhere after a time-out, whose words say to tap the screen. What the
 * server refused is not asked for again. Returns what calls it off.
 */
export function askAgainAfter(error: unknown, again: () => void): () => void {
  if (!(error instanceof CallError) || error.kind === "refused" || error.kind === "session") return () => undefined;
  const stops: (() => void)[] = [];
  const stop = () => {
    for (const one of stops.splice(0)) one();
  };
  const ask = () => {
    stop();
    again();
  };
  stops.push(onReconnected(ask));
  if (isCut(error)) {
    const timer = setTimeout(ask, CUT_AGAIN_MS);
    stops.push(() => clearTimeout(timer));
  } else {
    addEventListener("click", ask);
    stops.push(() => removeEventListener("click", ask));
  }
  return stop;
}
