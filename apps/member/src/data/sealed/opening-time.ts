import { ENTRY_WINDOW_MS } from "@fairtick/domain";
import { fixedPriceAt, type SeenHead } from "./heads.ts";
import type { KeptChoice } from "./shelf.ts";

/**
 * Returns whether a head fixes an order and its entry: nobody can take the order back or move it any more, and its entry
 * price is decided. The entry is the first price of the order's own symbol after its acceptance. A house that learned
 * the direction before could leave out prices until one suits it, so a head with other symbols' prices isn't enough
 * while an entry may still come.
 */
export function isFixed(acceptedAt: number, { symbol }: Pick<KeptChoice, "symbol">, head: SeenHead): boolean {
  if (head.at <= acceptedAt) return false;
  return symbol === undefined || fixedPriceAt(symbol) > acceptedAt || head.at > acceptedAt + Number(ENTRY_WINDOW_MS);
}

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
