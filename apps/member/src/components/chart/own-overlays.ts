/** Drawings and figures that the library lacks: a rectangle, a measure, a text, and free drawing for orders. */
import { registerFigure, registerOverlay, type Coordinate, type TextAttrs } from "klinecharts";
import { formatChange, formatCountdown } from "../../shared/format.ts";
import { formatFigure } from "./chart-figures.ts";

/** A figure that draws itself on the canvas and ignores taps. */
export interface FreeFigure {
  readonly draw: (context: CanvasRenderingContext2D) => void;
}

const POINTS = { needDefaultPointFigure: true, needDefaultXAxisFigure: true, needDefaultYAxisFigure: true };

function boxOf(one: Coordinate, other: Coordinate) {
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(other.x - one.x),
    height: Math.abs(other.y - one.y),
  };
}

let isRegistered = false;

/** Registers them with the library, once per page. */
export function registerOwnOverlays(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerFigure<FreeFigure>({
    name: "fairtickFree",
    draw: (context, attrs) => {
      for (const figure of [attrs].flat()) figure.draw(context);
    },
    checkEventOn: () => false,
  });
  registerOverlay({
    name: "fairtickRectangle",
    totalStep: 3,
    ...POINTS,
    createPointFigures: ({ coordinates: [one, other] }) =>
      one && other ? [{ type: "rect", attrs: boxOf(one, other), styles: { style: "stroke_fill" } }] : [],
  });
  registerOverlay({
    name: "fairtickText",
    totalStep: 2,
    needDefaultPointFigure: true,
    createPointFigures: ({ coordinates: [place], overlay }) => {
      if (!place) return [];
      const attrs: TextAttrs = {
        ...place,
        text: typeof overlay.extendData === "string" ? overlay.extendData : "",
        baseline: "bottom",
      };
      return [{ type: "text", attrs }];
    },
  });
  registerOverlay({
    name: "fairtickMeasure",
    totalStep: 3,
    ...POINTS,
    createPointFigures: ({ coordinates: [one, other], overlay, chart }) => {
      const [from, to] = overlay.points;
      if (!one || !other || from?.value === undefined || to?.value === undefined) return [];
      const places = chart.getSymbol()?.pricePrecision ?? 2;
      const moved = to.value - from.value;
      const words = [
        formatFigure(moved, places),
        formatChange((moved / from.value).toFixed(6)),
        formatCountdown(Math.abs((to.timestamp ?? 0) - (from.timestamp ?? 0))),
      ].join(" · ");
      const text: TextAttrs = {
        x: (one.x + other.x) / 2,
        y: Math.min(one.y, other.y) - 4,
        text: words,
        align: "center",
        baseline: "bottom",
      };
      return [
        { type: "rect", attrs: boxOf(one, other), styles: { style: "stroke_fill", borderStyle: "dashed" } },
        { type: "text", attrs: text, ignoreEvent: true },
      ];
    },
  });
}
