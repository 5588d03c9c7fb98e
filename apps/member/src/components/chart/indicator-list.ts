/**
 * The indicators that members can choose, with their parameters. The library calculates all but three. Those that need
 * a volume are left out, because there is none.
 */
interface IndicatorKind {
  readonly name: string;
  /** Drawn on the prices, or in its own pane. */
  readonly on: "price" | "pane";
  /** Default parameters. */
  readonly params: readonly number[];
  /** Whether more parameters of the same kind can be added, such as further lines of an average. */
  readonly lines?: true;
  /** Minimum and maximum of each parameter, for those that aren't numbers of candles. */
  readonly bounds?: readonly (readonly [number, number])[];
  /**
   * Decimals of its figures: as many as the price has, for a difference of prices; a few, for a scale of its own. Left
   * out where the library uses the price's.
   */
  readonly decimals?: "price" | number;
}

/** Decimals of a figure between 0 and 100, or of that order. */
const SCALE = 2;
/** Decimals of a change in percent. One step of a price is about this small a part of it. */
const CHANGE = 4;

export const INDICATORS = [
  { name: "MA", on: "price", params: [7, 25], lines: true },
  { name: "EMA", on: "price", params: [9, 21], lines: true },
  {
    name: "BOLL",
    on: "price",
    params: [20, 2],
    bounds: [
      [2, 400],
      [0.5, 5],
    ],
  },
  {
    name: "SAR",
    on: "price",
    params: [2, 2, 20],
    bounds: [
      [1, 10],
      [1, 10],
      [10, 50],
    ],
  },
  { name: "BBI", on: "price", params: [3, 6, 12, 24] },
  { name: "SESSION", on: "price", params: [] },
  { name: "RSI", on: "pane", params: [14], lines: true, decimals: SCALE },
  { name: "MACD", on: "pane", params: [12, 26, 9], decimals: "price" },
  { name: "KDJ", on: "pane", params: [9, 3, 3], decimals: SCALE },
  { name: "CCI", on: "pane", params: [20], decimals: SCALE },
  { name: "DMI", on: "pane", params: [14, 6], decimals: SCALE },
  { name: "ATR", on: "pane", params: [14], decimals: "price" },
  { name: "WR", on: "pane", params: [14], lines: true, decimals: SCALE },
  { name: "ROC", on: "pane", params: [12, 6], decimals: CHANGE },
  { name: "MTM", on: "pane", params: [12, 6], decimals: "price" },
  { name: "TRIX", on: "pane", params: [12, 9], decimals: CHANGE },
  { name: "AO", on: "pane", params: [5, 34], decimals: "price" },
  { name: "BIAS", on: "pane", params: [6, 12, 24], lines: true, decimals: CHANGE },
  { name: "PSY", on: "pane", params: [12, 6], decimals: SCALE },
  { name: "DMA", on: "pane", params: [10, 50, 10], decimals: "price" },
] as const satisfies readonly IndicatorKind[];

export type IndicatorName = (typeof INDICATORS)[number]["name"];

/** Maximum number of candles for a parameter, which is below the number of bars that a chart starts with. */
const COUNT_MAX = 400;

function kindOf(name: IndicatorName): IndicatorKind {
  return INDICATORS.find((kind) => kind.name === name) ?? INDICATORS[0];
}

export function isIndicator(name: unknown): name is IndicatorName {
  return INDICATORS.some((kind) => kind.name === name);
}

/** Returns an indicator's default parameters. */
export function firstParams(name: IndicatorName): readonly number[] {
  return kindOf(name).params;
}

/** Returns whether an indicator is drawn on the prices. */
export function isOnPrice(name: IndicatorName): boolean {
  return kindOf(name).on === "price";
}

/** Returns the decimals of an indicator's figures for a product with `priceDecimals`; undefined for the library's own. */
export function decimalsOf(name: IndicatorName, priceDecimals: number): number | undefined {
  const { decimals } = kindOf(name);
  return decimals === "price" ? priceDecimals : decimals;
}

/** Returns a parameter's minimum, maximum and step. */
export function boundsOf(name: IndicatorName, place: number): { least: number; most: number; step: number } {
  const [least, most] = kindOf(name).bounds?.[place] ?? [1, COUNT_MAX];
  return { least, most, step: Number.isInteger(least) ? 1 : 0.5 };
}

/** Parses stored or typed parameters: the right number, each within its bounds, or else the defaults. */
export function readParams(name: IndicatorName, kept: unknown): readonly number[] {
  const first = firstParams(name);
  if (!Array.isArray(kept) || kept.length !== first.length) return first;
  const isFit = kept.every((value: unknown, place) => {
    const { least, most, step } = boundsOf(name, place);
    return typeof value === "number" && value >= least && value <= most && Number.isInteger(value / step);
  });
  return isFit ? (kept as readonly number[]) : first;
}
