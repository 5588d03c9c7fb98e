import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { serverNow } from "../shared/server-clock.ts";
import { fetchTrail, type TrailPoint } from "./candles.ts";
import { onReconnected } from "./connection.ts";
import { prices } from "./prices.ts";

/** Points nearer than this are one: fewer than the pixels of any phone. */
const GRAIN_MS = 200;

/** The price's way over the last `spanMs` (or from a fixed instant), fed by calls for the past and ticks for the rest. */
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

  /** Lays the past under what has come since. */
  takePast(past: readonly TrailPoint[]): void {
    const end = past.at(-1)?.at ?? -Infinity;
    this.#set([...past, ...this.#points.filter(({ at }) => at > end)]);
  }

  #set(points: readonly TrailPoint[]): void {
    const start = this.#start();
    let last = -Infinity;
    // The newest point always stays; of the others, those a grain apart.
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
 * The price's way, oldest first. `spanMs`: the last so many ms, moving along. `from`: from that instant on.
 * With `to` it is over and read once. A past that did not come is said once and asked for again, as with any query.
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
  // What the stream did not bring while it was away.
  useEffect(() => (isOver ? undefined : onReconnected(() => void refetch())), [refetch, isOver]);
  return useSyncExternalStore(trail.subscribe, trail.points);
}
