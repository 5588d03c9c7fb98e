import type { Instrument } from "@fairtick/protocol";
import { useEffect, useState } from "react";
import { useMember, useSummary } from "../../data/account.ts";
import { keepTerms, keptTerms, type TicketTerms } from "../../data/kept-terms.ts";
import { usePrice } from "../../data/prices.ts";
import { useWallet } from "../../data/wallet.ts";
import { decimalSign, typedDecimal } from "../../shared/format.ts";
import { useServerNow } from "../../shared/server-clock.ts";
import { continuedTerms, forgetContinued } from "./continued-terms.ts";
import {
  calculateSummary,
  getErrors,
  type OrderTicket,
  type TicketError,
  type TicketMarket,
  type TicketSummary,
} from "./order-ticket.ts";
import { plainAmount, priceNear } from "../../shared/typed-decimal.ts";

const USUAL_SECONDS = 60;
const FIRST_STAKE = "100.00";

export interface Ticket {
  /** As shown in the fields. */
  readonly ticket: OrderTicket;
  /** The same with plain decimals, whatever the language's decimal separator. */
  readonly plain: OrderTicket;
  readonly change: (change: Partial<OrderTicket>) => void;
  readonly market: TicketMarket;
  readonly summary: TicketSummary;
  readonly errors: readonly TicketError[];
}

/** What a ticket opens with. */
export interface TicketStart {
  readonly direction: "up" | "down" | null;
  /** For tickets that members return to: opens with the stake and duration of the last such ticket. */
  readonly keepsTerms?: boolean;
  /** Opens with these, whatever other screens left. */
  readonly terms?: Partial<TicketTerms>;
}

/** The ticket as typed, with what it is checked against and what follows from both. */
export function useTicket(instrument: Instrument, { direction, keepsTerms = false, ...start }: TicketStart): Ticket {
  const wallet = useWallet();
  const summary = useSummary(wallet).data;
  const member = useMember().data;
  const live = usePrice(instrument.symbol);
  const now = useServerNow(500);
  const [ticket, setTicket] = useState<OrderTicket>(() => {
    const terms = { ...(continuedTerms() ?? (keepsTerms ? keptTerms() : null)), ...start.terms };
    return {
      direction,
      stake: typedDecimal(terms.stake ?? FIRST_STAKE),
      duration: usualDuration(instrument, terms.durationSeconds ?? USUAL_SECONDS),
      limitOn: false,
      limitPrice: "",
    };
  });
  useEffect(forgetContinued, []);
  const market: TicketMarket = {
    instrument,
    price: live?.price ?? null,
    priceAt: live?.at ?? null,
    now,
    available: summary?.available ?? null,
    tradePasswordSet: member?.tradePasswordSet ?? null,
  };
  const plain = {
    ...ticket,
    stake: plainAmount(ticket.stake, decimalSign()),
    // Empty if it could mean two prices, so that the field asks again.
    limitPrice: priceNear(ticket.limitPrice, decimalSign(), instrument.decimals, market.price) ?? "",
  };
  const { stake } = plain;
  const { duration } = ticket;
  useEffect(() => {
    if (keepsTerms && duration !== null) keepTerms({ stake, durationSeconds: duration });
  }, [keepsTerms, stake, duration]);
  return {
    ticket,
    plain,
    change: (change) => {
      setTicket((before) => ({ ...before, ...change }));
    },
    market,
    summary: calculateSummary(plain, market),
    errors: getErrors(plain, market),
  };
}

/** Returns the wanted duration if it is offered, or else the first. */
function usualDuration({ durations }: Instrument, wanted: number): number | null {
  return (durations.find(({ seconds }) => seconds === wanted) ?? durations[0])?.seconds ?? null;
}
