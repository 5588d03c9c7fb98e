import { ENTRY_WINDOW_MS } from "@fairtick/domain";
import type { KeptChoice } from "./shelf.ts";

/**
 * When an order may be opened: once a signed head is newer than this, in ms by the server's clock. Page and service worker both ask it.
 * That is the acceptance, which such a head binds; of an order that stays sealed until its end it is the expiry, since a head beyond
 * it has the exit tick as well.
 */
export function opensAfter(acceptedAt: number, { untilEnd }: Pick<KeptChoice, "untilEnd">): number {
  if (untilEnd === undefined) return acceptedAt;
  // Without the entry its latest time will do: an order whose entry comes later is void.
  return untilEnd.expiresAt ?? acceptedAt + Number(ENTRY_WINDOW_MS) + untilEnd.durationSeconds * 1_000;
}
