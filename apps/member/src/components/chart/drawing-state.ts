import type { DrawingTool } from "./drawing-list.ts";

/** The state that the drawing tools are rendered from. */
export interface DrawingState {
  /** The tool in use; null while taps move the chart. */
  readonly tool: DrawingTool | null;
  /** The drawing that was tapped last. */
  readonly selected: string | null;
  readonly count: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly hidden: boolean;
  /** Whether new points snap to the nearest open, high, low or close. */
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
