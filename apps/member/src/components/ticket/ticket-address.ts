import { useEffect, useState } from "react";
import type { TicketTerms } from "../../data/kept-terms.ts";
import { navigate, useSearch, useShownPath, type Path, type Search } from "../../shared/navigation.tsx";
import type { OrderTicket } from "./order-ticket.ts";

/** What a ticket opens with when an address leads back to it. */
export interface AddressedStart {
  readonly direction: "up" | "down" | null;
  readonly terms: Partial<TicketTerms>;
}

const PLAIN_AMOUNT = /^[0-9]{1,12}(?:\.[0-9]{1,2})?$/;
const SECONDS = /^[0-9]{1,6}$/;

/**
 * Returns a ticket as query parameters of the address that leads back to it, from the login, from setting a transaction
 * password or from an order's result. Values that can't be ordered are left out.
 *
 * @param ticket the ticket or an earlier order, with plain decimals
 */
export function ticketSearch(
  symbol: string,
  { direction, stake, duration }: Pick<OrderTicket, "direction" | "stake" | "duration">,
): Search {
  return {
    symbol,
    ...(direction !== null && { direction }),
    ...(PLAIN_AMOUNT.test(stake) && { stake }),
    ...(duration !== null && { duration: String(duration) }),
  };
}

/** Reads a ticket from an address, which anybody may have written. Invalid values are left out. */
export function ticketStart({ direction, stake = "", duration = "" }: Search): AddressedStart {
  return {
    direction: direction === "up" || direction === "down" ? direction : null,
    terms: {
      ...(PLAIN_AMOUNT.test(stake) && { stake }),
      ...(SECONDS.test(duration) && { durationSeconds: Number(duration) }),
    },
  };
}

/**
 * Reads the ticket from the address when its screen opens, and removes stake and duration from the address, so that a
 * reload or coming back doesn't overwrite what the member types from then on.
 *
 * @param takesDirection whether the direction is read and removed as well, for tickets that open their confirmation with
 *   it. A direction without stake and duration is ignored there, since it wasn't chosen on a ticket.
 */
export function useTicketStart({ takesDirection = false }: { readonly takesDirection?: boolean } = {}): AddressedStart {
  const search = useSearch();
  const path = useShownPath();
  const { stake, duration, direction, ...rest } = search;
  const isUsed = stake !== undefined || duration !== undefined;
  const [start] = useState((): AddressedStart => {
    const said = ticketStart(search);
    return takesDirection && !isUsed ? { ...said, direction: null } : said;
  });
  useEffect(() => {
    if (!isUsed) return;
    navigate({ to: path as Path, search: { ...rest, ...(!takesDirection && { direction }) }, replace: true });
    // Runs once, when the screen has opened.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return start;
}
