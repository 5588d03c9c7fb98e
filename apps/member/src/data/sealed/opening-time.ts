import { ENTRY_WINDOW_MS } from "@fairtick/domain";
import type { KeptChoice } from "./shelf.ts";

/**
 * Returns the time, in ms by the server's clock, after which a signed head allows an order to be opened. Used by page
 * and service worker. Usually that is the acceptance, which such a head binds. For an order that stays sealed until
 * its end it is the expiry, because a head after it includes the exit tick.
 */
export function opensAfter(acceptedAt: number, { untilEnd }: Pick<KeptChoice, "untilEnd">): number {
  if (untilEnd === undefined) return acceptedAt;
  // If the entry isn't known, use its latest possible time: an order whose entry comes later is void.
  return untilEnd.expiresAt ?? acceptedAt + Number(ENTRY_WINDOW_MS) + untilEnd.durationSeconds * 1_000;
}
