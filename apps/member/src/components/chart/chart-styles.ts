/** The library's styles, made from the design tokens. */
import type { CandleStyle, DeepPartial, LineStyle, Styles, TextStyle } from "klinecharts";
import type { ChartColours } from "./chart-colours.ts";
import type { ChartSettings, ChartType } from "./chart-settings.ts";

const KINDS = {
  candles: "candle_solid",
  hollow: "candle_up_stroke",
  bars: "ohlc",
  line: "area",
  area: "area",
  // Drawn by our own indicator: the candles keep the real prices for the price tag and the crosshair.
  heikinAshi: "candle_solid",
} as const satisfies Record<ChartType, string>;

const NONE = "rgba(0, 0, 0, 0)";
/** Space above the line with open, high, low and close. */
export const LEGEND_TOP_PX = 4;
const TEXT_PX = 12;
/** The sides of the price's tag on which its countdown can be, in the order of the texts that the library asks for. */
export const COUNTDOWN_SIDES = ["below", "above"] as const;

/** Returns all styles that depend on colours and settings. */
export function chartStyles(colours: ChartColours, settings: ChartSettings): DeepPartial<Styles> {
  const { font, soft, grid, accent } = colours;
  const text = { family: font, size: TEXT_PX, color: soft, weight: 400 };
  const thin: Partial<LineStyle> = { style: "solid", size: 1, color: grid };
  const axis = { axisLine: { show: false }, tickLine: { show: false }, tickText: text };
  return {
    grid: { horizontal: thin, vertical: thin },
    candle: candleStyles(colours, settings),
    indicator: indicatorStyles(colours),
    xAxis: axis,
    yAxis: axis,
    separator: { size: 1, color: grid, activeBackgroundColor: NONE },
    crosshair: { horizontal: crosshair(colours), vertical: crosshair(colours) },
    overlay: overlayStyles(colours, accent),
  };
}

function crosshair({ soft, ground, font }: ChartColours) {
  return {
    line: { color: soft, dashedValue: [4, 3] },
    text: { ...tagText(font), color: ground, backgroundColor: soft, borderColor: soft },
  };
}

/** Text on a filled background, for the tags on both axes. */
function tagText(font: string): Partial<TextStyle> {
  return {
    family: font,
    size: TEXT_PX,
    weight: 500,
    borderRadius: 4,
    borderSize: 0,
    paddingLeft: 6,
    paddingRight: 6,
    paddingTop: 4,
    paddingBottom: 4,
  };
}

function candleStyles(colours: ChartColours, { type, countdown }: ChartSettings): DeepPartial<CandleStyle> {
  const { up, down, soft, ink, ground, line, area, font } = colours;
  const hidden = type === "heikinAshi";
  const [rise, fall, flat] = hidden ? [NONE, NONE, NONE] : [up, down, soft];
  const tag = tagText(font);
  const countdownTag = (side: (typeof COUNTDOWN_SIDES)[number]) => ({
    ...tag,
    show: countdown,
    color: ground,
    position: `${side}_price` as const,
    updateInterval: 1_000,
  });
  return {
    type: KINDS[type],
    bar: {
      upColor: rise,
      downColor: fall,
      noChangeColor: flat,
      upBorderColor: rise,
      downBorderColor: fall,
      noChangeBorderColor: flat,
      upWickColor: rise,
      downWickColor: fall,
      noChangeWickColor: flat,
    },
    area: {
      lineSize: 1.5,
      lineColor: line,
      backgroundColor: type === "area" ? area : NONE,
      point: { color: line, radius: 4, rippleColor: area, rippleRadius: 9, animation: false },
    },
    priceMark: {
      high: { show: false },
      low: { show: false },
      last: {
        upColor: ink,
        downColor: ink,
        noChangeColor: ink,
        line: { style: "dashed", dashedValue: [1, 3], size: 1 },
        text: { ...tag, color: ground },
        // One for each side; the text is empty on the side without room.
        extendTexts: COUNTDOWN_SIDES.map(countdownTag),
      },
    },
    tooltip: {
      title: { show: false },
      legend: {
        family: font,
        size: TEXT_PX,
        color: soft,
        marginLeft: 0,
        marginRight: 8,
        marginTop: 2,
        marginBottom: 2,
      },
      offsetLeft: 12,
      offsetTop: LEGEND_TOP_PX,
    },
  };
}

function indicatorStyles({ up, down, soft, font, first, second, third, fourth, line }: ChartColours) {
  const filled = { style: "fill" as const, upColor: up, downColor: down, noChangeColor: soft };
  const written = {
    family: font,
    size: TEXT_PX,
    color: soft,
    marginLeft: 0,
    marginTop: 2,
    marginBottom: 2,
    marginRight: 8,
  };
  return {
    ohlc: { upColor: up, downColor: down, noChangeColor: soft },
    bars: [filled],
    circles: [filled],
    lines: [first, second, third, fourth, line].map((color) => ({
      style: "solid" as const,
      smooth: false,
      size: 1.5,
      dashedValue: [2, 2],
      color,
    })),
    tooltip: { title: written, legend: { ...written, defaultValue: "–" }, offsetLeft: 12, offsetTop: 2 },
  };
}

function overlayStyles({ accentFill, accentSoft, third, font, ground }: ChartColours, accent: string) {
  const soft = `color-mix(in srgb, ${third} 14%, transparent)`;
  return {
    point: {
      color: ground,
      borderColor: third,
      borderSize: 2,
      radius: 5,
      activeColor: ground,
      activeBorderColor: accent,
      activeBorderSize: 3,
      activeRadius: 6,
    },
    line: { color: third, size: 1.5 },
    rect: { color: soft, borderColor: third },
    polygon: { color: third, borderColor: third },
    circle: { color: soft, borderColor: third },
    arc: { color: third },
    text: { ...tagText(font), color: "#ffffff", backgroundColor: accentFill, borderColor: accentSoft },
  };
}
