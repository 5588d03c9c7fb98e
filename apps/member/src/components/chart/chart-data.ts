/** Feeds the library's candles: replaces them, adds older ones without moving the view, and updates them with ticks. */
import type { Chart, DataLoaderGetBarsParams, KLineData, Period } from "klinecharts";
import type { Interval } from "../../data/candles.ts";
import type { Bar } from "./candle-series.ts";

const PERIODS: Record<Interval, Period> = {
  "1s": { type: "second", span: 1 },
  "5s": { type: "second", span: 5 },
  "15s": { type: "second", span: 15 },
  "1m": { type: "minute", span: 1 },
  "5m": { type: "minute", span: 5 },
  "15m": { type: "minute", span: 15 },
  "1h": { type: "hour", span: 1 },
  "1d": { type: "day", span: 1 },
};

function asData({ time, ...prices }: Bar): KLineData {
  return { timestamp: time, ...prices };
}

export class ChartData {
  readonly #chart: Chart;
  readonly #onOlder: () => void;
  #bars: readonly Bar[] = [];
  #shown: Interval | null = null;
  #give: (data: KLineData) => void = () => undefined;
  #takeOlder: DataLoaderGetBarsParams["callback"] | null = null;

  constructor(chart: Chart, onOlder: () => void) {
    this.#chart = chart;
    this.#onOlder = onOlder;
    chart.setDataLoader({
      getBars: (asked) => this.#load(asked),
      subscribeBar: ({ callback }) => {
        this.#give = callback;
      },
    });
  }

  /** The interval of the visible candles, which stay while another one loads. Null before the first. */
  get shown(): Interval | null {
    return this.#shown;
  }

  /** Sets all bars. Returns whether everything was redrawn; if only older bars were added, nothing moves. */
  set(bars: readonly Bar[], interval: Interval): boolean {
    const isLonger = interval === this.#shown && this.#holdsAllFrom(bars);
    this.#bars = bars;
    this.#shown = interval;
    // Leave the drawn candles alone, because a finger may be moving them.
    if (isLonger) this.#giveOlder();
    else this.#chart.setPeriod(PERIODS[interval]);
    return !isLonger;
  }

  /** Updates the bars from index `from` on. */
  update(bars: readonly Bar[], from: number): void {
    this.#bars = bars;
    for (const bar of bars.slice(from)) this.#give(asData(bar));
  }

  #load({ type, callback }: DataLoaderGetBarsParams): void {
    if (type === "init") {
      this.#takeOlder = null;
      callback(this.#bars.map(asData), { forward: true, backward: false });
      return;
    }
    // "Forward" is the library's word for the past.
    this.#takeOlder = callback;
    queueMicrotask(() => {
      if (!this.#giveOlder()) this.#onOlder();
    });
  }

  /** Passes on bars older than the drawn ones, if there are any and the library asked for them. */
  #giveOlder(): boolean {
    const first = this.#chart.getDataList()[0]?.timestamp ?? Infinity;
    const older = this.#bars.filter(({ time }) => time < first);
    const take = this.#takeOlder;
    if (older.length === 0 || take === null) return false;
    this.#takeOlder = null;
    take(older.map(asData), { forward: true, backward: false });
    return true;
  }

  /** Returns whether these bars are the drawn ones with only older bars added before them. */
  #holdsAllFrom(bars: readonly Bar[]): boolean {
    const drawn = this.#chart.getDataList();
    const from = bars.findIndex(({ time }) => time === drawn[0]?.timestamp);
    return from >= 0 && bars.length - from === drawn.length && bars.at(-1)?.time === drawn.at(-1)?.timestamp;
  }
}
