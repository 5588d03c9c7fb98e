import { useMemo, useSyncExternalStore } from "react";
import { NO_DRAWINGS, type DrawingState } from "./drawing-state.ts";
import type { DrawingTool } from "./drawing-list.ts";
import type { Replay, SettledMark } from "./chart-scene.ts";
import type { SeenRange } from "./ChartWords.tsx";
import type { ChartView } from "./chart-view.ts";

/** The state that the tools around a chart are rendered from. */
export interface ChartState extends DrawingState {
  /** Whether candles are drawn; before, there is nothing to draw on. */
  readonly isReady: boolean;
  /** Whether the newest candle is in view. */
  readonly isLive: boolean;
  /** The settled order whose path is being replayed. */
  readonly replayed: string | null;
}

const FIRST: ChartState = { ...NO_DRAWINGS, isReady: false, isLive: true, replayed: null };

/**
 * The handle of one chart: tools, toolbars and keys act through it and are rendered from its state. Created by
 * `useChartController` and passed to `PriceChart`. Until the chart has loaded, every action does nothing.
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

  /** Follows the crosshair: gets the instant of the bar under it, or null when it is gone. */
  readonly onPointed = (watcher: (at: number | null) => void): (() => void) => {
    this.#pointers.add(watcher);
    return () => this.#pointers.delete(watcher);
  };

  /** For `PriceChart` only: reports that the crosshair has moved. */
  readonly tellPointed = (at: number | null): void => {
    for (const watcher of this.#pointers) watcher(at);
  };

  /** Shows the time at another chart's crosshair; null hides it. */
  readonly pointTo = (at: number | null): void => {
    this.#view?.pointer.showInstant(at);
  };

  /** For `PriceChart` only: sets the chart, or null when it is gone. */
  attach(view: ChartView | null): void {
    this.#view = view;
    this.tell(view === null ? FIRST : {});
  }

  /** For `PriceChart` only: changes the state. */
  tell(change: Partial<ChartState>): void {
    this.#state = { ...this.#state, ...change };
    for (const watcher of this.#watchers) watcher();
  }

  /** Starts a drawing whose points are set by the next taps. Null ends it. `text` is the content of a text drawing. */
  draw(tool: DrawingTool | null, text?: string): void {
    this.#view?.drawings.start(tool, text);
  }

  undo(): void {
    this.#view?.drawings.undo();
  }

  redo(): void {
    this.#view?.drawings.redo();
  }

  /** Removes the selected drawing. */
  removeSelected(): void {
    const { selected } = this.#state;
    if (selected !== null) this.#view?.drawings.remove(selected);
  }

  /** Removes all drawings of this product. Can be undone. */
  removeAll(): void {
    this.#view?.drawings.remove();
  }

  hideDrawings(hidden: boolean): void {
    this.#view?.drawings.hide(hidden);
  }

  /** Sets whether new points snap to the nearest open, high, low or close. */
  setMagnet(on: boolean): void {
    this.#view?.drawings.stickToPrices(on);
  }

  /** Returns the visible range; null before the chart has loaded. */
  seen(): SeenRange | null {
    return this.#view?.seen() ?? null;
  }

  /** Replays a settled order's path. */
  replay(order: SettledMark, points: Replay["points"]): void {
    this.#view?.scene.play(order, points);
    this.tell({ replayed: order.orderNo });
  }

  /** Removes a replayed path. */
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

  /** Returns the chart as a PNG with a title line; null before it has loaded. */
  async picture(title: string): Promise<Blob | null> {
    return (await this.#view?.picture(title)) ?? null;
  }
}

/** Returns one controller for the component's lifetime. */
export function useChartController(): ChartController {
  return useMemo(() => new ChartController(), []);
}

/** The state of a chart. Rerenders when it changes. */
export function useChartState(chart: ChartController): ChartState {
  return useSyncExternalStore(chart.subscribe, chart.state);
}
