import type { StreamMessage } from "@fairtick/protocol";

type Ticks = Extract<StreamMessage, { t: "ticks" }>;

/** A signed head as the stream brought it, with the time of the newest price that came with it. */
export interface SeenHead {
  readonly slot: number;
  /** 32 bytes in hexadecimal. */
  readonly hash: string;
  /** ms, by the server's clock. */
  readonly at: number;
  /** Base 64, and the id of the key that made it; null where the house signs nothing. */
  readonly signature: string | null;
  readonly key: string | null;
}

let newest: SeenHead | null = null;
const watchers = new Set<() => void>();

/** Takes the head of a frame of prices. One that is older than the newest is left. */
export function takeHead({ head, d }: Ticks): void {
  if (head === undefined || (newest !== null && head.k <= newest.slot)) return;
  const at = d.reduce((latest, [, , time]) => Math.max(latest, time), newest?.at ?? 0);
  newest = { slot: head.k, hash: head.hash, at, signature: head.signature, key: head.key ?? null };
  for (const watcher of watchers) watcher();
}

/** Called with each newer head. */
export function watchHeads(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The newest head that this page holds; null before the first one. */
export function newestHead(): SeenHead | null {
  return newest;
}

/** The newest head, waited for up to `ms` where there is none yet; null where none comes. */
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
