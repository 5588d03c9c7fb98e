import { useMemo, useSyncExternalStore } from "react";
import { NO_DRAWINGS, type DrawingState } from "./drawing-state.ts";
import type { DrawingTool } from "./drawing-list.ts";
import type { Replay, SettledMark } from "./chart-scene.ts";
import type { SeenRange } from "./ChartWords.tsx";
import type { ChartView } from "./chart-view.ts";

/** What the tools around a chart draw from. */
export interface ChartState extends DrawingState {
  /** Candles are drawn: before, there is nothing to draw on. */
  readonly isReady: boolean;
  /** The newest candle is in sight. */
  readonly isLive: boolean;
  /** The settled order whose path is drawn again. */
  readonly replayed: string | null;
}

const FIRST: ChartState = { ...NO_DRAWINGS, isReady: false, isLive: true, replayed: null };

/**
 * The handle of one chart: tools, toolbars and keys act through it, and draw themselves from its state. Made by
 * `useChartController` and handed to `PriceChart`; before the chart has come, every act does nothing.
 */
export class ChartController {
  #state = FIRST;
  #view: ChartView | null = null;
  readonly #watchers = new Set<() => void>();
  readonly #pointers = new Set<(at: number | null) => void>();

  readonly state = (): ChartState => this.#state;

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Follows the crosshair: the instant of the bar that it stands on, null where it is gone. */
  readonly onPointed = (watcher: (at: number | null) => void): (() => void) => {
    this.#pointers.add(watcher);
    return () => this.#pointers.delete(watcher);
  };

  /** For `PriceChart` alone: the crosshair has moved. */
  readonly tellPointed = (at: number | null): void => {
    for (const watcher of this.#pointers) watcher(at);
  };

  /** Shows where another chart's crosshair stands in time; null takes it away. */
  readonly pointTo = (at: number | null): void => {
    this.#view?.pointer.showInstant(at);
  };

  /** For `PriceChart` alone: the chart has come, or gone. */
  attach(view: ChartView | null): void {
    this.#view = view;
    this.tell(view === null ? FIRST : {});
  }

  /** For `PriceChart` alone. */
  tell(change: Partial<ChartState>): void {
    this.#state = { ...this.#state, ...change };
    for (const watcher of this.#watchers) watcher();
  }

  /** Begins a drawing: the next taps set its points. Null ends it. A text brings its words. */
  draw(tool: DrawingTool | null, text?: string): void {
    this.#view?.drawings.start(tool, text);
  }

  undo(): void {
    this.#view?.drawings.undo();
  }

  redo(): void {
    this.#view?.drawings.redo();
  }

  /** Takes the chosen drawing away. */
  removeSelected(): void {
    const { selected } = this.#state;
    if (selected !== null) this.#view?.drawings.remove(selected);
  }

  /** Takes all drawings of this product away; it can be undone. */
  removeAll(): void {
    this.#view?.drawings.remove();
  }

  hideDrawings(hidden: boolean): void {
    this.#view?.drawings.hide(hidden);
  }

  /** New points stick to the nearest open, high, low or close. */
  setMagnet(on: boolean): void {
    this.#view?.drawings.stickToPrices(on);
  }

  /** What is in sight; null before the chart has come. */
  seen(): SeenRange | null {
    return this.#view?.seen() ?? null;
  }

  /** Draws a settled order's path again. */
  replay(order: SettledMark, points: Replay["points"]): void {
    this.#view?.scene.play(order, points);
    this.tell({ replayed: order.orderNo });
  }

  /** Takes a replayed path away. */
  stopReplay(): void {
    this.#view?.scene.stopReplay();
    this.tell({ replayed: null });
  }

  backToLive(): void {
    this.#view?.backToLive();
  }

  zoom(toward: 1 | -1): void {
    this.#view?.zoom(toward);
  }

  scrollBy(bars: number): void {
    this.#view?.scrollBy(bars);
  }

  /** The chart as a PNG, under a line of words; null before it has come. */
  async picture(title: string): Promise<Blob | null> {
    return (await this.#view?.picture(title)) ?? null;
  }
}

/** One controller for as long as the component lives. */
export function useChartController(): ChartController {
  return useMemo(() => new ChartController(), []);
}

/** The state of a chart, redrawn when it changes. */
export function useChartState(chart: ChartController): ChartState {
  return useSyncExternalStore(chart.subscribe, chart.state);
}
