import type { Instrument } from "@fairtick/protocol";
import type { Interval } from "../../data/candles.ts";
import { changeToday } from "../../data/instruments.ts";
import { usePriceState } from "../../data/price-state.ts";
import { formatChange, formatDateTime, formatPrice } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { useServerNow } from "../../shared/server-clock.ts";
import { spokenCandleTime } from "./candle-dates.ts";
import type { ChartController } from "./chart-controller.ts";
import { formatFigure } from "./chart-figures.ts";

const EVERY_MS = 5_000;

/** A description of the chart for screen readers. Read on request, never announced automatically. */
export function ChartWords({
  instrument,
  name,
  chart,
  interval,
}: {
  readonly instrument: Instrument;
  readonly name: string;
  readonly chart: ChartController;
  /** The interval of the visible candles. */
  readonly interval: Interval;
}) {
  const t = useText();
  const { price } = usePriceState(instrument);
  const { decimals, examplesUntil } = instrument;
  useServerNow(EVERY_MS);
  const change = changeToday(instrument, price ?? undefined);
  const seen = chart.seen();
  const parts = [
    name,
    ...(price === null ? [] : [t("chart.saidPrice", { price: formatPrice(price, decimals) })]),
    ...(change === null ? [] : [t("chart.saidToday", { change: formatChange(change.toFixed(6)) })]),
    ...(seen === null
      ? []
      : [
          t("chart.saidSeen", {
            count: seen.count,
            from: spokenCandleTime(seen.from, interval),
            to: spokenCandleTime(seen.to, interval),
            trend: t(`chart.${trendOf(seen)}`),
            high: formatFigure(seen.high, decimals),
            low: formatFigure(seen.low, decimals),
          }),
        ]),
    ...(seen === null || examplesUntil === undefined || seen.from >= examplesUntil
      ? []
      : [t("chart.saidExamples", { until: formatDateTime(examplesUntil) })]),
  ];
  return (
    <figcaption className="unseen" id={wordsId(instrument)} data-testid="chart-words">
      {parts.join(". ")}
    </figcaption>
  );
}

/** Returns the id of the description of a product's chart. */
export function wordsId({ symbol }: Pick<Instrument, "symbol">): string {
  return `chart-words-${symbol}`;
}

/** Prices from the first open to the last close. */
export interface PriceRange {
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
}

/** The visible candles: how many, when the first and the last one begin, and their prices. */
export interface SeenRange extends PriceRange {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** A move smaller than this share of the range isn't a trend. */
const TREND_PART = 0.25;

/** Returns the trend of the visible range, by how much of it the price has moved. */
export function trendOf({ open, close, high, low }: PriceRange): "rising" | "falling" | "sideways" {
  const moved = close - open;
  if (high === low || Math.abs(moved) < TREND_PART * (high - low)) return "sideways";
  return moved > 0 ? "rising" : "falling";
}

/** Returns the description of one candle, for moving the crosshair with keys. */
export function spokenBar(
  t: Text,
  bar: PriceRange & { readonly timestamp: number },
  { decimals }: Pick<Instrument, "decimals">,
  interval: Interval,
): string {
  const figure = (price: number) => formatFigure(price, decimals);
  return t("chart.saidCandle", {
    time: spokenCandleTime(bar.timestamp, interval),
    open: figure(bar.open),
    high: figure(bar.high),
    low: figure(bar.low),
    close: figure(bar.close),
  });
}
