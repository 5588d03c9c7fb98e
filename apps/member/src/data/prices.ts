import { useSyncExternalStore } from "react";

/** The newest tick of an instrument. `price` is decimal text with the instrument's places. */
export interface LivePrice {
  readonly seq: number;
  /** The tick's own time, ms since 1970. */
  readonly at: number;
  readonly price: string;
}

/** How often prices are redrawn: lists four times a second, a chart or a large price with each frame. */
export type Pace = "list" | "frame";

const PACES: readonly Pace[] = ["list", "frame"];

const LIST_FLUSH_MS = 250;
/** Redraw interval while a finger moves a chart. The chart's own price still updates with each tick. */
const HELD_FLUSH_MS = 1_000;

type Listener = () => void;

/**
 * Live prices by instrument. A tick redraws only the cells of its own instrument, and lists are flushed together, so
 * twelve instruments at twenty ticks a second cost four small redraws.
 */
export class PriceStore {
  readonly #newest = new Map<string, LivePrice>();
  readonly #shown = { list: new Map<string, LivePrice>(), frame: new Map<string, LivePrice>() };
  readonly #listeners = { list: new Map<string, Set<Listener>>(), frame: new Map<string, Set<Listener>>() };
  readonly #due = { list: new Set<string>(), frame: new Set<string>() };
  /** Cancels a pace's next redraw; null while there is none. */
  readonly #scheduled: Record<Pace, (() => void) | null> = { list: null, frame: null };
  readonly #tickListeners = new Map<string, Set<(price: LivePrice) => void>>();
  #holds = 0;

  /** Stores a tick. One that isn't newer is ignored, because calls and the stream overlap. */
  take(symbol: string, price: LivePrice): void {
    const known = this.#newest.get(symbol);
    if (known && known.seq >= price.seq) return;
    this.#newest.set(symbol, price);
    for (const listener of this.#tickListeners.get(symbol) ?? []) listener(price);
    this.#mark("list", symbol);
    this.#mark("frame", symbol);
  }

  /** Returns the newest tick without waiting for a flush (for rules and charts, not for rendering). */
  newest(symbol: string): LivePrice | undefined {
    return this.#newest.get(symbol);
  }

  /** Calls `listener` with every tick, without waiting for a flush. Returns a function that stops it. */
  onTick(symbol: string, listener: (price: LivePrice) => void): () => void {
    const listeners = this.#tickListeners.get(symbol) ?? new Set();
    this.#tickListeners.set(symbol, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  shown(symbol: string, pace: Pace): LivePrice | undefined {
    const shown = this.#shown[pace];
    const price = shown.get(symbol);
    if (price) return price;
    const newest = this.#newest.get(symbol);
    if (newest) shown.set(symbol, newest);
    return newest;
  }

  subscribe(symbol: string, pace: Pace, listener: Listener): () => void {
    const listeners = this.#listeners[pace].get(symbol) ?? new Set();
    this.#listeners[pace].set(symbol, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /**
   * Limits redraws to one a second until the returned function is called, so that a gesture has a slow phone's frames
   * to itself.
   */
  hold(): () => void {
    this.#holds += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#holds > 0) return;
      for (const pace of PACES) {
        this.#scheduled[pace]?.();
        this.#flush(pace);
      }
    };
  }

  #mark(pace: Pace, symbol: string): void {
    this.#due[pace].add(symbol);
    if (this.#scheduled[pace] !== null) return;
    const flush = () => this.#flush(pace);
    if (pace === "frame" && this.#holds === 0) {
      const frame = requestAnimationFrame(flush);
      this.#scheduled[pace] = () => cancelAnimationFrame(frame);
    } else {
      const timer = setTimeout(flush, this.#holds > 0 ? HELD_FLUSH_MS : LIST_FLUSH_MS);
      this.#scheduled[pace] = () => clearTimeout(timer);
    }
  }

  #flush(pace: Pace): void {
    this.#scheduled[pace] = null;
    const due = [...this.#due[pace]];
    this.#due[pace].clear();
    for (const symbol of due) {
      const newest = this.#newest.get(symbol);
      if (newest) this.#shown[pace].set(symbol, newest);
      for (const listener of this.#listeners[pace].get(symbol) ?? []) listener();
    }
  }
}

export const prices = new PriceStore();

/** The instrument's price at the pace of a list (default) or of frames; undefined before the first tick. */
export function usePrice(symbol: string, pace: Pace = "list"): LivePrice | undefined {
  return useSyncExternalStore(
    (listener) => prices.subscribe(symbol, pace, listener),
    () => prices.shown(symbol, pace),
  );
}
