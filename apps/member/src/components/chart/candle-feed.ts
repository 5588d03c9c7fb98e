import { fetchCandles, type Interval } from "../../data/candles.ts";
import { connectedNow, watchConnection } from "../../data/connection.ts";
import { reportFailure } from "../../data/failures.ts";
import { prices } from "../../data/prices.ts";
import { text } from "../../shared/i18n.ts";
import { serverNow } from "../../shared/server-clock.ts";
import { barOf, gapStart, intervalMs, withHistory, withPrice, type Bar } from "./candle-series.ts";

const PIECE = 500;

export interface FeedListener {
  /** History came, or a gap was healed: everything anew. `kept` if the place looked at should stay. */
  readonly onAll: (bars: readonly Bar[]) => void;
  /** Live prices of one frame: the bars from `from` on have changed. */
  readonly onNewest: (bars: readonly Bar[], from: number) => void;
  readonly onFailed: () => void;
}

/** One instrument's bars in one interval: history by call, the newest bar by ticks, a gap healed when noticed. */
export class CandleFeed {
  readonly #symbol: string;
  readonly #interval: Interval;
  readonly #listener: FeedListener;
  #bars: readonly Bar[] = [];
  #drawnTo = -Infinity;
  #frame = 0;
  #stopped = false;
  #reading = false;
  #noOlder = false;
  #stops: (() => void)[] = [];

  constructor(symbol: string, interval: Interval, listener: FeedListener) {
    this.#symbol = symbol;
    this.#interval = interval;
    this.#listener = listener;
  }

  start(): void {
    void this.#read({});
    this.#stops = [
      prices.onTick(this.#symbol, ({ price, at }) => {
        this.#take(Number(price), at);
      }),
      watchConnection(() => {
        if (connectedNow()) this.#heal();
      }),
    ];
  }

  stop(): void {
    this.#stopped = true;
    cancelAnimationFrame(this.#frame);
    for (const stop of this.#stops) stop();
  }

  /** Reads the piece before the oldest bar, once at a time and not beyond the first one there is. */
  readOlder(): void {
    const first = this.#bars[0];
    if (first === undefined || this.#noOlder) return;
    void this.#read({ to: first.time - 1 });
  }

  #take(price: number, at: number): void {
    const length = intervalMs(this.#interval);
    // The phone slept or the stream paused: what lies between is read, not guessed.
    if (gapStart(this.#bars, at, length) !== null) this.#heal();
    this.#bars = withPrice(this.#bars, price, at, length);
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      const from = this.#bars.findLastIndex((bar) => bar.time <= this.#drawnTo);
      this.#drawnTo = this.#bars.at(-1)?.time ?? this.#drawnTo;
      this.#listener.onNewest(this.#bars, Math.max(from, 0));
    });
  }

  #heal(): void {
    const from = gapStart(this.#bars, serverNow(), intervalMs(this.#interval));
    if (from !== null) void this.#read({ from });
  }

  async #read(span: { readonly from?: number; readonly to?: number }): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      const candles = await fetchCandles(this.#symbol, this.#interval, { ...span, limit: PIECE });
      if (this.#stopped) return;
      if (span.to !== undefined && candles.length === 0) this.#noOlder = true;
      this.#bars = withHistory(this.#bars, candles.map(barOf));
      this.#drawnTo = this.#bars.at(-1)?.time ?? -Infinity;
      this.#listener.onAll(this.#bars);
    } catch (error) {
      if (this.#stopped) return;
      reportFailure(error, text("common.timedOut"));
      if (this.#bars.length < 2) this.#listener.onFailed();
    } finally {
      this.#reading = false;
    }
  }
}
