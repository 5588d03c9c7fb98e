import type { Instrument } from "@fairtick/protocol";
import { changeToday } from "../../data/instruments.ts";
import { usePriceState } from "../../data/price-state.ts";
import { formatChange, formatDateTime, formatPrice } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { useServerNow } from "../../shared/server-clock.ts";
import type { ChartController } from "./chart-controller.ts";
import { formatFigure } from "./chart-figures.ts";

const EVERY_MS = 5_000;

/** What the chart shows, in words for those who do not see it: read when asked for, never announced by itself. */
export function ChartWords({
  instrument,
  name,
  chart,
}: {
  readonly instrument: Instrument;
  readonly name: string;
  readonly chart: ChartController;
}) {
  const t = useText();
  const { price } = usePriceState(instrument);
  const { decimals } = instrument;
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
            trend: t(`chart.${trendOf(seen)}`),
            high: formatFigure(seen.high, decimals),
            low: formatFigure(seen.low, decimals),
          }),
        ]),
  ];
  return (
    <figcaption className="unseen" id={wordsId(instrument)} data-testid="chart-words">
      {parts.join(". ")}
    </figcaption>
  );
}

/** Where the words of a product's chart stand, for what they describe. */
export function wordsId({ symbol }: Pick<Instrument, "symbol">): string {
  return `chart-words-${symbol}`;
}

/** What is in sight: from its first open to its last close, and how far it went. */
export interface SeenRange {
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
}

/** A move of less than so much of the whole range is no trend. */
const TREND_PART = 0.25;

/** The trend of what is in sight: by how much of its range the price has moved. */
export function trendOf({ open, close, high, low }: SeenRange): "rising" | "falling" | "sideways" {
  const moved = close - open;
  if (high === low || Math.abs(moved) < TREND_PART * (high - low)) return "sideways";
  return moved > 0 ? "rising" : "falling";
}

/** One candle, as the crosshair's keys say it. */
export function spokenBar(
  t: Text,
  bar: SeenRange & { readonly timestamp: number },
  { decimals }: Pick<Instrument, "decimals">,
): string {
  const figure = (price: number) => formatFigure(price, decimals);
  return t("chart.saidCandle", {
    time: formatDateTime(bar.timestamp),
    open: figure(bar.open),
    high: figure(bar.high),
    low: figure(bar.low),
    close: figure(bar.close),
  });
}
