import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { serverNow } from "../shared/server-clock.ts";
import { fetchTrail, type TrailPoint } from "./candles.ts";
import { onReconnected } from "./connection.ts";
import { prices } from "./prices.ts";

/** Points closer than this are merged; phones don't have the pixels to show them apart. */
const GRAIN_MS = 200;

/** The prices of the last `spanMs` (or since a fixed instant): calls load the past, ticks add to it. */
class PriceTrail {
  readonly #symbol: string;
  readonly #start: () => number;
  #points: readonly TrailPoint[] = [];
  #listeners = new Set<() => void>();
  #frame = 0;
  #pending: TrailPoint[] = [];

  constructor(symbol: string, start: () => number) {
    this.#symbol = symbol;
    this.#start = start;
  }

  points = () => this.#points;

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows the ticks until the returned function is called. */
  follow(): () => void {
    const stopTicks = prices.onTick(this.#symbol, ({ at, price }) => {
      this.#pending.push({ at, price: Number(price) });
      this.#frame ||= requestAnimationFrame(() => {
        this.#frame = 0;
        this.#set([...this.#points, ...this.#pending.splice(0)]);
      });
    });
    return () => {
      stopTicks();
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    };
  }

  /** Puts loaded history before the ticks that have come since. */
  takePast(past: readonly TrailPoint[]): void {
    const end = past.at(-1)?.at ?? -Infinity;
    this.#set([...past, ...this.#points.filter(({ at }) => at > end)]);
  }

  #set(points: readonly TrailPoint[]): void {
    const start = this.#start();
    let last = -Infinity;
    // Keep the newest point; thin out the others to one per grain.
    this.#points = points.filter(({ at }, place) => {
      if (at < start) return false;
      if (place < points.length - 1 && at - last < GRAIN_MS) return false;
      last = at;
      return true;
    });
    for (const listener of this.#listeners) listener();
  }
}

/**
 * Prices over time, oldest first. `spanMs`: the last so many milliseconds, moving with the clock. `from`: since that
 * instant. With `to` the span is over and is loaded once. A failed load is reported once and retried, like any query.
 */
export function usePriceTrail(
  symbol: string,
  span: { readonly spanMs: number } | { readonly from: number; readonly to?: number },
): readonly TrailPoint[] {
  const from = "from" in span ? span.from : null;
  const to = "from" in span ? span.to : undefined;
  const spanMs = "spanMs" in span ? span.spanMs : 0;
  const start = useMemo(() => () => from ?? serverNow() - spanMs, [from, spanMs]);
  const trail = useMemo(() => new PriceTrail(symbol, start), [symbol, start]);
  const isOver = to !== undefined;
  const { data: past, refetch } = useQuery({
    queryKey: ["trail", symbol, from, to, spanMs],
    queryFn: () => fetchTrail(symbol, Math.floor(start()), to),
    staleTime: isOver ? Infinity : 0,
    gcTime: 0,
    structuralSharing: false,
  });
  useEffect(() => {
    if (past !== undefined) trail.takePast(past);
  }, [trail, past]);
  useEffect(() => (isOver ? undefined : trail.follow()), [trail, isOver]);
  // Loads what the stream missed while it was down.
  useEffect(() => (isOver ? undefined : onReconnected(() => void refetch())), [refetch, isOver]);
  return useSyncExternalStore(trail.subscribe, trail.points);
}
