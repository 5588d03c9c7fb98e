import { ENTRY_WINDOW_MS } from "@fairtick/domain";
import { fixedPriceAt, type SeenHead } from "./heads.ts";
import type { KeptChoice } from "./shelf.ts";

type Placed = Pick<KeptChoice, "symbol" | "placedAt"> & { readonly acceptedAt: number };

/**
 * Returns whether a head fixes an order and its entry: nobody can take the order back or move it any more, and its entry
 * price is decided. The entry is the first price of the order's own symbol after its acceptance.
 *
 * @param now This device's own clock, ms
 */
export function isFixed(choice: Placed, head: SeenHead, now: number): boolean {
  return isDecided(choice.acceptedAt, choice, head, now);
}

/**
 * Returns whether a head allows an order to be opened, in ms by the server's clock. Used by page and service worker. Usually
 * that is the head that fixes it. An order that stays sealed until its end also needs one that fixes its exit price.
 *
 * @param now This device's own clock, ms
 */
export function mayOpen(choice: Placed & Pick<KeptChoice, "untilEnd">, head: SeenHead, now: number): boolean {
  if (!isFixed(choice, head, now)) return false;
  return choice.untilEnd === undefined || isDecided(opensAfter(choice), choice, head, now);
}

/**
 * Returns the time, in ms by the server's clock, after which a signed head allows an order to be opened: its acceptance, or
 * its expiry if it stays sealed until its end. The house can't make it earlier or later than the order's terms allow,
 * whatever it says about the expiry. If the entry isn't known, its latest possible time counts: an order whose entry comes
 * later is void.
 */
export function opensAfter({
  acceptedAt,
  untilEnd,
}: Pick<KeptChoice, "untilEnd"> & { readonly acceptedAt: number }): number {
  if (untilEnd === undefined) return acceptedAt;
  const earliest = acceptedAt + untilEnd.durationSeconds * 1_000;
  const latest = earliest + Number(ENTRY_WINDOW_MS);
  return Math.min(Math.max(untilEnd.expiresAt ?? latest, earliest), latest);
}

/**
 * Returns whether the price at a moment is decided: a price of the order's own symbol has come since, or it is too late for
 * one. A house that learned the direction before could leave out prices until one suits it, so prices of other symbols
 * aren't enough while one may still come.
 *
 * @param moment ms by the server's clock
 * @param now This device's own clock, ms
 */
export function isDecided(moment: number, choice: Placed, head: SeenHead, now: number): boolean {
  if (head.at <= moment || !hasPassed(moment, choice, now)) return false;
  const { symbol } = choice;
  if (symbol === undefined || fixedPriceAt(symbol) > moment) return true;
  const last = moment + Number(ENTRY_WINDOW_MS);
  return head.at > last && hasPassed(last, choice, now);
}

/**
 * Returns whether a moment is over by this device's own clock as well. The house dates its heads, and could date one far
 * ahead to have an order opened. Only the time since the order was placed is compared, so that a clock that is wrong does
 * no harm, nor one that was put back since.
 */
function hasPassed(moment: number, { acceptedAt, placedAt }: Placed, now: number): boolean {
  if (placedAt === undefined || now < placedAt) return true;
  return now - placedAt >= moment - acceptedAt;
}
