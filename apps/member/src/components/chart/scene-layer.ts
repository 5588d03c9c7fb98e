/** The layer of orders over the candles, redrawn with each move of the chart and once a second for the countdowns. */
import type { Chart, CircleAttrs, OverlayFigure, OverlayTemplate, YAxis } from "klinecharts";
import { registerOverlay } from "klinecharts";
import { formatTime } from "../../shared/format.ts";
import { serverNow } from "../../shared/server-clock.ts";
import { indexOfInstant } from "./candle-series.ts";
import type { ChartColours } from "./chart-colours.ts";
import { formatFigure } from "./chart-figures.ts";
import { EMPTY_SCENE, type ChartScene, type Examples, type Replay, type SettledMark } from "./chart-scene.ts";
import type { LegendArea } from "./legend-fit.ts";
import type { FreeFigure } from "./own-overlays.ts";
import type { PriceTags, TagSpan } from "./price-tags.ts";
import { layOutTags, paintRunning } from "./running-painter.ts";
import { paintExamples, paintReplay, paintSettled, type Places } from "./scene-painter.ts";
import { placeTimeTags, timeTagSpan } from "./time-tags.ts";
import { paintPreview, PREVIEW_LEAST_PX } from "./zone-painter.ts";

const NAME = "fairtickScene";
const EVERY_MS = 1_000;
const TAP_PX = 16;
/** How many running orders have their expiry time below the chart: those that end next. */
const TIMES_MOST = 3;
/** Same duration as the path of a result, see `--motion-path`. */
const REPLAY_MS = 700;

export interface SceneTerms {
  readonly colours: ChartColours;
  readonly tags: PriceTags;
  /** The space of the figures in the chart's corner. */
  readonly legend: () => LegendArea;
  /** Px of the chart's upper edge that the page covers. */
  readonly covered: () => number;
  readonly onSettledTap: (orderNo: string) => void;
}

export class SceneLayer {
  readonly #chart: Chart;
  readonly #tags: PriceTags;
  readonly #legend: () => LegendArea;
  readonly #covered: () => number;
  readonly #onSettledTap: (orderNo: string) => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #colours: ChartColours;
  #scene: ChartScene = EMPTY_SCENE;
  #examples: Examples | null = null;
  #replay: Replay | null = null;
  #frame = 0;
  #lengthMs = 1_000;
  #id: string | null = null;

  constructor(chart: Chart, { colours, tags, legend, covered, onSettledTap }: SceneTerms) {
    registerScene();
    this.#chart = chart;
    this.#colours = colours;
    this.#tags = tags;
    this.#legend = legend;
    this.#covered = covered;
    this.#onSettledTap = onSettledTap;
    this.#timer = setInterval(() => {
      if (this.#scene.running.length > 0 || this.#scene.preview !== null) this.redraw();
    }, EVERY_MS);
  }

  /** Called when bars are first set or replaced, because instants then have other positions. */
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

  /** Marks where the made-up past ends; null if there is none. */
  setExamples(examples: Examples | null): void {
    this.#examples = examples;
    this.redraw();
  }

  /** Replays a settled order's path from its entry to its exit; drawn at once if the system asks for reduced motion. */
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

  /** Removes a replayed path. */
  stopReplay(): void {
    cancelAnimationFrame(this.#frame);
    this.#replay = null;
    this.redraw();
  }

  setColours(colours: ChartColours): void {
    this.#colours = colours;
    this.redraw();
  }

  /** Returns the entry prices that the price axis should include, and the one that splits the zone in view, if any. */
  prices(): { readonly levels: readonly number[]; readonly split: number | null } {
    const { running, preview } = this.#scene;
    const levels = running.map(({ entryPrice }) => Number(entryPrice));
    const bars = this.#chart.getDataList();
    const isLive = this.#chart.getVisibleRange().to >= bars.length;
    const begun = running[0]?.direction ? levels[0] : undefined;
    const previewPx = ((preview?.durationMs ?? 0) / this.#lengthMs) * this.#chart.getBarSpace().bar;
    const wouldBegin = isLive && previewPx >= PREVIEW_LEAST_PX ? bars.at(-1)?.close : undefined;
    return { levels, split: begun ?? wouldBegin ?? null };
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
    // The library places an index at its candle's middle; the index here counts from the candle's start.
    const index = indexOfInstant(bars, at, this.#lengthMs) - 0.5;
    const place = this.#chart.convertToPixel({ dataIndex: index }) as { x?: number };
    return place.x ?? 0;
  }

  /** Returns the figures over the candles. */
  figures(yAxis: YAxis, { width, height }: { width: number; height: number }): OverlayFigure[] {
    const places: Places = {
      width,
      height,
      legend: this.#legend(),
      covered: this.#covered(),
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
        if (this.#examples !== null) paintExamples(context, this.#examples, look);
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

  /** Returns the expiry times shown below the chart, each with the middle of its tag. */
  #timeTags(): { readonly at: number; readonly x: number }[] {
    const times = this.#scene.running.slice(0, TIMES_MOST).map(({ expiresAt }) => expiresAt);
    const wanted = times.map((at) => this.x(at));
    const places = placeTimeTags(wanted, this.#chart.getSize("candle_pane", "main")?.width ?? 0);
    return times.flatMap((at, nth) => {
      const x = places[nth] ?? null;
      return x === null ? [] : [{ at, x }];
    });
  }

  /** Returns the space those tags take on the time axis. */
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

  /** Returns the entry prices shown beside the chart. */
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
