/**
 * What is drawn over the candles: the member's orders and what the ticket would begin. Texts are already translated.
 */

/** A running order. Instants in ms. */
export interface RunningMark {
  readonly orderNo: string;
  /** Null while the direction is sealed to this device. */
  readonly direction: "up" | "down" | null;
  readonly entryAt: number;
  readonly entryPrice: string;
  readonly expiresAt: number;
  /** Text at the entry: direction and stake. */
  readonly words: string;
  /** Text in the winning half and in the losing half. */
  readonly winWords: string;
  readonly loseWords: string;
  /** Where it ended, for an order shown alone after its end. There is no countdown then. */
  readonly exit?: { readonly at: number; readonly price: string; readonly tone: "up" | "down" | "flat" } | undefined;
}

/** What the ticket would begin now: up wins above the price, down wins below it. */
export interface Preview {
  readonly durationMs: number;
  readonly upWords: string;
  readonly downWords: string;
}

/** A settled order: a dot at its exit that replays its path when tapped. */
export interface SettledMark {
  readonly orderNo: string;
  readonly entryAt: number;
  readonly entryPrice: string;
  readonly exitAt: number;
  readonly exitPrice: string;
  readonly tone: "up" | "down" | "flat";
  /** Text at its exit: the result. */
  readonly words: string;
}

/** A settled order whose path is being replayed. */
export interface Replay {
  readonly order: SettledMark;
  /** Oldest first; drawn up to `part` of the way, 0 to 1. */
  readonly points: readonly { readonly at: number; readonly price: number }[];
  readonly part: number;
}

/** The made-up past before the market opened. */
export interface Examples {
  /** Where it ends, ms. */
  readonly until: number;
  readonly words: string;
}

export interface ChartScene {
  readonly running: readonly RunningMark[];
  readonly preview: Preview | null;
  readonly settled: readonly SettledMark[];
}

export const EMPTY_SCENE: ChartScene = { running: [], preview: null, settled: [] };
