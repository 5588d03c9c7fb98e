/** Both axes: price labels in a narrow range, and round times in the member's time zone below. */
import type { AxisCreateRangeParams, AxisRange, AxisTick, Chart } from "klinecharts";
import { formatDate, formatMinute, formatTime, formatUtcDate } from "../../shared/format.ts";

/** A range narrower than this many units of the price's last decimal is widened, so that there are different labels. */
const POINTS_MIN = 12;

/** Shares of a pane that are kept free above and below what is drawn. */
const [FREE_ABOVE, FREE_BELOW] = [0.11, 0.08] as const;
/** Largest share kept free for what is above the prices. */
const ABOVE_MOST = 0.45;
/** Room for the words of each half of a zone, in px, and for the countdown below its price. */
const WORDS_PX = 32;
/** For axes whose range already includes its margins. */
export const NO_GAP = { top: 0, bottom: 0 } as const;

/** Returns the px of a chart's upper edge that the page covers, from the style of its box. */
export function coveredAbove(host: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(host).getPropertyValue("--chart-over")) || 0;
}

/**
 * Returns the px to keep free above and below a range in a pane.
 *
 * @param abovePx px of the pane's upper edge that are in use, such as those of the legend
 * @param split share of the range above a price that has words on both sides; null if there is none
 */
export function marginsOf(
  heightPx: number,
  { abovePx, split }: { readonly abovePx: number; readonly split: number | null },
): { readonly above: number; readonly below: number } {
  const usedPx = Math.min(abovePx, heightPx * ABOVE_MOST);
  const [above, below] = [Math.max(usedPx, heightPx * FREE_ABOVE), heightPx * FREE_BELOW];
  // In a pane too low for both words, candles come first.
  if (split === null || split < 0 || split > 1 || heightPx - usedPx < WORDS_PX * 4) return { above, below };
  const missing = (neededPx: number, share: number, otherPx: number) =>
    share < 1 ? (neededPx - share * (heightPx - otherPx)) / (1 - share) : 0;
  const widerAbove = Math.max(above, missing(usedPx + WORDS_PX, split, below));
  return { above: widerAbove, below: Math.max(below, missing(WORDS_PX, 1 - split, widerAbove)) };
}

/**
 * Widens a range by the margins above and below it. The library's own margins can't be exact in px, because it measures
 * them before they widen the range.
 */
export function withMargins(
  range: AxisRange,
  { chart, paneId }: Pick<AxisCreateRangeParams, "chart" | "paneId">,
  terms: Parameters<typeof marginsOf>[1],
): AxisRange {
  const heightPx = Math.max(chart.getSize(paneId, "main")?.height ?? 0, 1);
  const { above, below } = marginsOf(heightPx, terms);
  const pricePerPx = range.realRange / (heightPx - above - below);
  const [realFrom, realTo] = [range.realFrom - below * pricePerPx, range.realTo + above * pricePerPx];
  return { ...range, realFrom, realTo, realRange: realTo - realFrom };
}

const DAY_MS = 86_400_000;
const STEPS_MS = [
  1_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000,
  14_400_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 1_209_600_000, 2_592_000_000, 7_776_000_000,
];

/** Returns the visible range: it includes nearby running entries and is never narrower than labels need. */
export function shownRange(
  range: AxisRange,
  { decimals, levels, log }: { readonly decimals: number; readonly levels: readonly number[]; readonly log: boolean },
): AxisRange {
  const near = levels.filter((level) => level >= range.from - range.range && level <= range.to + range.range);
  const [low, high] = [Math.min(range.from, ...near), Math.max(range.to, ...near)];
  const missing = Math.max(0, POINTS_MIN * 10 ** -decimals - (high - low)) / 2;
  const [from, to] = [low - missing, high + missing];
  const [realFrom, realTo] = log && from > 0 ? [Math.log10(from), Math.log10(to)] : [from, to];
  return {
    ...range,
    from,
    to,
    range: to - from,
    realFrom,
    realTo,
    realRange: realTo - realFrom,
    displayFrom: from,
    displayTo: to,
    displayRange: to - from,
  };
}

/**
 * Returns the range of a price axis.
 *
 * @param abovePx px of the pane's upper edge to keep free of prices
 * @param split the price that splits a zone in two halves with words; null if there is none
 */
export function priceRange(
  asked: AxisCreateRangeParams,
  {
    abovePx,
    split,
    ...terms
  }: Parameters<typeof shownRange>[1] & { readonly abovePx: number; readonly split: number | null },
): AxisRange {
  const range = shownRange(asked.defaultRange, terms);
  const value = split !== null && terms.log && range.from > 0 ? Math.log10(split) : split;
  const share = value === null || range.realRange <= 0 ? null : (range.realTo - value) / range.realRange;
  return withMargins(range, asked, { abovePx, split: share });
}

/** Returns distinguishable labels: of several with the same text, only the first. */
export function distinctTicks(ticks: readonly AxisTick[]): AxisTick[] {
  return ticks.filter(({ text }, at) => ticks.findIndex((other) => other.text === text) === at);
}

/** Returns the interval between time labels: the shortest round one that leaves room for each. */
export function timeStep(msPerPx: number, roomPx: number): number {
  return STEPS_MS.find((step) => step / msPerPx >= roomPx) ?? 31_536_000_000;
}

/** Formats a time below the chart: the day if the step is days, otherwise the clock time. `isDaily`: days are UTC's. */
function formatTick(at: number, step: number, isDaily: boolean): string {
  if (isDaily) return formatUtcDate(at);
  if (step >= DAY_MS) return formatDate(at);
  return step < 60_000 ? formatTime(at) : formatMinute(at);
}

const LABEL_PX = 76;
/** Width of a digit at a font size of 12 px. */
const DIGIT_PX = 7;

/** Returns the approximate width of a label below the chart. */
export function timeLabelPx(text: string): number {
  return text.length * DIGIT_PX;
}

/** Returns labels at round times, for candles of `lengthMs`. Candles may be missing, so each one is checked. */
export function timeTicks(chart: Chart, lengthMs: number): AxisTick[] {
  const { realFrom, realTo } = chart.getVisibleRange();
  const bars = chart.getDataList();
  const step = timeStep(lengthMs / chart.getBarSpace().bar, LABEL_PX);
  const last = bars.at(-1);
  if (!last) return [];
  // A daily candle is the day in UTC.
  const isDaily = lengthMs === DAY_MS;
  const zoneMs = isDaily ? 0 : new Date(last.timestamp).getTimezoneOffset() * 60_000;
  const timeAt = (at: number) => bars[at]?.timestamp ?? last.timestamp + (at - bars.length + 1) * lengthMs;
  const slot = (time: number) => Math.floor((time - zoneMs) / step);
  const width = chart.getSize("candle_pane", "main")?.width ?? Infinity;
  const ticks: AxisTick[] = [];
  for (let at = Math.max(1, realFrom); at <= realTo; at += 1) {
    const time = timeAt(at);
    if (slot(time) === slot(timeAt(at - 1))) continue;
    const { x } = chart.convertToPixel({ dataIndex: at }) as { x?: number };
    if (x === undefined || x - (ticks.at(-1)?.coord ?? -LABEL_PX) < LABEL_PX * 0.75) continue;
    const text = formatTick(time, step, isDaily);
    const half = timeLabelPx(text) / 2;
    // Leave out a label that an edge would clip.
    if (x >= half && x <= width - half) ticks.push({ coord: x, value: time, text });
  }
  return ticks;
}
