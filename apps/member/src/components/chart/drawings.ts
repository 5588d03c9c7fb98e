/** The member's drawings in one chart: made, moved and removed by hand, kept by product, undone and redone. */
import type { Chart, OverlayCreate, OverlayEvent } from "klinecharts";
import { overlayOf, toolOf, type DrawingTool } from "./drawing-list.ts";
import { NO_DRAWINGS, type DrawingState } from "./drawing-state.ts";
import { keepDrawings, keptDrawings, type Drawing } from "./drawing-store.ts";
import { UndoHistory } from "./undo-history.ts";

const GROUP = "drawings";

export class Drawings {
  readonly #chart: Chart;
  readonly #symbol: string;
  readonly #tell: (state: DrawingState) => void;
  readonly #history: UndoHistory<readonly Drawing[]>;
  #state: DrawingState = NO_DRAWINGS;
  /** While drawings are taken away to be drawn anew, their removal is no step of the member's. */
  #isRedrawing = false;
  #drawn: string | null = null;

  constructor(chart: Chart, symbol: string, tell: (state: DrawingState) => void) {
    this.#chart = chart;
    this.#symbol = symbol;
    this.#tell = tell;
    this.#history = new UndoHistory(keptDrawings(symbol));
  }

  /** Draws what is kept, once there are candles to place it on. */
  show(): void {
    this.#redraw(this.#history.now);
  }

  /** Begins a drawing: the next taps are its points. The same tool again ends it. */
  start(tool: DrawingTool | null, text?: string): void {
    if (this.#drawn !== null) {
      this.#quietly(() => this.#chart.removeOverlay({ id: this.#drawn ?? "" }));
      this.#drawn = null;
    }
    if (tool === null) {
      this.#set({ tool: null });
      return;
    }
    const made = this.#chart.createOverlay(this.#overlay({ tool, ...(text !== undefined && { text }) }));
    this.#drawn = typeof made === "string" ? made : null;
    this.#set({ tool, selected: null, hidden: false });
  }

  undo(): void {
    this.#redraw(this.#history.undo());
    keepDrawings(this.#symbol, this.#history.now);
  }

  redo(): void {
    this.#redraw(this.#history.redo());
    keepDrawings(this.#symbol, this.#history.now);
  }

  /** Takes one drawing away, or all of them. It can be undone. */
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
        // The library adds the drawing to its list after it has told of the end.
        queueMicrotask(() => this.#step());
      },
      onPressedMoveEnd: () => this.#step(),
      onSelected: ({ overlay }: OverlayEvent<unknown>) => this.#set({ selected: overlay.id }),
      onDeselected: () => this.#set({ selected: null }),
      onRightClick: (event: OverlayEvent<unknown>) => {
        // A right click would remove it without a way back; it only selects here.
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

  /** What is drawn now is a new step, kept on this device. */
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
    this.#history.push(drawings);
    keepDrawings(this.#symbol, drawings);
    this.#set({});
  }

  #redraw(drawings: readonly Drawing[]): void {
    this.#quietly(() => {
      this.#chart.removeOverlay({ groupId: GROUP });
      for (const drawing of drawings) this.#chart.createOverlay(this.#overlay(drawing));
    });
    this.#set({ selected: null });
  }

  #set(change: Partial<DrawingState>): void {
    const { now, canUndo, canRedo } = this.#history;
    this.#state = { ...this.#state, ...change, count: now.length, canUndo, canRedo };
    this.#tell(this.#state);
  }
}
