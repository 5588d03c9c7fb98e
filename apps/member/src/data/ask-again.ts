import { onReconnected } from "./connection.ts";
import { CallError } from "./transport.ts";

/** Time between retries after a network failure, for as long as the screen shows the failure. */
export const CUT_AGAIN_MS = 10_000;

/** Returns whether a call couldn't reach the server, so that retrying may help. */
export function isCut(error: unknown): boolean {
  return error instanceof CallError && error.kind === "network";
}

/**
 * Retries a failed load once: as soon as the server is reachable again, or after `CUT_AGAIN_MS`, if the call found no
 * server; at the next tap anywhere after a time-out, because its message says to tap the screen. Refused calls aren't
 * retried. Returns a function that cancels the retry.
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
