/** Indicators that the library lacks. */
import { registerIndicator, type IndicatorDrawParams } from "klinecharts";
import { averageTrueRange, heikinAshi, sessionExtremes, type HeikinAshi } from "./candle-math.ts";

/** Draws Heikin-Ashi candles over the usual ones, which are transparent. */
function drawHeikinAshi({ ctx, chart, indicator, yAxis }: IndicatorDrawParams<HeikinAshi, unknown, unknown>): boolean {
  const { realFrom, realTo } = chart.getVisibleRange();
  const { gapBar } = chart.getBarSpace();
  const { ohlc } = chart.getStyles().indicator;
  const colours = { ...ohlc, ...indicator.styles?.ohlc };
  for (let at = Math.max(0, realFrom); at < realTo; at += 1) {
    const bar = indicator.result[at];
    const place = chart.convertToPixel({ dataIndex: at }) as { x?: number };
    if (!bar || place.x === undefined) continue;
    const [open, close] = [yAxis.convertToPixel(bar.open), yAxis.convertToPixel(bar.close)];
    const [high, low] = [yAxis.convertToPixel(bar.high), yAxis.convertToPixel(bar.low)];
    ctx.fillStyle = bar.close >= bar.open ? colours.upColor : colours.downColor;
    ctx.fillRect(Math.round(place.x), high, 1, low - high);
    const width = Math.max(1, gapBar);
    ctx.fillRect(
      Math.round(place.x - Math.floor(width / 2)),
      Math.min(open, close),
      width,
      Math.max(1, Math.abs(close - open)),
    );
  }
  return true;
}

let isRegistered = false;

/** Registers them with the library, once per page. */
export function registerOwnIndicators(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerIndicator({
    name: "ATR",
    shortName: "ATR",
    series: "price",
    calcParams: [14],
    figures: [{ key: "atr", title: "ATR: ", type: "line" }],
    calc: (bars, { calcParams }) =>
      averageTrueRange(bars, Number(calcParams[0])).map((atr) => (atr === null ? {} : { atr })),
  });
  registerIndicator({
    name: "SESSION",
    shortName: "H/L",
    series: "price",
    figures: [
      { key: "high", title: "H: ", type: "line" },
      { key: "low", title: "L: ", type: "line" },
    ],
    calc: (bars) => [...sessionExtremes(bars)],
  });
  registerIndicator<HeikinAshi>({
    name: "HEIKIN_ASHI",
    series: "price",
    shouldOhlc: true,
    figures: [],
    calc: (bars) => [...heikinAshi(bars)],
    createTooltipDataSource: () => ({ name: "", calcParamsText: "", features: [], legends: [] }),
    draw: drawHeikinAshi,
  });
}
