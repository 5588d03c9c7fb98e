import type { DrawingTool } from "./drawing-list.ts";

/** What the tools for drawing are shown by. */
export interface DrawingState {
  /** What is being drawn; null where a tap moves the chart. */
  readonly tool: DrawingTool | null;
  /** The drawing that was tapped last. */
  readonly selected: string | null;
  readonly count: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly hidden: boolean;
  /** New points stick to the nearest open, high, low or close. */
  readonly magnet: boolean;
}

export const NO_DRAWINGS: DrawingState = {
  tool: null,
  selected: null,
  count: 0,
  canUndo: false,
  canRedo: false,
  hidden: false,
  magnet: false,
};
