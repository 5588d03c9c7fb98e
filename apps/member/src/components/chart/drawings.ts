/** The member's drawings in one chart: made, moved and removed by hand, kept by product, undone and redone. */
import type { Chart, Overlay, OverlayCreate, OverlayEvent } from "klinecharts";
import { overlayOf, toolOf, type DrawingTool } from "./drawing-list.ts";
import { NO_DRAWINGS, type DrawingState } from "./drawing-state.ts";
import { openDrawingBook, type DrawingBook } from "./drawing-book.ts";
import { drawByPresses } from "./drawing-press.ts";
import type { Drawing } from "./drawing-store.ts";

const GROUP = "drawings";

export class Drawings {
  readonly #chart: Chart;
  readonly #tell: (state: DrawingState) => void;
  readonly #book: DrawingBook;
  readonly #stopPresses: () => void;
  #state: DrawingState = NO_DRAWINGS;
  /** True while drawings are removed to be redrawn, which isn't a step of the member's. */
  #isRedrawing = false;
  #drawn: string | null = null;
  #isShown = false;

  constructor(chart: Chart, host: HTMLElement, symbol: string, tell: (state: DrawingState) => void) {
    this.#chart = chart;
    this.#tell = tell;
    this.#stopPresses = drawByPresses(chart, host, () => this.#waiting());
    this.#book = openDrawingBook(symbol, () => this.#redraw());
  }

  /** Draws the stored drawings, once there are candles to place them on. */
  show(): void {
    this.#isShown = true;
    this.#redraw();
  }

  destroy(): void {
    this.#stopPresses();
    this.#book.close();
  }

  /** The drawing that waits for its points; null for a brush, which follows the pointer. */
  #waiting(): Overlay | null {
    if (this.#drawn === null) return null;
    const [drawing] = this.#chart.getOverlays({ id: this.#drawn });
    return drawing === undefined || drawing.drawingMode === "continuous" ? null : drawing;
  }

  /** Starts a drawing: the next taps set its points, or the next drag its ends. Choosing the same tool again cancels it. */
  start(tool: DrawingTool | null, text?: string): void {
    if (this.#drawn !== null) {
      this.#quietly(() => this.#chart.removeOverlay({ id: this.#drawn ?? "" }));
      this.#drawn = null;
    }
    if (tool === null) {
      this.#set({ tool: null });
      return;
    }
    // Otherwise it would be drawn invisibly, or the others stay so while the button says that they are shown.
    if (this.#state.hidden) this.hide(false);
    const made = this.#chart.createOverlay(this.#overlay({ tool, ...(text !== undefined && { text }) }));
    this.#drawn = typeof made === "string" ? made : null;
    this.#set({ tool, selected: null });
  }

  undo(): void {
    this.#book.undo();
    this.#redraw();
  }

  redo(): void {
    this.#book.redo();
    this.#redraw();
  }

  /** Removes one drawing, or all of them. Can be undone. */
  remove(id?: string): void {
    this.#quietly(() => this.#chart.removeOverlay({ groupId: GROUP, ...(id !== undefined && { id }) }));
    this.#set({ selected: null });
    this.#step();
  }

  hide(hidden: boolean): void {
    this.#chart.overrideOverlay({ groupId: GROUP, visible: !hidden });
    this.#set({ hidden });
  }

  stickToPrices(magnet: boolean): void {
    this.#set({ magnet });
    this.#chart.overrideOverlay({ groupId: GROUP, mode: magnet ? "weak_magnet" : "normal" });
  }

  #overlay({ id, tool, points, text }: Pick<Drawing, "tool"> & Partial<Drawing>): OverlayCreate {
    return {
      name: overlayOf(tool),
      groupId: GROUP,
      ...(id !== undefined && { id }),
      ...(points !== undefined && { points: points.map((point) => ({ ...point })) }),
      ...(text !== undefined && { extendData: text }),
      mode: this.#state.magnet ? "weak_magnet" : "normal",
      visible: !this.#state.hidden,
      onDrawEnd: () => {
        this.#drawn = null;
        this.#set({ tool: null });
        // The library adds the drawing to its list only after it has reported its end.
        queueMicrotask(() => this.#step());
      },
      onPressedMoveEnd: () => this.#step(),
      onSelected: ({ overlay }: OverlayEvent<unknown>) => this.#set({ selected: overlay.id }),
      onDeselected: () => this.#set({ selected: null }),
      onRightClick: (event: OverlayEvent<unknown>) => {
        // The library would remove the drawing for good on a right click; here it is only selected.
        event.preventDefault?.();
        this.#set({ selected: event.overlay.id });
      },
    };
  }

  #quietly(act: () => void): void {
    this.#isRedrawing = true;
    act();
    this.#isRedrawing = false;
  }

  /** Records the current drawings as a new step, stored on this device. */
  #step(): void {
    if (this.#isRedrawing) return;
    const drawings = this.#chart.getOverlays({ groupId: GROUP }).flatMap((overlay): Drawing[] => {
      const tool = toolOf(overlay.name);
      if (tool === null) return [];
      const points = overlay.points.flatMap(({ timestamp, value }) =>
        timestamp === undefined || value === undefined ? [] : [{ timestamp, value }],
      );
      const words = typeof overlay.extendData === "string" ? { text: overlay.extendData } : {};
      return points.length === 0 ? [] : [{ id: overlay.id, tool, points, ...words }];
    });
    this.#book.step(drawings);
    this.#set({});
  }

  /** Redraws the stored drawings. An unfinished drawing is dropped. */
  #redraw(): void {
    if (!this.#isShown) return;
    this.#drawn = null;
    this.#quietly(() => {
      this.#chart.removeOverlay({ groupId: GROUP });
      for (const drawing of this.#book.state().now) this.#chart.createOverlay(this.#overlay(drawing));
    });
    this.#set({ tool: null, selected: null });
  }

  #set(change: Partial<DrawingState>): void {
    const { now, canUndo, canRedo } = this.#book.state();
    this.#state = { ...this.#state, ...change, count: now.length, canUndo, canRedo };
    this.#tell(this.#state);
  }
}
