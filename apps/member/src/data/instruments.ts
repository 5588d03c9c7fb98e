import type { Instrument, marketFavourites, marketInstruments, marketSetFavourite } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { reportFailure } from "./failures.ts";
import { keys, queryClient } from "./queries.ts";
import { prices } from "./prices.ts";
import { sessionToken, useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

/** Hands the price that came with an instrument to the price store. */
function takePrice(instrument: Instrument): void {
  const { symbol, price, priceAt, seq } = instrument;
  if (price !== null && priceAt !== null && seq !== null) prices.take(symbol, { price, at: priceAt, seq });
}

async function fetchInstruments(): Promise<Instrument[]> {
  const instruments = await ask<typeof marketInstruments>("market/instruments", {});
  for (const instrument of instruments) takePrice(instrument);
  return instruments;
}

/** All instruments with terms, hours and the day's course. Live prices come from `usePrice`. */
export function useInstruments(): UseQueryResult<Instrument[]> {
  return useQuery({
    queryKey: keys.instruments,
    queryFn: fetchInstruments,
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
}

/** One instrument by symbol; undefined until known, or unknown. */
export function useInstrument(symbol: string): Instrument | undefined {
  return useInstruments().data?.find((instrument) => instrument.symbol === symbol);
}

/** Takes an instrument that the stream brought: opened, closed, suspended, new terms. */
export function takeInstrument(instrument: Instrument): void {
  takePrice(instrument);
  queryClient.setQueryData<Instrument[]>(keys.instruments, (known) =>
    known?.map((other) => (other.symbol === instrument.symbol ? instrument : other)),
  );
}

/** Today's change as a rate, from the day's opening price and the live one; null where either is unknown. */
export function changeToday(instrument: Instrument, livePrice: string | undefined): number | null {
  const price = livePrice ?? instrument.price;
  const open = Number(instrument.dayOpen);
  if (price === null || instrument.dayOpen === null || !(open > 0)) {
    return instrument.changeToday === null ? null : Number(instrument.changeToday);
  }
  return Number(price) / open - 1;
}

/** Symbols that the member marked; empty for a visitor. */
export function useFavourites(): readonly string[] {
  const loggedIn = useLoggedIn();
  const query = useQuery({
    queryKey: keys.favourites,
    queryFn: () => ask<typeof marketFavourites>("market/favourites", {}),
    enabled: loggedIn,
    staleTime: 5 * 60_000,
  });
  return query.data ?? [];
}

/** The others stay as they are: they may have been marked since. */
function mark(symbol: string, on: boolean): void {
  queryClient.setQueryData<string[]>(keys.favourites, (known = []) => {
    const others = known.filter((other) => other !== symbol);
    return on ? [...others, symbol] : others;
  });
}

/** A mark that is shown already and not yet answered; whose it is, too. */
interface Wish {
  readonly on: boolean;
  readonly token: string | null;
}
const wishes = new Map<string, Wish>();
/** One call after another: answers are whole lists, and an older one must not come last. */
let line: Promise<void> = Promise.resolve();

/**
 * Marks an instrument at once; taken back if the server refuses. Of wishes that come faster than their answers the last
 * one counts, and those that it has overtaken are not sent.
 */
export function setFavourite(symbol: string, on: boolean): Promise<void> {
  mark(symbol, on);
  wishes.set(symbol, { on, token: sessionToken() });
  line = line.catch(() => undefined).then(() => sendWish(symbol));
  return line;
}

async function sendWish(symbol: string): Promise<void> {
  const wish = wishes.get(symbol);
  if (wish === undefined) return;
  const { on, token } = wish;
  const isLast = () => wishes.get(symbol) === wish;
  const holds = () => token === sessionToken();
  try {
    const now = holds() ? await ask<typeof marketSetFavourite>("market/setFavourite", { symbol, on }) : null;
    if (now !== null && holds()) queryClient.setQueryData(keys.favourites, now);
  } catch (error) {
    if (isLast() && holds()) mark(symbol, !on);
    reportFailure(error);
  } finally {
    if (isLast()) wishes.delete(symbol);
    for (const [other, later] of wishes) if (later.token === sessionToken()) mark(other, later.on);
  }
}

export async function refreshInstruments(): Promise<void> {
  await queryClient.refetchQueries({ queryKey: keys.instruments });
}
