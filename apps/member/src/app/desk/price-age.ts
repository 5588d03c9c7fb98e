import { LAST_TICK_AGE_MAX_MS } from "@fairtick/domain";
import type { Instrument } from "@fairtick/protocol";
import { usePrice } from "../../data/prices.ts";
import { useServerNow } from "../../shared/server-clock.ts";

/** Orders are refused if the last price is older than this. */
const AGE_MS_MAX = Number(LAST_TICK_AGE_MAX_MS);

export interface PriceAge {
  /** Whole seconds since the newest price; null before the first one. */
  readonly seconds: number | null;
  /** Whether an order would be accepted on it. */
  readonly isFresh: boolean;
}

/** The age of a product's newest price, by the server's clock. */
export function usePriceAge(instrument: Instrument): PriceAge {
  const at = usePrice(instrument.symbol)?.at ?? instrument.priceAt;
  const now = useServerNow(500);
  const age = at === null ? null : Math.max(0, now - at);
  return { seconds: age === null ? null : Math.round(age / 1000), isFresh: age !== null && age <= AGE_MS_MAX };
}
