import type { StreamMessage } from "@fairtick/protocol";

type Ticks = Extract<StreamMessage, { t: "ticks" }>;

/** A signed head from the stream, with the time of the newest price that came with it. */
export interface SeenHead {
  readonly slot: number;
  /** 32 bytes in hexadecimal. */
  readonly hash: string;
  /** ms, by the server's clock. */
  readonly at: number;
  /** In base 64, with the id of the key; null if the house doesn't sign heads. */
  readonly signature: string | null;
  readonly key: string | null;
}

let newest: SeenHead | null = null;
/** The newest head that came with a price of each symbol, and when that price was, ms by the server's clock. */
const priced = new Map<string, { readonly head: SeenHead; readonly at: number }>();
const watchers = new Set<() => void>();

/** Stores the head that came with prices, unless the known one is newer. */
export function takeHead({ head, d }: Ticks): void {
  if (head === undefined || (newest !== null && head.k <= newest.slot)) return;
  const at = d.reduce((latest, [, , time]) => Math.max(latest, time), newest?.at ?? 0);
  newest = { slot: head.k, hash: head.hash, at, signature: head.signature, key: head.key ?? null };
  for (const [symbol, , time] of d) priced.set(symbol, { head: newest, at: Math.max(time, fixedPriceAt(symbol)) });
  for (const watcher of watchers) watcher();
}

/** Calls `watcher` with each newer head. Returns a function that stops it. */
export function watchHeads(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Returns the newest head on this page; null before the first one. */
export function newestHead(): SeenHead | null {
  return newest;
}

/** Returns the time of the newest price of a symbol that a head has fixed, ms by the server's clock; 0 before the first one. */
export function fixedPriceAt(symbol: string): number {
  return priced.get(symbol)?.at ?? 0;
}

/** Returns the newest head that came with a price of this symbol, with that price's time; null before the first one. */
export function newestHeadWith(symbol: string): SeenHead | null {
  const found = priced.get(symbol);
  return found === undefined ? null : { ...found.head, at: found.at };
}

/** Returns the newest head, waiting up to `ms` for the first one; null if none comes. */
export async function awaitHead(ms: number): Promise<SeenHead | null> {
  if (newest !== null) return newest;
  return new Promise((resolve) => {
    const stop = watchHeads(() => {
      stop();
      clearTimeout(timer);
      resolve(newest);
    });
    const timer = setTimeout(() => {
      stop();
      resolve(null);
    }, ms);
  });
}
