import { createServerClock } from "@fairtick/client";
import { useSyncExternalStore } from "react";

/** The server's clock, estimated from calls and the stream. Countdowns use it, never the phone's clock. */
export const serverClock = createServerClock();

/** Returns milliseconds since 1970 by the server's clock, or by the phone's until the server's is known. */
export function serverNow(): number {
  return serverClock.now();
}

/** Rerenders every `everyMs` with the server's time, at whole multiples of it. */
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
