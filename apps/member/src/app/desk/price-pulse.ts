import { useEffect, useState } from "react";
import { prices } from "../../data/prices.ts";
import { serverNow } from "../../shared/server-clock.ts";

const WINDOW_MS = 5_000;
const EVERY_MS = 1_000;

/** How a product's prices arrive, measured on this device. */
export interface PricePulse {
  /** Ticks a second over the last five seconds, with one decimal. */
  readonly rate: number;
  /** Median time from a tick's own time to its arrival here over those seconds, in ms. */
  readonly delayMs: number;
}

/** The pulse of a product's stream, updated once a second; null while nothing arrives. */
export function usePricePulse(symbol: string): PricePulse | null {
  const [pulse, setPulse] = useState<PricePulse | null>(null);
  useEffect(() => {
    let seen: { readonly cameAt: number; readonly delayMs: number }[] = [];
    const startedAt = serverNow();
    const stop = prices.onTick(symbol, ({ at }) => {
      const cameAt = serverNow();
      seen.push({ cameAt, delayMs: Math.max(0, cameAt - at) });
    });
    const timer = setInterval(() => {
      const now = serverNow();
      seen = seen.filter(({ cameAt }) => cameAt > now - WINDOW_MS);
      const delays = seen.map(({ delayMs }) => delayMs).toSorted((one, other) => one - other);
      const middle = delays[Math.floor(delays.length / 2)];
      const seconds = Math.min(WINDOW_MS, now - startedAt) / 1000;
      setPulse(middle === undefined ? null : { rate: Math.round((seen.length / seconds) * 10) / 10, delayMs: middle });
    }, EVERY_MS);
    return () => {
      stop();
      clearInterval(timer);
      setPulse(null);
    };
  }, [symbol]);
  return pulse;
}
