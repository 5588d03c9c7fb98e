/** Both axes: a price's labels in a narrow range, the member's clock below, round times where they fall. */
import type { AxisRange, AxisTick, Chart } from "klinecharts";
import { formatDate, formatMinute, formatTime } from "../../shared/format.ts";

/** A range narrower than so many of the price's last places is widened, so that labels differ and there are some. */
const POINTS_MIN = 12;

/** Part of the prices' range that is kept free above them. */
const GAP_ABOVE = 0.14;
/** The library counts px of the range before its gaps widen it: on a low chart so many times more make up for that. */
const WIDENED = 1.75;

/** What is kept free above the prices, as the library takes it: a part, or px where that much of the chart is covered. */
export function gapAbove(coveredPx: number): number {
  return coveredPx > 0 ? coveredPx * WIDENED : GAP_ABOVE;
}

const STEPS_MS = [
  1_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000,
  14_400_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 1_209_600_000, 2_592_000_000, 7_776_000_000,
];

/** The range that is shown: with the entries that run nearby, and never narrower than labels need. */
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

/** Labels that can be told apart: of several with the same words, the first. */
export function distinctTicks(ticks: readonly AxisTick[]): AxisTick[] {
  return ticks.filter(({ text }, at) => ticks.findIndex((other) => other.text === text) === at);
}

/** The length between two labels in time: the shortest round one that leaves each its room. */
export function timeStep(msPerPx: number, roomPx: number): number {
  return STEPS_MS.find((step) => step / msPerPx >= roomPx) ?? 31_536_000_000;
}

/** A time under the chart: the day where days are stepped through, else the clock. */
export function formatTick(at: number, step: number): string {
  if (step >= 86_400_000) return formatDate(at);
  return step < 60_000 ? formatTime(at) : formatMinute(at);
}

const LABEL_PX = 76;
/** Of a digit in 12 px of size. */
const DIGIT_PX = 7;

/** About what a label under the chart is wide. */
export function timeLabelPx(text: string): number {
  return text.length * DIGIT_PX;
}

/** Labels at round times, for candles of `lengthMs`. Some may be missing, so that each is looked at. */
export function timeTicks(chart: Chart, lengthMs: number): AxisTick[] {
  const { realFrom, realTo } = chart.getVisibleRange();
  const bars = chart.getDataList();
  const step = timeStep(lengthMs / chart.getBarSpace().bar, LABEL_PX);
  const last = bars.at(-1);
  if (!last) return [];
  const zoneMs = new Date(last.timestamp).getTimezoneOffset() * 60_000;
  const timeAt = (at: number) => bars[at]?.timestamp ?? last.timestamp + (at - bars.length + 1) * lengthMs;
  const slot = (time: number) => Math.floor((time - zoneMs) / step);
  const width = chart.getSize("candle_pane", "main")?.width ?? Infinity;
  const ticks: AxisTick[] = [];
  for (let at = Math.max(1, realFrom); at <= realTo; at += 1) {
    const time = timeAt(at);
    if (slot(time) === slot(timeAt(at - 1))) continue;
    const { x } = chart.convertToPixel({ dataIndex: at }) as { x?: number };
    if (x === undefined || x - (ticks.at(-1)?.coord ?? -LABEL_PX) < LABEL_PX * 0.75) continue;
    const text = formatTick(time, step);
    const half = timeLabelPx(text) / 2;
    // One that an edge would cut is left out.
    if (x >= half && x <= width - half) ticks.push({ coord: x, value: time, text });
  }
  return ticks;
}
