import type { ChartColours } from "./chart-colours.ts";
import type { OhlcWords } from "./chart-legend.ts";
import type { ChartSettings } from "./chart-settings.ts";
import type { DrawingState } from "./drawing-state.ts";
import type { LineWords } from "./shown-indicators.ts";

/** Events of a chart. */
export interface ViewListener {
  /** The view comes close to the oldest bar. */
  readonly onOlder: () => void;
  /** Called with whether the newest bar is in view. */
  readonly onMoved: (isLive: boolean) => void;
  readonly onDrawings: (state: DrawingState) => void;
  readonly onSettledTap: (orderNo: string) => void;
  /** The crosshair is on the bar of this instant; null when it is gone. */
  readonly onPointed: (at: number | null) => void;
}

/** The initial values of a chart. */
export interface ViewTerms {
  readonly symbol: string;
  readonly decimals: number;
  readonly settings: ChartSettings;
  readonly colours: ChartColours;
  readonly words: OhlcWords & LineWords;
  /** Px between the newest bar and the right edge; the usual room by default. */
  readonly room?: number | undefined;
  readonly barPx?: number | undefined;
}
