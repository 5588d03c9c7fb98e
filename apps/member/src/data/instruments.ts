import type { Instrument, marketInstruments } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { askAgainIfAsking, keys, queryClient } from "./queries.ts";
import { prices } from "./prices.ts";
import { ask } from "./transport.ts";

/** Passes the price that came with an instrument to the price store. */
function takePrice(instrument: Instrument): void {
  const { symbol, price, priceAt, seq } = instrument;
  if (price !== null && priceAt !== null && seq !== null) prices.take(symbol, { price, at: priceAt, seq });
}

async function fetchInstruments(): Promise<Instrument[]> {
  const instruments = await ask<typeof marketInstruments>("market/instruments", {});
  for (const instrument of instruments) takePrice(instrument);
  return instruments;
}

const INSTRUMENTS = { queryKey: keys.instruments, queryFn: fetchInstruments, staleTime: 30_000 };

/**
 * Fetches the instruments before any screen does: almost every screen shows them, and a slow phone spends a while
 * drawing first.
 */
export function askInstrumentsEarly(): void {
  void queryClient.prefetchQuery(INSTRUMENTS);
}

/** Returns the instruments as soon as they are known, for code that runs before any screen. */
export function firstInstruments(): Promise<Instrument[]> {
  return queryClient.ensureQueryData(INSTRUMENTS);
}

/** All instruments with their terms, hours and today's prices. Live prices come from `usePrice`. */
export function useInstruments(): UseQueryResult<Instrument[]> {
  return useQuery({ ...INSTRUMENTS, refetchInterval: 60_000 });
}

/** One instrument by symbol; undefined until loaded, or if there is none. */
export function useInstrument(symbol: string): Instrument | undefined {
  return useInstruments().data?.find((instrument) => instrument.symbol === symbol);
}

/**
 * The instrument of a screen: the one in the address, or `firstOpen`. The latter stays while the screen does, because a
 * market that opens or closes must not put another product under the member's thumb.
 */
export function useShownInstrument(symbol: string | undefined): Instrument | undefined {
  const all = useInstruments().data;
  const [first, setFirst] = useState<string | null>(null);
  const found = all?.find((other) => other.symbol === (symbol || first)) ?? (symbol ? undefined : firstOpen(all));
  if (!symbol && found !== undefined && found.symbol !== first) setFirst(found.symbol);
  return found;
}

/**
 * Returns the instrument with which a screen opens that no address gives one: the first that takes orders now, since FX
 * is closed at the weekend; otherwise the first of all.
 */
export function firstOpen(all: readonly Instrument[] | undefined): Instrument | undefined {
  return all?.find(({ open, suspended }) => open && !suspended) ?? all?.[0];
}

/** Stores an instrument from the stream: opened, closed, suspended or with new terms. */
export function takeInstrument(instrument: Instrument): void {
  takePrice(instrument);
  queryClient.setQueryData<Instrument[]>(keys.instruments, (known) =>
    known?.map((other) => (other.symbol === instrument.symbol ? instrument : other)),
  );
  askAgainIfAsking(keys.instruments);
}

/** Returns today's change as a rate, from the day's opening price and the live one; null if either is unknown. */
export function changeToday(instrument: Instrument, livePrice: string | undefined): number | null {
  const price = livePrice ?? instrument.price;
  const open = Number(instrument.dayOpen);
  if (price === null || instrument.dayOpen === null || !(open > 0)) {
    return instrument.changeToday === null ? null : Number(instrument.changeToday);
  }
  return Number(price) / open - 1;
}

/** Returns the direction of a change. */
export function directionOf(change: number): "up" | "down" | "flat" {
  if (change > 0) return "up";
  return change < 0 ? "down" : "flat";
}

export async function refreshInstruments(): Promise<void> {
  await queryClient.refetchQueries({ queryKey: keys.instruments });
}
