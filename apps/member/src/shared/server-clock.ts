import { useSyncExternalStore } from "react";

/**
 * The server's clock, learnt from `now` and `serverTime`. Countdowns read this one, never the phone's:
 * a phone may be minutes wrong. Between two messages it runs on the browser's monotonic time.
 */
let base: { readonly server: number; readonly monotonic: number } | null = null;

/** Takes a time that the server has just said. Of two, the later one holds: the earlier was longer under way. */
export function learnServerTime(serverMs: number): void {
  const monotonic = performance.now();
  if (base && serverMs < base.server + (monotonic - base.monotonic) && serverMs > base.server - 60_000) {
    const drift = base.server + (monotonic - base.monotonic) - serverMs;
    if (drift < 2000) return;
  }
  base = { server: serverMs, monotonic };
}

/** Milliseconds since 1970 by the server's clock; by the phone's until the server has said one. */
export function serverNow(): number {
  return base ? base.server + (performance.now() - base.monotonic) : Date.now();
}

/** Redraws every `everyMs` with the server's time, in step with whole multiples of it. */
export function useServerNow(everyMs = 250): number {
  return useSyncExternalStore(
    (redraw) => {
      const timer = setInterval(redraw, everyMs);
      return () => {
        clearInterval(timer);
      };
    },
    () => Math.floor(serverNow() / everyMs) * everyMs,
  );
}
