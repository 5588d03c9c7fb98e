import type { Instrument } from "@fairtick/protocol";
import { useEffect, useRef, useState, type RefObject } from "react";
import type { TrailPoint } from "../../data/candles.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { serverNow } from "../../shared/server-clock.ts";
import { CandleFeed } from "./candle-feed.ts";
import type { Bar } from "./candle-series.ts";
import { loadAhead, stockUp } from "./candle-shelf.ts";
import { onColoursChange, readColours } from "./chart-colours.ts";
import type { ChartController } from "./chart-controller.ts";
import { EMPTY_SCENE, type ChartScene } from "./chart-scene.ts";
import type { ChartSettings } from "./chart-settings.ts";
import type { ChartSpan } from "./chart-span.ts";
import type { ChartView } from "./chart-view.ts";
import { holdPricesWhileMoved } from "./hold-prices.ts";
import { barsOfTrail, withNewer } from "./trail-bars.ts";

/** Delay before other intervals are preloaded, so that the chart itself loads first. */
const STOCK_UP_AFTER_MS = 2_000;

export interface PriceChartProps {
  readonly instrument: Instrument;
  readonly settings: ChartSettings;
  /** The handle for the tools, from `useChartController`. */
  readonly chart: ChartController;
  /** Prices tick by tick, instead of the interval's candles. */
  readonly trail?: Trail | undefined;
  /** Shows only this time span, and fingers scroll the page. Pass the same object while the span is the same. */
  readonly span?: ChartSpan | undefined;
  /** Orders drawn over the candles. `useChartScene` makes it from the member's own. */
  readonly scene?: ChartScene;
  /** Px between the newest candle and the right edge. */
  readonly room?: number | undefined;
  /** Px of one candle with its gap, before the member zooms. */
  readonly barPx?: number | undefined;
  /** Called when a settled order's dot is tapped. */
  readonly onSettledTap?: ((orderNo: string) => void) | undefined;
}

/** Prices over time, oldest first, and the length of the bars made from them. */
export interface Trail {
  readonly points: readonly TrailPoint[];
  readonly lengthMs: number;
}

type Interval = ChartSettings["interval"];

export interface DrawnChart {
  /** Null until the chart's code is loaded. */
  readonly view: ChartView | null;
  readonly state: "waiting" | "shown" | "failed";
  /** The interval of the visible candles, which is the previous one while another is loading. */
  readonly drawnAs: Interval | null;
}

/** Keeps a chart in `host`: creates and disposes of it, and passes it its candles or trail, settings and scene. */
export function useDrawnChart(host: RefObject<HTMLElement | null>, props: PriceChartProps): DrawnChart {
  const { instrument, settings, chart, scene = EMPTY_SCENE, trail, span, room, barPx } = props;
  const t = useText();
  const [state, setState] = useState<DrawnChart["state"]>("waiting");
  const [drawnAs, setDrawnAs] = useState<Interval | null>(null);
  const feed = useRef<CandleFeed | null>(null);
  const view = useView(host, props, {
    onOlder: () => feed.current?.readOlder(),
    onFailed: () => {
      setState("failed");
    },
  });
  const onShown = (interval?: Interval) => {
    chart.tell({ isReady: true });
    setState("shown");
    if (interval !== undefined) setDrawnAs(interval);
  };
  // Keep what is drawn: an interval that fails to load is retried, and the failure has been reported.
  const onFailed = () => {
    setState((before) => (before === "shown" ? before : "failed"));
  };
  const { symbol, examplesUntil } = instrument;
  const { interval } = settings;
  const isOfCandles = trail === undefined;
  useEffect(() => {
    // The candles come while the chart's code does.
    if (view === null && isOfCandles) loadAhead(symbol, interval, serverNow());
  }, [view, isOfCandles, symbol, interval]);
  useCandles(isOfCandles ? view : null, {
    symbol,
    interval,
    onFeed: (reading) => {
      feed.current = reading;
    },
    onShown,
    onFailed,
  });
  useTrail(view, trail, onShown);
  useEffect(() => view?.setSpan(span ?? null), [view, span]);
  useEffect(() => view?.setSettings(settings), [view, settings]);
  useEffect(() => view?.scene.set(scene), [view, scene]);
  const exampleWords = t("chart.examples");
  useEffect(() => {
    view?.scene.setExamples(examplesUntil === undefined ? null : { until: examplesUntil, words: exampleWords });
  }, [view, examplesUntil, exampleWords]);
  useEffect(() => {
    if (room !== undefined) view?.setRoom(room);
  }, [view, room]);
  useEffect(() => {
    if (barPx !== undefined) view?.setBarPx(barPx);
  }, [view, barPx]);
  return { view, state, drawnAs };
}

function chartWords(t: Text) {
  return {
    open: t("chart.open"),
    high: t("chart.high"),
    low: t("chart.low"),
    close: t("chart.close"),
    upper: t("chart.band.upper"),
    middle: t("chart.band.middle"),
    lower: t("chart.band.lower"),
    signal: t("chart.line.signal"),
    average: t("chart.line.average"),
    histogram: t("chart.line.histogram"),
  };
}

/** Creates the chart once its code is loaded, with its initial values. Later changes come from other effects. */
function useView(
  host: RefObject<HTMLElement | null>,
  { instrument: { symbol, decimals }, settings, chart, room, barPx, onSettledTap }: PriceChartProps,
  told: {
    /** Called when the chart was moved to the end of its candles. */
    readonly onOlder: () => void;
    readonly onFailed: () => void;
  },
): ChartView | null {
  const t = useText();
  const [view, setView] = useState<ChartView | null>(null);
  const now = useRef({ settings, room, barPx, onSettledTap, ...told });
  now.current = { settings, room, barPx, onSettledTap, ...told };
  useEffect(() => {
    const place = host.current;
    if (place === null) return undefined;
    let made: ChartView | null = null;
    let gone = false;
    import("./chart-view.ts")
      .then((code) => {
        if (gone) return;
        const words = chartWords(t);
        const { settings: first, room: firstRoom, barPx: firstBar } = now.current;
        const colours = readColours(place);
        const terms = { symbol, decimals, settings: first, colours, words, room: firstRoom, barPx: firstBar };
        made = new code.ChartView(place, terms, {
          onOlder: () => {
            now.current.onOlder();
          },
          onMoved: (isLive) => {
            if (chart.state().isLive !== isLive) chart.tell({ isLive });
          },
          onDrawings: (drawings) => chart.tell(drawings),
          onSettledTap: (orderNo) => now.current.onSettledTap?.(orderNo),
          onPointed: chart.tellPointed,
        });
        setView(made);
        chart.attach(made);
      })
      .catch(() => {
        if (!gone) now.current.onFailed();
      });
    const stopHolding = holdPricesWhileMoved(place);
    const stopColours = onColoursChange(() => made?.setColours(readColours(place)));
    return () => {
      gone = true;
      stopHolding();
      stopColours();
      chart.attach(null);
      made?.destroy();
    };
    // The chart keeps the language it was created with; changing the language reopens the screen.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [symbol, decimals, chart]);
  return view;
}

/** Loads the candles of an interval into a chart, and adds the newest ones as they come. */
function useCandles(
  view: ChartView | null,
  {
    symbol,
    interval,
    ...told
  }: {
    readonly symbol: string;
    readonly interval: Interval;
    /** Gets the feed to request older candles from; null when it has ended. */
    readonly onFeed: (feed: CandleFeed | null) => void;
    readonly onShown: (interval: Interval) => void;
    readonly onFailed: () => void;
  },
): void {
  const now = useRef(told);
  useEffect(() => {
    now.current = told;
  });
  useEffect(() => {
    if (view === null) return undefined;
    const reading = new CandleFeed(symbol, interval, {
      onAll: (bars) => {
        view.setBars(bars, interval);
        now.current.onShown(interval);
      },
      onNewest: (bars, from) => {
        view.updateBars(bars, from);
      },
      onFailed: () => {
        now.current.onFailed();
      },
    });
    now.current.onFeed(reading);
    reading.start();
    const gone = new AbortController();
    const stocking = setTimeout(() => {
      stockUp(symbol, interval, serverNow, gone.signal).catch(() => undefined);
    }, STOCK_UP_AFTER_MS);
    return () => {
      clearTimeout(stocking);
      gone.abort();
      now.current.onFeed(null);
      reading.stop();
    };
  }, [view, symbol, interval]);
}

/** Draws a trail instead of candles, appending what is new. */
function useTrail(view: ChartView | null, trail: Trail | undefined, onShown: () => void): void {
  const drawn = useRef<{ readonly bars: readonly Bar[]; readonly lengthMs: number }>({ bars: [], lengthMs: 0 });
  const shown = useRef(onShown);
  useEffect(() => {
    shown.current = onShown;
  });
  useEffect(() => {
    if (view === null || trail === undefined) return;
    const { points, lengthMs } = trail;
    const bars = barsOfTrail(points, lengthMs);
    if (bars.length === 0) return;
    const before = drawn.current;
    const longer = before.lengthMs === lengthMs ? withNewer(before.bars, bars) : null;
    if (longer === null) view.setBars(bars, "1s", lengthMs);
    else view.updateBars(longer, Math.max(before.bars.length - 1, 0));
    drawn.current = { bars: longer ?? bars, lengthMs };
    shown.current();
  }, [view, trail]);
}
