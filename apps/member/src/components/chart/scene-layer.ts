/** The layer of orders over the candles: painted with each move of the chart, and once a second for the countdowns. */
import type { Chart, CircleAttrs, OverlayFigure, OverlayTemplate, YAxis } from "klinecharts";
import { registerOverlay } from "klinecharts";
import { formatTime } from "../../shared/format.ts";
import { serverNow } from "../../shared/server-clock.ts";
import { indexOfInstant } from "./candle-series.ts";
import type { ChartColours } from "./chart-colours.ts";
import { formatFigure } from "./chart-figures.ts";
import { EMPTY_SCENE, type ChartScene, type Replay, type SettledMark } from "./chart-scene.ts";
import type { FreeFigure } from "./own-overlays.ts";
import type { PriceTags, TagSpan } from "./price-tags.ts";
import { layOutTags, paintRunning } from "./running-painter.ts";
import { paintPreview, paintReplay, paintSettled, type Places } from "./scene-painter.ts";
import { placeTimeTags, timeTagSpan } from "./time-tags.ts";

const NAME = "fairtickScene";
const EVERY_MS = 1_000;
const TAP_PX = 16;
/** So many of the orders that run have their time under the chart: those that end next. */
const TIMES_MOST = 3;
/** As long as the path of a result takes, see `--motion-path`. */
const REPLAY_MS = 700;

export interface SceneTerms {
  readonly colours: ChartColours;
  readonly tags: PriceTags;
  /** Px from the left that the figures in the chart's corner take; 0 where there are none. */
  readonly legendWidth: () => number;
  readonly onSettledTap: (orderNo: string) => void;
}

export class SceneLayer {
  readonly #chart: Chart;
  readonly #tags: PriceTags;
  readonly #legendWidth: () => number;
  readonly #onSettledTap: (orderNo: string) => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #colours: ChartColours;
  #scene: ChartScene = EMPTY_SCENE;
  #replay: Replay | null = null;
  #frame = 0;
  #lengthMs = 1_000;
  #id: string | null = null;

  constructor(chart: Chart, { colours, tags, legendWidth, onSettledTap }: SceneTerms) {
    registerScene();
    this.#chart = chart;
    this.#colours = colours;
    this.#tags = tags;
    this.#legendWidth = legendWidth;
    this.#onSettledTap = onSettledTap;
    this.#timer = setInterval(() => {
      if (this.#scene.running.length > 0 || this.#scene.preview !== null) this.redraw();
    }, EVERY_MS);
  }

  /** The first bars are there, or others: instants lie elsewhere now. */
  setBars(lengthMs: number): void {
    this.#lengthMs = lengthMs;
    if (this.#id === null) {
      const made = this.#chart.createOverlay({
        name: NAME,
        lock: true,
        zLevel: -1,
        points: [{ timestamp: this.#chart.getDataList()[0]?.timestamp ?? 0, value: 0 }],
        extendData: () => this,
        onClick: ({ figure }) => {
          if (figure?.key !== undefined) this.#onSettledTap(figure.key);
        },
      });
      this.#id = typeof made === "string" ? made : null;
    }
    this.redraw();
  }

  set(scene: ChartScene): void {
    this.#scene = scene;
    this.redraw();
  }

  /** Draws a settled order's path again, from its entry to its exit; at once where the system asks for no motion. */
  play(order: SettledMark, points: Replay["points"]): void {
    cancelAnimationFrame(this.#frame);
    const begun = performance.now();
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = () => {
      const part = isStill ? 1 : Math.min((performance.now() - begun) / REPLAY_MS, 1);
      this.#replay = { order, points, part };
      this.redraw();
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    step();
  }

  /** Takes a drawn path away. */
  stopReplay(): void {
    cancelAnimationFrame(this.#frame);
    this.#replay = null;
    this.redraw();
  }

  setColours(colours: ChartColours): void {
    this.#colours = colours;
    this.redraw();
  }

  /** Entry prices that the price axis should hold. */
  levels(): readonly number[] {
    return this.#scene.running.map(({ entryPrice }) => Number(entryPrice));
  }

  redraw(): void {
    if (this.#id !== null) this.#chart.overrideOverlay({ id: this.#id, extendData: () => this });
  }

  destroy(): void {
    clearInterval(this.#timer);
    cancelAnimationFrame(this.#frame);
  }

  x(at: number): number {
    const bars = this.#chart.getDataList();
    // A tick falls within its candle, whose middle is where the library places it.
    const index = indexOfInstant(bars, at, this.#lengthMs) - 0.5;
    const place = this.#chart.convertToPixel({ dataIndex: index }) as { x?: number };
    return place.x ?? 0;
  }

  /** The figures over the candles. */
  figures(yAxis: YAxis, { width, height }: { width: number; height: number }): OverlayFigure[] {
    const places: Places = {
      width,
      height,
      legendWidth: this.#legendWidth(),
      x: (at) => this.x(at),
      y: (price) => yAxis.convertToPixel(price),
    };
    const look = { places, colours: this.#colours, now: serverNow() };
    const { running, preview, settled } = this.#scene;
    const newest = this.#chart.getDataList().at(-1);
    const free: FreeFigure = {
      draw: (context) => {
        context.save();
        context.beginPath();
        context.rect(0, 0, width, height);
        context.clip();
        const tags = layOutTags(context, running, look);
        if (preview !== null && newest) {
          paintPreview(context, preview, { ...look, price: newest.close, taken: tags.taken });
        }
        paintRunning(context, running, tags, look);
        for (const mark of settled) paintSettled(context, mark, look);
        if (this.#replay !== null) paintReplay(context, this.#replay, look);
        context.restore();
      },
    };
    const taps = settled.map((mark): OverlayFigure => {
      const attrs: CircleAttrs = { x: places.x(mark.exitAt), y: places.y(Number(mark.exitPrice)), r: TAP_PX };
      const styles = { style: "fill", color: "rgba(0, 0, 0, 0)" };
      return { type: "circle", key: mark.orderNo, attrs, styles };
    });
    return [{ type: "fairtickFree", attrs: free, ignoreEvent: true }, ...taps];
  }

  /** Expiry times under the chart, each with the middle of its tag. */
  #timeTags(): { readonly at: number; readonly x: number }[] {
    const times = this.#scene.running.slice(0, TIMES_MOST).map(({ expiresAt }) => expiresAt);
    const wanted = times.map((at) => this.x(at));
    const places = placeTimeTags(wanted, this.#chart.getSize("candle_pane", "main")?.width ?? 0);
    return times.flatMap((at, nth) => {
      const x = places[nth] ?? null;
      return x === null ? [] : [{ at, x }];
    });
  }

  /** What those tags take of the time axis. */
  timeSpans(): TagSpan[] {
    return this.#timeTags().map(({ x }) => timeTagSpan(x));
  }

  timeFigures(): OverlayFigure[] {
    const { accent, accentSoft } = this.#colours;
    return this.#timeTags().map(({ at, x }) => ({
      type: "text",
      attrs: { x, y: 0, text: formatTime(at), align: "center" },
      styles: { color: accent, backgroundColor: accentSoft },
      ignoreEvent: true,
    }));
  }

  /** Entry prices beside the chart. */
  priceFigures(): OverlayFigure[] {
    const places = this.#chart.getSymbol()?.pricePrecision ?? 2;
    return this.#tags.entries().map(({ price, y }) => ({
      type: "text",
      attrs: { x: 0, y, text: formatFigure(price, places), baseline: "middle" },
      ignoreEvent: true,
    }));
  }
}

let isRegistered = false;

function registerScene(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerOverlay<() => SceneLayer>({
    name: NAME,
    totalStep: 2,
    createPointFigures: ({ overlay, yAxis, bounding }) =>
      yAxis === null ? [] : overlay.extendData().figures(yAxis, bounding),
    createXAxisFigures: ({ overlay }) => overlay.extendData().timeFigures(),
    createYAxisFigures: ({ overlay }) => overlay.extendData().priceFigures(),
  } satisfies OverlayTemplate<() => SceneLayer>);
}
