import type { Clock } from "@fairtick/domain";
import * as v from "valibot";
import type { Log } from "../../../platform/log.ts";
import type { Feed, FeedListener } from "./feed.ts";
import { parseJsonKeepingNumbers } from "./json-numbers.ts";
import { type LastingSocket, openLastingSocket } from "./lasting-socket.ts";
import { createUpdateCount, type UpdateCount } from "./update-count.ts";

export interface BinanceFeedParts {
  /** `wss://data-stream.binance.vision/ws`, or another server with the same protocol. */
  readonly url: string;
  /** Binance's name → our symbol: `BTCUSDT` → `BTCUSD`. */
  readonly pairs: ReadonlyMap<string, string>;
  readonly log: Log;
  readonly clock: Clock;
  /** How long a refused subscription waits until it is asked for again, in ms; 30 s by default. */
  readonly askAgainMs?: number;
}

const NAME = "binance";
/** There are no heartbeats, but all pairs together send something many times a second. */
const SILENCE_MS_MAX = 6_000;
/** Reconnect at most this often. A shutdown is announced minutes ahead, and the next server may announce one as well. */
const RENEW_EVERY_MS = 60_000;

const book = v.object({
  u: v.pipe(
    v.string(),
    v.regex(/^[0-9]{1,18}$/),
    v.transform((digits) => BigInt(digits)),
  ),
  s: v.string(),
  b: v.string(),
  a: v.string(),
});
const shutdown = v.object({ e: v.literal("serverShutdown") });
const done = v.object({ result: v.null(), id: v.string() });
const refusal = v.union([
  v.object({ error: v.object({ code: v.string(), msg: v.string() }) }),
  v.object({ code: v.string(), msg: v.string() }),
]);
const message = v.union([book, shutdown, done, refusal]);

function subscribeTo(pairs: readonly string[]): object {
  return { method: "SUBSCRIBE", params: pairs.map((pair) => `${pair.toLowerCase()}@bookTicker`), id: 1 };
}

/** Creates a feed of Binance's market streams: each pair's best bid and ask when they change, ordered by the book's update id. */
export function createBinanceFeed(parts: BinanceFeedParts): Feed {
  const { url, pairs, log, clock, askAgainMs } = parts;
  const subscription = subscribeTo([...pairs.keys()]);
  let socket: LastingSocket | undefined;
  let counts = new Map<string, UpdateCount>();
  let renewedAt: number | null = null;

  function countOf(pair: string): UpdateCount {
    const count = counts.get(pair) ?? createUpdateCount();
    counts.set(pair, count);
    return count;
  }

  function renew(): void {
    const now = clock.elapsedMs();
    if (renewedAt !== null && now - renewedAt < RENEW_EVERY_MS) return;
    renewedAt = now;
    log.info({ feed: NAME }, "the source will shut down; reconnecting");
    socket?.renew();
  }

  function read(text: string, listener: FeedListener): void {
    const said = v.safeParse(message, parseJsonKeepingNumbers(text));
    if (!said.success) {
      listener.malformed();
      return;
    }
    const { output } = said;
    if ("u" in output) {
      const symbol = pairs.get(output.s);
      // A pair that was not subscribed might have the same name as one of our instruments.
      if (symbol === undefined) listener.refused("unknownInstrument");
      else {
        const order = countOf(output.s).orderOf(output.u, clock.elapsedMs());
        listener.quote({ symbol, bid: output.b, ask: output.a, order });
      }
    } else if ("e" in output) renew();
    else if ("error" in output) askAgain(output.error.msg);
    else if ("msg" in output) askAgain(output.msg);
  }

  function askAgain(error: string): void {
    log.error({ feed: NAME, error }, "the source refused a subscription; asking again later");
    socket?.askAgain("all", subscription);
  }

  return {
    name: NAME,
    start(listener) {
      counts = new Map();
      socket = openLastingSocket({
        url,
        name: NAME,
        log,
        silenceMsMax: SILENCE_MS_MAX,
        askAgainMs,
        greetings: [subscription],
        onText: (text) => read(text, listener),
      });
    },
    stop: async () => socket?.stop(),
  };
}
