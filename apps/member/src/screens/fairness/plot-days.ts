import type { Fairness } from "../../data/fairness.ts";

type Day = Pick<Fairness["byDay"][number], "day" | "share" | "shareFrom" | "shareTo">;

/** One day of the chart. Heights are between 0 (lowest) and 1. */
export interface PlottedDay {
  readonly day: string;
  readonly share: string;
  readonly shareFrom: string;
  readonly shareTo: string;
  readonly at: number;
  readonly from: number;
  readonly to: number;
  /** Whether chance alone would leave the band only once in a thousand times. */
  readonly isOutside: boolean;
}

export interface DayPlot {
  readonly days: readonly PlottedDay[];
  /** How far the scale extends above and below one half. */
  readonly reach: number;
}

/** The scale ends at a multiple of this, and extends at least a tenth. */
const STEP = 0.05;

/** Places days with decided orders on a scale around one half that includes all shares and bands. */
export function plotDays(days: readonly Day[]): DayPlot {
  const decided = days.flatMap(({ day, share, shareFrom, shareTo }) =>
    share === null || shareFrom === null || shareTo === null ? [] : [{ day, share, shareFrom, shareTo }],
  );
  const farthest = Math.max(
    0,
    ...decided.flatMap(({ share, shareFrom, shareTo }) =>
      [share, shareFrom, shareTo].map((each) => Math.abs(Number(each) - 0.5)),
    ),
  );
  const reach = Math.min(0.5, Math.max(STEP, Math.ceil(farthest / STEP) * STEP));
  const height = (share: string) => Math.min(1, Math.max(0, (Number(share) - 0.5 + reach) / (2 * reach)));
  return {
    reach,
    days: decided.map(({ day, share, shareFrom, shareTo }) => ({
      day,
      share,
      shareFrom,
      shareTo,
      at: height(share),
      from: height(shareFrom),
      to: height(shareTo),
      isOutside: Number(share) < Number(shareFrom) || Number(share) > Number(shareTo),
    })),
  };
}
