import type {
  IChartApiBase,
  ISeriesApi,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  SeriesType,
} from "lightweight-charts";
import type { ChartColours } from "./chart-colours.ts";

/** An open order as it is marked in the chart. Instants in ms. */
export interface OrderMark {
  readonly orderNo: string;
  readonly entryAt: number;
  readonly entryPrice: string;
  readonly expiresAt: number;
  /** Stands at the expiry's line. */
  readonly words: string;
}

/** Where the bars stand: an instant's place is counted from the newest one, since the future has no bars. */
export interface BarPlaces {
  readonly lastTime: number;
  readonly lastIndex: number;
  readonly lengthMs: number;
}

/** Draws a ring at each own entry and a dashed line at each expiry. */
export class OrderMarks implements ISeriesPrimitive {
  #chart: IChartApiBase | null = null;
  #series: ISeriesApi<SeriesType> | null = null;
  #redraw: () => void = () => undefined;
  #marks: readonly OrderMark[] = [];
  #places: BarPlaces | null = null;
  #colours: ChartColours;

  constructor(colours: ChartColours) {
    this.#colours = colours;
  }

  attached({ chart, series, requestUpdate }: SeriesAttachedParameter): void {
    this.#chart = chart;
    this.#series = series;
    this.#redraw = requestUpdate;
  }

  detached(): void {
    this.#chart = null;
    this.#series = null;
  }

  set(marks: readonly OrderMark[], places: BarPlaces | null, colours: ChartColours): void {
    this.#marks = marks;
    this.#places = places;
    this.#colours = colours;
    this.#redraw();
  }

  paneViews() {
    return [{ zOrder: () => "top" as const, renderer: () => ({ draw: (target: DrawTarget) => this.#draw(target) }) }];
  }

  #x(at: number): number | null {
    if (this.#places === null || this.#chart === null) return null;
    const { lastTime, lastIndex, lengthMs } = this.#places;
    // A bar is drawn around its place, so that its start lies half a bar before.
    const place = lastIndex + (at - lastTime) / lengthMs - 0.5;
    // The library knows whole places only; what lies between them is laid between them.
    const whole = Math.floor(place);
    const scale = this.#chart.timeScale();
    const left = scale.logicalToCoordinate(whole as Logical);
    const right = scale.logicalToCoordinate((whole + 1) as Logical);
    return left === null || right === null ? null : left + (place - whole) * (right - left);
  }

  #draw(target: DrawTarget): void {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.font = `12px ${this.#colours.font}`;
      this.#marks.forEach((mark, place) => {
        const end = this.#x(mark.expiresAt);
        if (end !== null && end >= 0 && end <= mediaSize.width) {
          this.#drawExpiry(context, mediaSize, end, mark.words, place);
        }
        const begin = this.#x(mark.entryAt);
        const level = this.#series?.priceToCoordinate(Number(mark.entryPrice)) ?? null;
        if (begin !== null && level !== null) this.#drawEntry(context, begin, level);
      });
    });
  }

  #drawExpiry(context: CanvasRenderingContext2D, size: { height: number }, x: number, words: string, place: number) {
    context.strokeStyle = this.#colours.soft;
    context.lineWidth = 1;
    context.setLineDash([2, 3]);
    context.beginPath();
    context.moveTo(Math.round(x) + 0.5, 0);
    context.lineTo(Math.round(x) + 0.5, size.height);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = this.#colours.soft;
    context.textAlign = "right";
    // Several orders stand under each other; further ones are in the list of orders.
    if (place < 4) context.fillText(words, x - 6, 14 + place * 16);
  }

  #drawEntry(context: CanvasRenderingContext2D, x: number, y: number): void {
    context.beginPath();
    context.arc(x, y, 3.5, 0, 2 * Math.PI);
    context.fillStyle = this.#colours.ground;
    context.fill();
    context.strokeStyle = this.#colours.accent;
    context.lineWidth = 2;
    context.stroke();
  }
}

/** The part of fancy-canvas' target that is used here. */
interface DrawTarget {
  useMediaCoordinateSpace(
    draw: (scope: { context: CanvasRenderingContext2D; mediaSize: { width: number; height: number } }) => void,
  ): void;
}
