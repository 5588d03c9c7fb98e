import type { Instrument } from "@fairtick/protocol";
import { useServerNow } from "../shared/server-clock.ts";
import { usePrice, type Pace } from "./prices.ts";

/** Age from which a price is shown as stale. Acceptance is stricter and refuses above 2 s. */
const STALE_MS = 5_000;

export interface PriceState {
  /** Decimal text, or null before the first tick. */
  readonly price: string | null;
  /** When the newest tick came, if that is too long ago and the instrument is open; otherwise null. */
  readonly staleSince: number | null;
}

/** The live price and whether it is stale. The old price of a closed instrument isn't stale. */
export function usePriceState(instrument: Instrument, pace: Pace = "list"): PriceState {
  const live = usePrice(instrument.symbol, pace);
  const now = useServerNow(1_000);
  const at = live?.at ?? instrument.priceAt;
  const due = instrument.open && !instrument.suspended;
  return {
    price: live?.price ?? instrument.price,
    staleSince: due && at !== null && now - at > STALE_MS ? at : null,
  };
}
