import { createStream } from "@fairtick/client";
import { waitUntil } from "@fairtick/testkit";

/** A signed head from the stream, with the time of the newest price in the same frame. */
export interface Head {
  readonly slot: number;
  /** 32 bytes in hexadecimal. */
  readonly hash: string;
  /** ms. */
  readonly at: number;
}

export interface Heads {
  /** Returns the newest head. */
  newest(): Head;
  close(): void;
}

/** Listens to the house's prices as the app does and waits for the first head. */
export async function watchHeads(base: string, symbol: string): Promise<Heads> {
  let newest: Head | null = null;
  const stream = createStream({
    url: `${base.replace("http", "ws")}/client/stream`,
    token: () => null,
    onMessage(message) {
      if (message.t !== "ticks" || message.head === undefined) return;
      const at = message.d.reduce((latest, [, , time]) => Math.max(latest, time), newest?.at ?? 0);
      if (newest === null || message.head.k > newest.slot)
        newest = { slot: message.head.k, hash: message.head.hash, at };
    },
    onGap: () => undefined,
    onConnected: () => undefined,
    onSessionEnd: () => undefined,
  });
  stream.subscribe([`tick:${symbol}`]);
  await waitUntil("a signed head of prices", () => newest !== null, 60_000);
  return {
    newest() {
      if (newest === null) throw new Error("no head came");
      return newest;
    },
    close: () => stream.close(),
  };
}
