import type { Candle, Instrument } from "@fairtick/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchCandles } from "../../data/candles.ts";
import { prices } from "../../data/prices.ts";
import { serverNow } from "../../shared/server-clock.ts";

const DAY_MS = 86_400_000;
const FRESH_MS = 60_000;

/** The highest and lowest price of a day, as decimal text. */
export interface DayRange {
  readonly high: string;
  readonly low: string;
}

/** Today's highest and lowest price since 00:00 UTC; null before it is loaded or on a day without a price. */
export function useDayRange({ symbol }: Pick<Instrument, "symbol">): DayRange | null {
  const { data: candle } = useQuery({
    queryKey: ["dayRange", symbol],
    queryFn: async () => (await fetchCandles(symbol, "1d", { limit: 1 })).at(-1) ?? null,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    meta: { quiet: true },
  });
  const isToday = candle !== undefined && candle !== null && candle[0] + DAY_MS > serverNow();
  const base = isToday ? candle : null;
  // Ticks that have come since it was loaded.
  const [since, setSince] = useState<{ readonly base: Candle; readonly range: DayRange } | null>(null);
  useEffect(() => {
    if (base === null) return undefined;
    return prices.onTick(symbol, ({ price }) => {
      setSince((known) => {
        const range = known?.base === base ? known.range : rangeOf(base);
        const next = widened(range, price);
        return next === known?.range ? known : { base, range: next };
      });
    });
  }, [base, symbol]);
  if (base === null) return null;
  return since?.base === base ? since.range : rangeOf(base);
}

function rangeOf([, , high, low]: Candle): DayRange {
  return { high, low };
}

function widened(range: DayRange, price: string): DayRange {
  if (Number(price) > Number(range.high)) return { ...range, high: price };
  return Number(price) < Number(range.low) ? { ...range, low: price } : range;
}
