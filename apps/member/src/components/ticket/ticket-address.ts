import { useEffect, useState } from "react";
import { navigate, useSearch, useShownPath, type Path, type Search } from "../../shared/navigation.tsx";
import type { ContinuedTerms } from "./continued-terms.ts";
import type { OrderTicket } from "./order-ticket.ts";

/** What a ticket opens with that is come back to by an address. */
export interface AddressedStart {
  readonly direction: "up" | "down" | null;
  readonly terms: Partial<ContinuedTerms>;
}

const PLAIN_AMOUNT = /^[0-9]{1,12}(?:\.[0-9]{1,2})?$/;
const SECONDS = /^[0-9]{1,6}$/;

/**
 * A ticket as a part of the address that leads back to it: from the login, or from setting a transaction password. What nobody
 * could order is left out.
 *
 * @param ticket with plain decimals
 */
export function ticketSearch(symbol: string, { direction, stake, duration }: OrderTicket): Search {
  return {
    symbol,
    ...(direction !== null && { direction }),
    ...(PLAIN_AMOUNT.test(stake) && { stake }),
    ...(duration !== null && { duration: String(duration) }),
  };
}

/** What an address says of a ticket; anybody may have written it. */
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
 * What the address says of the ticket when its screen opens. Stake and duration leave the address then: what is typed from now on
 * is not to be undone by coming back or by a reload.
 *
 * @param takesDirection whether the direction belongs to it, and leaves with it: where it stands in the ticket's confirmation.
 *   One that came without stake and duration chose nothing there.
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
    // Once, when the screen has opened.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return start;
}
