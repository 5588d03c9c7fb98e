import { askAgainAfter } from "../../data/ask-again.ts";
import { fetchCandles, type Interval } from "../../data/candles.ts";
import { onReconnected } from "../../data/connection.ts";
import { askingNow, reportFailureOnce } from "../../data/failures.ts";
import { prices, type LivePrice } from "../../data/prices.ts";
import { serverNow } from "../../shared/server-clock.ts";
import { barsComing, keepBars, keptBars } from "./candle-shelf.ts";
import { barOf, barStart, gapStart, intervalMs, withHistory, withPrice, type Bar } from "./candle-series.ts";

const PIECE = 500;
/** A slow line misses ticks again and again. They are loaded together, so that loading doesn't slow it further. */
const MISSED_PAUSE_MS = 1_000;

export interface FeedListener {
  /** History was loaded or a gap was filled, so that everything must be redrawn. */
  readonly onAll: (bars: readonly Bar[]) => void;
  /** Live prices of one frame: the bars from index `from` on have changed. */
  readonly onNewest: (bars: readonly Bar[], from: number) => void;
  readonly onFailed: () => void;
}

/** Which candles are loaded: from an instant, up to one, or the newest. */
interface Span {
  readonly from?: number;
  readonly to?: number;
}

/**
 * Returns the start of an answer that leaves a hole after the start of its span, because more bars have passed since
 * than one answer holds; otherwise null. Nothing would ever fill the hole, and indicators would be calculated across it.
 */
function wholeFromOf({ from }: Span, read: readonly Bar[]): number | null {
  const [first] = read;
  if (from === undefined || first === undefined || read.length < PIECE) return null;
  return first.time > from ? first.time : null;
}

/**
 * One instrument's bars in one interval: history from calls, the newest bar from ticks, and gaps filled when noticed.
 */
export class CandleFeed {
  readonly #symbol: string;
  readonly #interval: Interval;
  readonly #listener: FeedListener;
  #bars: readonly Bar[] = [];
  #drawnTo = -Infinity;
  #frame = 0;
  #stopped = false;
  #reading = false;
  /** Until history has come, live prices are stored but not drawn: a single candle would get a scale of its own. */
  #historyCame = false;
  #noOlder = false;
  /** Start of a gap that is still to be loaded, because bars drawn since hide it. */
  #gapFrom: number | null = null;
  /** The tick taken last. Ticks are numbered without a break, so a jump shows that the stream left some out. */
  #taken: { readonly seq: number; readonly at: number } | null = null;
  /** Start of the first bar with missed ticks, until the pause is over. */
  #missedFrom: number | null = null;
  #missedTimer: ReturnType<typeof setTimeout> | undefined;
  #stops: (() => void)[] = [];
  #stopAsking = () => {};

  constructor(symbol: string, interval: Interval, listener: FeedListener) {
    this.#symbol = symbol;
    this.#interval = interval;
    this.#listener = listener;
  }

  /**
   * Draws the stored bars of this interval at once and loads what has passed since; without stored bars, loads the
   * newest page. Bars that are already on their way are waited for.
   */
  start(): void {
    const coming = barsComing(this.#symbol, this.#interval);
    const bars = keptBars(this.#symbol, this.#interval, serverNow());
    const last = bars.at(-1);
    if (last !== undefined) this.#takeHistory(bars);
    void this.#read(last === undefined ? {} : { from: last.time }, coming);
    this.#stops = [
      prices.onTick(this.#symbol, (tick) => {
        this.#take(tick);
      }),
      onReconnected(() => {
        this.#heal();
      }),
    ];
  }

  stop(): void {
    this.#stopped = true;
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#missedTimer);
    this.#stopAsking();
    for (const stop of this.#stops) stop();
    const isWhole = this.#historyCame && this.#gapFrom === null && this.#missedFrom === null;
    if (isWhole) keepBars(this.#symbol, this.#interval, this.#bars);
  }

  /** Loads the page before the oldest bar, one at a time and not beyond the first bar there is. */
  readOlder(): void {
    const first = this.#bars[0];
    if (first === undefined || this.#noOlder) return;
    void this.#read({ to: first.time - 1 });
  }

  #take({ seq, price, at }: LivePrice): void {
    const length = intervalMs(this.#interval);
    if (this.#taken !== null && seq > this.#taken.seq + 1) this.#miss(barStart(this.#taken.at, length));
    this.#taken = { seq, at };
    // The phone slept or the stream paused. Load what is missing instead of guessing it.
    if (gapStart(this.#bars, at, length) !== null) this.#heal();
    this.#bars = withPrice(this.#bars, Number(price), at, length);
    if (!this.#historyCame) return;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#takeNewest(this.#bars);
    });
  }

  /** Loads the bars from `from` on again soon, because ticks of them are missing. */
  #miss(from: number): void {
    this.#missedFrom ??= from;
    this.#missedTimer ??= setTimeout(() => {
      this.#missedTimer = undefined;
      const missedFrom = this.#missedFrom ?? from;
      // An answer on its way may be older than the ticks that were missed.
      if (this.#reading) {
        this.#miss(missedFrom);
        return;
      }
      this.#missedFrom = null;
      this.#gapFrom = Math.min(this.#gapFrom ?? missedFrom, missedFrom);
      void this.#read({ from: this.#gapFrom });
    }, MISSED_PAUSE_MS);
  }

  /** Redraws the last drawn bar and those after it. */
  #takeNewest(bars: readonly Bar[]): void {
    const from = bars.findLastIndex((bar) => bar.time <= this.#drawnTo);
    this.#bars = bars;
    this.#drawnTo = bars.at(-1)?.time ?? this.#drawnTo;
    this.#listener.onNewest(bars, Math.max(from, 0));
  }

  #takeHistory(bars: readonly Bar[]): void {
    this.#bars = bars;
    this.#drawnTo = bars.at(-1)?.time ?? -Infinity;
    this.#historyCame = true;
    this.#listener.onAll(bars);
  }

  #heal(): void {
    this.#gapFrom ??= gapStart(this.#bars, serverNow(), intervalMs(this.#interval));
    if (this.#gapFrom !== null) void this.#read({ from: this.#gapFrom });
  }

  /** Loads a span, or takes bars that are already on their way and then loads what has passed since. */
  async #read(span: Span, coming?: Promise<readonly Bar[]>): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    this.#stopAsking();
    const asked = askingNow();
    let newest: number | undefined;
    try {
      const read = await (coming ?? this.#fetch(span));
      if (this.#stopped) return;
      newest = read.at(-1)?.time;
      this.#takeSpan(span, read);
    } catch (error) {
      if (this.#stopped) return;
      reportFailureOnce(error, asked);
      this.#stopAsking = askAgainAfter(error, () => void this.#read(span));
      if (!this.#historyCame) this.#listener.onFailed();
    } finally {
      this.#reading = false;
    }
    if (coming !== undefined && newest !== undefined) void this.#read({ from: newest });
    // The gap was noticed while something else was being loaded.
    if (this.#gapFrom !== null && span.from !== this.#gapFrom) void this.#read({ from: this.#gapFrom });
  }

  #takeSpan(span: Span, read: readonly Bar[]): void {
    if (span.to !== undefined && read.length === 0) this.#noOlder = true;
    if (span.from === this.#gapFrom) this.#gapFrom = null;
    const wholeFrom = wholeFromOf(span, read);
    // What there is before the hole is loaded again when it is scrolled to.
    if (wholeFrom !== null) this.#noOlder = false;
    const known = wholeFrom === null ? this.#bars : this.#bars.filter(({ time }) => time >= wholeFrom);
    const bars = withHistory(known, read);
    if (span.from === this.#drawnTo && wholeFrom === null) this.#takeNewest(bars);
    else this.#takeHistory(bars);
  }

  async #fetch(span: Span): Promise<readonly Bar[]> {
    const candles = await fetchCandles(this.#symbol, this.#interval, { ...span, limit: PIECE });
    return candles.map(barOf);
  }
}
