import { createServerClock } from "@fairtick/client";
import { useSyncExternalStore } from "react";

/** The server's clock, learnt from calls and stream. Countdowns read this one, never the phone's. */
export const serverClock = createServerClock();

/** Milliseconds since 1970 by the server's clock; by the phone's until the server has said one. */
export function serverNow(): number {
  return serverClock.now();
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
