import type { Instrument, marketInstruments } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { keys, queryClient } from "./queries.ts";
import { prices } from "./prices.ts";
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

const INSTRUMENTS = { queryKey: keys.instruments, queryFn: fetchInstruments, staleTime: 30_000 };

/** Asks for the instruments before any screen does: nearly each shows them, and a slow phone is busy drawing for a while. */
export function askInstrumentsEarly(): void {
  void queryClient.prefetchQuery(INSTRUMENTS);
}

/** All instruments with terms, hours and the day's course. Live prices come from `usePrice`. */
export function useInstruments(): UseQueryResult<Instrument[]> {
  return useQuery({ ...INSTRUMENTS, refetchInterval: 60_000 });
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

/** Which way a change goes. */
export function directionOf(change: number): "up" | "down" | "flat" {
  if (change > 0) return "up";
  return change < 0 ? "down" : "flat";
}

export async function refreshInstruments(): Promise<void> {
  await queryClient.refetchQueries({ queryKey: keys.instruments });
}
