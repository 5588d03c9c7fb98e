import type { Clock } from "@fairtick/domain";
import * as v from "valibot";
import type { Log } from "../../../platform/log.ts";
import type { Feed, FeedListener, Rejection } from "./feed.ts";
import { parseJsonKeepingNumbers } from "./json-numbers.ts";
import { type LastingSocket, openLastingSocket } from "./lasting-socket.ts";

export interface KrakenFeedParts {
  /** `wss://ws.kraken.com/v2`, or another server with the same protocol. */
  readonly url: string;
  /** Kraken's name → our symbol: `BTC/USD` → `BTCUSD`. */
  readonly pairs: ReadonlyMap<string, string>;
  readonly log: Log;
  readonly clock: Clock;
  readonly name?: string;
  /** How long a refused subscription waits until it is asked for again, in ms; 30 s by default. */
  readonly askAgainMs?: number;
}

/** Kraken sends a heartbeat each second if it has nothing else to send. */
const SILENCE_MS_MAX = 4_000;
/** While bid and ask are this fresh, trades add nothing: they happen at one or the other. */
const TICKER_FRESH_MS = 2_000;
/** Quotes with a time further ahead are refused. Otherwise all honest ones after them would count as out of order. */
const AHEAD_MS_MAX = 5_000n;
/** A connection may lag and still deliver, so arrival alone proves nothing. Pyth's quotes have the same limit. */
const AGE_MS_MAX = 5_000n;

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
const reply = v.object({
  method: v.string(),
  success: v.optional(v.boolean()),
  error: v.optional(v.string()),
  symbol: v.optional(v.string()),
  req_id: v.optional(v.string()),
});

const CHANNELS = ["ticker", "trade"] as const;
type Channel = (typeof CHANNELS)[number];
/** Kraken repeats a request's number in its answers, which don't always name the channel. */
const NUMBERS: Readonly<Record<Channel, number>> = { ticker: 1, trade: 2 };

function subscription(channel: Channel, symbol: readonly string[]): object {
  const options = channel === "ticker" ? { event_trigger: "bbo", snapshot: true } : { snapshot: false };
  return { method: "subscribe", params: { channel, symbol, ...options }, req_id: NUMBERS[channel] };
}

/** Creates a feed of Kraken's WebSocket API v2: best bid and ask from `ticker`, and trades while these aren't fresh. */
export function createKrakenFeed(parts: KrakenFeedParts): Feed {
  return new KrakenFeed(parts);
}

class KrakenFeed implements Feed {
  readonly name: string;
  readonly #parts: KrakenFeedParts;
  #socket: LastingSocket | undefined;
  /** When each pair's bid and ask last came, in ms of elapsed time. */
  #tickerAt = new Map<string, number>();

  constructor(parts: KrakenFeedParts) {
    this.#parts = parts;
    this.name = parts.name ?? "kraken";
  }

  start(listener: FeedListener): void {
    const { url, pairs, log, askAgainMs } = this.#parts;
    this.#tickerAt = new Map();
    this.#socket = openLastingSocket({
      url,
      name: this.name,
      log,
      silenceMsMax: SILENCE_MS_MAX,
      askAgainMs,
      greetings: CHANNELS.map((channel) => subscription(channel, [...pairs.keys()])),
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
    else if (said.output.channel === "ticker") this.#readTickers(said.output, listener);
    else if (said.output.channel === "trade") this.#readTrades(said.output.data, listener);
  }

  /** Reads the answer to a subscription. What was refused is asked for again, since a pair may be halted only for a while. */
  #readReply(json: unknown, listener: FeedListener): void {
    const answer = v.safeParse(reply, json);
    if (!answer.success) {
      listener.malformed();
      return;
    }
    const { success, error, symbol, req_id: number } = answer.output;
    if (success !== false || error === "Already subscribed") return;
    const { log, pairs } = this.#parts;
    log.error({ feed: this.name, error, pair: symbol }, "the source refused a subscription; asking again later");
    for (const channel of CHANNELS) {
      if (number !== undefined && number !== `${NUMBERS[channel]}`) continue;
      for (const pair of pairs.keys()) {
        if (symbol !== undefined && symbol !== pair) continue;
        this.#socket?.askAgain(`${channel} ${pair}`, subscription(channel, [pair]));
      }
    }
  }

  #readTickers({ type, data }: { type: string; data: readonly Ticker[] }, listener: FeedListener): void {
    const { pairs, clock } = this.#parts;
    for (const { symbol: pair, bid, ask, timestamp } of data) {
      const symbol = pairs.get(pair);
      if (symbol === undefined) {
        listener.refused("unknownInstrument");
        continue;
      }
      const order = timestamp === undefined ? null : microseconds(timestamp);
      const quote = { symbol, bid, ask, order };
      // The subscription's first quote is the book's state, however long ago that last changed.
      const reason = this.#reasonAgainst(timestamp, order, type !== "snapshot");
      if (reason !== null) {
        listener.refused(reason, [quote]);
        continue;
      }
      this.#tickerAt.set(pair, clock.elapsedMs());
      listener.quote(quote);
    }
  }

  #readTrades(trades: readonly Trade[], listener: FeedListener): void {
    const { pairs, clock } = this.#parts;
    for (const { symbol: pair, price, timestamp } of trades) {
      const symbol = pairs.get(pair);
      if (symbol === undefined) {
        listener.refused("unknownInstrument");
        continue;
      }
      if (clock.elapsedMs() - (this.#tickerAt.get(pair) ?? -TICKER_FRESH_MS) < TICKER_FRESH_MS) continue;
      const order = microseconds(timestamp);
      const quote = { symbol, last: price, order };
      const reason = this.#reasonAgainst(timestamp, order, true);
      if (reason === null) listener.quote(quote);
      else listener.refused(reason, [quote]);
    }
  }

  /** Returns why a quote with this time doesn't count; null if it does or has no time. */
  #reasonAgainst(timestamp: string | undefined, order: bigint | null, isUpdate: boolean): Rejection | null {
    if (timestamp === undefined) return null;
    if (order === null) return "malformed";
    const now = this.#parts.clock.now();
    if (order > (now + AHEAD_MS_MAX) * 1_000n) return "ahead";
    return isUpdate && order < (now - AGE_MS_MAX) * 1_000n ? "old" : null;
  }
}

/** Parses `2026-11-21T03:00:00.123456Z` into microseconds since 1970; null for anything else. */
function microseconds(text: string): bigint | null {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(text);
  const seconds = Date.parse(`${parts?.[1] ?? ""}Z`);
  if (!parts || Number.isNaN(seconds)) return null;
  return BigInt(seconds) * 1_000n + BigInt((parts[2] ?? "").padEnd(6, "0").slice(0, 6));
}
