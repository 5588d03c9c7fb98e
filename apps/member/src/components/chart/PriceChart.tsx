import type { Instrument } from "@fairtick/protocol";
import { FailedState, IconChevronRight } from "@fairtick/ui";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { TrailPoint } from "../../data/candles.ts";
import { onReconnected } from "../../data/connection.ts";
import { useText } from "../../shared/i18n.ts";
import { CandleFeed } from "./candle-feed.ts";
import type { Bar } from "./candle-series.ts";
import { onColoursChange, readColours } from "./chart-colours.ts";
import { useChartState, type ChartController } from "./chart-controller.ts";
import { EMPTY_SCENE, type ChartScene } from "./chart-scene.ts";
import type { ChartSettings } from "./chart-settings.ts";
import type { ChartSpan } from "./chart-span.ts";
import type { ChartView } from "./chart-view.ts";
import { actOfKey } from "./chart-keys.ts";
import { barsOfTrail, withNewer } from "./trail-bars.ts";
import { ChartWords, spokenBar, wordsId } from "./ChartWords.tsx";
import "./chart.css";

export interface PriceChartProps {
  readonly instrument: Instrument;
  readonly settings: ChartSettings;
  /** The tools' way into the chart, from `useChartController`. */
  readonly chart: ChartController;
  /** The price's way tick by tick, instead of the interval's candles. */
  readonly trail?: Trail | undefined;
  /** Shows this piece of time and no other; fingers scroll the page. Keep it the same object while it is the same piece. */
  readonly span?: ChartSpan | undefined;
  /** Orders that are drawn over the candles; `useChartScene` makes it of the member's own. */
  readonly scene?: ChartScene;
  /** Px between the newest candle and the right edge. */
  readonly room?: number | undefined;
  /** Px of one candle with its gap, before the member zooms. */
  readonly barPx?: number | undefined;
  /** A settled order's dot was tapped. */
  readonly onSettledTap?: ((orderNo: string) => void) | undefined;
}

/** Points of a price's way, oldest first, and the length of the bars that are made of them. */
export interface Trail {
  readonly points: readonly TrailPoint[];
  readonly lengthMs: number;
}

/**
 * One product's chart, alive: it fills the place that it is given, whose height must come from elsewhere. Another
 * interval, type or set of indicators is drawn without a blank frame, and the zoom stays.
 */
export function PriceChart(props: PriceChartProps) {
  const [attempt, setAttempt] = useState(0);
  return (
    <DrawnChart
      {...props}
      // Another product has other prices: nothing of the one before may be seen under its name.
      key={`${props.instrument.symbol} ${attempt}`}
      onAgain={() => {
        setAttempt((count) => count + 1);
      }}
    />
  );
}

function DrawnChart({
  instrument,
  settings,
  chart,
  scene = EMPTY_SCENE,
  trail,
  span,
  room,
  barPx,
  onSettledTap,
  onAgain,
}: PriceChartProps & { readonly onAgain: () => void }) {
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<ChartView | null>(null);
  const [state, setState] = useState<"waiting" | "shown" | "failed">("waiting");
  const [drawnAs, setDrawnAs] = useState<ChartSettings["interval"] | null>(null);
  const [said, setSaid] = useState("");
  const { symbol, decimals } = instrument;
  const now = useRef({ settings, scene, room, barPx, onSettledTap });
  now.current = { settings, scene, room, barPx, onSettledTap };
  const feed = useRef<CandleFeed | null>(null);

  useEffect(() => {
    const place = host.current;
    if (place === null) return undefined;
    let made: ChartView | null = null;
    let gone = false;
    import("./chart-view.ts")
      .then((code) => {
        if (gone) return;
        const words = { open: t("chart.open"), high: t("chart.high"), low: t("chart.low"), close: t("chart.close") };
        const { settings: first, room: firstRoom, barPx: firstBar } = now.current;
        const colours = readColours(place);
        const terms = { symbol, decimals, settings: first, colours, words, room: firstRoom, barPx: firstBar };
        made = new code.ChartView(place, terms, {
          onOlder: () => feed.current?.readOlder(),
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
        if (!gone) setState("failed");
      });
    const stopColours = onColoursChange(() => made?.setColours(readColours(place)));
    return () => {
      gone = true;
      stopColours();
      chart.attach(null);
      made?.destroy();
    };
    // Words and figures are drawn by the language the chart began with; a change of language opens the screen anew.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [symbol, decimals, chart]);

  const { interval } = settings;
  const hasTrail = trail !== undefined;
  useEffect(() => {
    if (view === null || hasTrail) return undefined;
    const reading = new CandleFeed(symbol, interval, {
      onAll: (bars) => {
        view.setBars(bars, interval);
        chart.tell({ isReady: true });
        setState("shown");
        setDrawnAs(interval);
      },
      onNewest: (bars, from) => {
        view.updateBars(bars, from);
      },
      onFailed: () => {
        // What is drawn stays: another interval that does not come is asked for again, and has been said.
        setState((before) => (before === "shown" ? before : "failed"));
      },
    });
    feed.current = reading;
    reading.start();
    return () => {
      feed.current = null;
      reading.stop();
    };
  }, [view, symbol, interval, chart, hasTrail]);

  const drawn = useRef<{ readonly bars: readonly Bar[]; readonly lengthMs: number }>({ bars: [], lengthMs: 0 });
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
    chart.tell({ isReady: true });
    setState("shown");
  }, [view, trail, chart]);
  useEffect(() => view?.setSpan(span ?? null), [view, span]);

  useEffect(() => view?.setSettings(settings), [view, settings]);
  useEffect(() => view?.scene.set(scene), [view, scene]);
  useEffect(() => {
    if (room !== undefined) view?.setRoom(room);
  }, [view, room]);
  useEffect(() => {
    if (barPx !== undefined) view?.setBarPx(barPx);
  }, [view, barPx]);
  useEffect(() => (state === "failed" ? onReconnected(onAgain) : undefined), [state, onAgain]);

  function onKeyDown(event: KeyboardEvent) {
    const act = actOfKey(event);
    if (act === null || view === null) return;
    event.preventDefault();
    if (act.kind !== "point") act.run(chart);
    else {
      if (act.by === null) chart.draw(null);
      const bar = view.pointer.moveBy(act.by);
      setSaid(bar === null ? "" : spokenBar(t, bar, instrument));
    }
  }

  const name = t("trade.chartLabel", {
    type: t(`chart.type.${settings.type}`),
    interval,
    name: instrument.name,
  });
  return (
    <figure
      className={span ? "price-chart still" : "price-chart"}
      data-testid="chart"
      data-state={state}
      data-interval={interval}
      data-drawn={drawnAs ?? undefined}
    >
      <ChartWords instrument={instrument} name={name} chart={chart} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys move the crosshair and the chart */}
      <div
        className="price-chart-host"
        ref={host}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        tabIndex={0}
        role="application"
        aria-label={name}
        aria-describedby={wordsId(instrument)}
        onKeyDown={onKeyDown}
      />
      <p className="unseen" aria-live="polite">
        {said}
      </p>
      <BackToLive chart={chart} />
      {state === "failed" && (
        <div className="price-chart-over">
          <FailedState title={t("trade.chartFailed")} retryLabel={t("shell.tapToRetry")} onRetry={onAgain} />
        </div>
      )}
    </figure>
  );
}

/** Leads back to the newest candle, where it is out of sight. */
function BackToLive({ chart }: { readonly chart: ChartController }) {
  const t = useText();
  const { isReady, isLive } = useChartState(chart);
  if (!isReady || isLive) return null;
  return (
    <button type="button" className="back-to-live label" onClick={() => chart.backToLive()}>
      {t("chart.backToLive")}
      <IconChevronRight size="tiny" />
    </button>
  );
}
