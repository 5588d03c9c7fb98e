import type { Nominal } from "./nominal.ts";

/** A price in whole points, the smallest step of its instrument: 1_084_120n with 6 decimals is 1.084120. Not money. */
export type Points = Nominal<bigint, "Points">;
