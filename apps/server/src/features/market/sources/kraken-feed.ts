import type { Clock } from "@fairtick/domain";
import * as v from "valibot";
import type { Log } from "../../../platform/log.ts";
import type { Feed, FeedListener } from "./feed.ts";
import { parseJsonKeepingNumbers } from "./json-numbers.ts";
import { openLastingSocket } from "./lasting-socket.ts";

export interface KrakenFeedParts {
  /** `wss://ws.kraken.com/v2`, or another server with the same protocol. */
  readonly url: string;
  /** Kraken's name → our symbol: `BTC/USD` → `BTCUSD`. */
  readonly pairs: ReadonlyMap<string, string>;
  readonly log: Log;
  readonly clock: Clock;
  readonly name?: string;
}

/** Kraken sends a heartbeat each second if it has nothing else to send. */
const SILENCE_MS_MAX = 4_000;
/** While bid and ask are this fresh, trades add nothing: they happen at one or the other. */
const TICKER_FRESH_MS = 2_000;
/** Quotes with a time further ahead are refused. Otherwise all honest ones after them would count as out of order. */
const AHEAD_MS_MAX = 5_000n;

const ticker = v.object({
  symbol: v.string(),
  bid: v.string(),
  ask: v.string(),
  timestamp: v.optional(v.string()),
});
const trade = v.object({ symbol: v.string(), price: v.string(), timestamp: v.string() });
const message = v.variant("channel", [
  v.object({ channel: v.literal("ticker"), type: v.string(), data: v.array(ticker) }),
  v.object({ channel: v.literal("trade"), type: v.string(), data: v.array(trade) }),
  v.object({ channel: v.picklist(["heartbeat", "status"]) }),
]);
type Ticker = v.InferOutput<typeof ticker>;
type Trade = v.InferOutput<typeof trade>;
const reply = v.object({ method: v.string(), success: v.optional(v.boolean()), error: v.optional(v.string()) });

/** Creates a feed of Kraken's WebSocket API v2: best bid and ask from `ticker`, and trades while these aren't fresh. */
export function createKrakenFeed(parts: KrakenFeedParts): Feed {
  return new KrakenFeed(parts);
}

class KrakenFeed implements Feed {
  readonly name: string;
  readonly #parts: KrakenFeedParts;
  #socket: { stop(): Promise<void> } | undefined;
  /** When each pair's bid and ask last came, in ms of elapsed time. */
  #tickerAt = new Map<string, number>();

  constructor(parts: KrakenFeedParts) {
    this.#parts = parts;
    this.name = parts.name ?? "kraken";
  }

  start(listener: FeedListener): void {
    const { url, pairs, log } = this.#parts;
    const symbol = [...pairs.keys()];
    this.#tickerAt = new Map();
    this.#socket = openLastingSocket({
      url,
      name: this.name,
      log,
      silenceMsMax: SILENCE_MS_MAX,
      greetings: [
        { method: "subscribe", params: { channel: "ticker", symbol, event_trigger: "bbo", snapshot: true } },
        { method: "subscribe", params: { channel: "trade", symbol, snapshot: false } },
      ],
      onText: (text) => {
        this.#read(text, listener);
      },
    });
  }

  async stop(): Promise<void> {
    await this.#socket?.stop();
  }

  #read(text: string, listener: FeedListener): void {
    const json = parseJsonKeepingNumbers(text);
    const said = v.safeParse(message, json);
    if (!said.success) this.#readReply(json, listener);
    else if (said.output.channel === "ticker") this.#readTickers(said.output.data, listener);
    else if (said.output.channel === "trade") this.#readTrades(said.output.data, listener);
  }

  /** Reads the answer to a subscription. */
  #readReply(json: unknown, listener: FeedListener): void {
    const answer = v.safeParse(reply, json);
    if (!answer.success) listener.malformed();
    else if (answer.output.success === false) {
      this.#parts.log.error({ feed: this.name, error: answer.output.error }, "the source refused a subscription");
    }
  }

  #readTickers(tickers: readonly Ticker[], listener: FeedListener): void {
    const { pairs, clock } = this.#parts;
    for (const { symbol: pair, bid, ask, timestamp } of tickers) {
      const order = timestamp === undefined ? null : microseconds(timestamp);
      if (this.#isAhead(order)) {
        listener.malformed();
        continue;
      }
      this.#tickerAt.set(pair, clock.elapsedMs());
      listener.quote({ symbol: pairs.get(pair) ?? pair, bid, ask, order });
    }
  }

  #readTrades(trades: readonly Trade[], listener: FeedListener): void {
    const { pairs, clock } = this.#parts;
    for (const { symbol: pair, price, timestamp } of trades) {
      const order = microseconds(timestamp);
      if (clock.elapsedMs() - (this.#tickerAt.get(pair) ?? -TICKER_FRESH_MS) < TICKER_FRESH_MS) continue;
      if (this.#isAhead(order)) listener.malformed();
      else listener.quote({ symbol: pairs.get(pair) ?? pair, last: price, order });
    }
  }

  #isAhead(order: bigint | null): boolean {
    return order !== null && order > (this.#parts.clock.now() + AHEAD_MS_MAX) * 1_000n;
  }
}

/** Parses `2026-11-21T03:00:00.123456Z` into microseconds since 1970; null for anything else. */
function microseconds(text: string): bigint | null {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(text);
  const seconds = Date.parse(`${parts?.[1] ?? ""}Z`);
  if (!parts || Number.isNaN(seconds)) return null;
  return BigInt(seconds) * 1_000n + BigInt((parts[2] ?? "").padEnd(6, "0").slice(0, 6));
}
