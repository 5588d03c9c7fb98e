import type { ChartColours } from "./chart-colours.ts";
import type { OhlcWords } from "./chart-legend.ts";
import type { ChartSettings } from "./chart-settings.ts";
import type { DrawingState } from "./drawing-state.ts";

/** What a chart tells of. */
export interface ViewListener {
  /** The view comes near the oldest bar. */
  readonly onOlder: () => void;
  /** Whether the newest bar is in sight. */
  readonly onMoved: (isLive: boolean) => void;
  readonly onDrawings: (state: DrawingState) => void;
  readonly onSettledTap: (orderNo: string) => void;
  /** The crosshair stands on the bar of this instant; null where it is gone. */
  readonly onPointed: (at: number | null) => void;
}

/** What a chart begins with. */
export interface ViewTerms {
  readonly symbol: string;
  readonly decimals: number;
  readonly settings: ChartSettings;
  readonly colours: ChartColours;
  readonly words: OhlcWords;
  /** Px between the newest bar and the right edge; the usual room unless told. */
  readonly room?: number | undefined;
  readonly barPx?: number | undefined;
}
