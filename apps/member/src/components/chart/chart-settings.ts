import { useSyncExternalStore } from "react";
import { readStoredJson, store, type StoredKey } from "../../shared/storage.ts";
import { INTERVALS, type Interval } from "./candle-series.ts";
import { firstParams, INDICATORS, isIndicator, readParams, type IndicatorName } from "./indicator-list.ts";

export const CHART_TYPES = ["candles", "hollow", "bars", "line", "area", "heikinAshi"] as const;
export type ChartType = (typeof CHART_TYPES)[number];

/** An indicator that is drawn, with its parameters. */
export interface ShownIndicator {
  readonly name: IndicatorName;
  readonly params: readonly number[];
}

/** The member's settings for one chart, stored on this device and never sent. */
export interface ChartSettings {
  readonly interval: Interval;
  readonly type: ChartType;
  /** Whether the price scale is logarithmic. */
  readonly log: boolean;
  /** Whether the running candle's time left is shown under the price's tag. */
  readonly countdown: boolean;
  /** Whether the member's entries, expiries and settled orders are shown. */
  readonly ownOrders: boolean;
  readonly indicators: readonly ShownIndicator[];
}

/** Which chart of a screen. A wide desktop has two, each with its own settings. */
export type ChartPlace = "main" | "second" | "order";

const KEYS: Record<ChartPlace, StoredKey> = {
  main: "fairtickChart",
  second: "fairtickChart2",
  order: "fairtickOrderChart",
};

const USUAL: ChartSettings = {
  interval: "5s",
  type: "candles",
  log: false,
  countdown: true,
  ownOrders: true,
  indicators: [{ name: "MA", params: firstParams("MA") }],
};

/** Default settings. A chart beside a ticket shows the last minutes in detail. */
const FIRST: Record<ChartPlace, ChartSettings> = {
  main: USUAL,
  second: { ...USUAL, interval: "1m" },
  order: { ...USUAL, interval: "1s", type: "area", countdown: false, indicators: [] },
};

/** Indicator names of an earlier version. */
const EARLIER: Readonly<Record<string, IndicatorName>> = { ma: "MA", bollinger: "BOLL", rsi: "RSI", macd: "MACD" };

/** Parses a stored indicator. An unreadable one is left out; parameters out of bounds fall back to the default. */
function readIndicator(kept: unknown): readonly ShownIndicator[] {
  if (typeof kept === "string") {
    const name = EARLIER[kept];
    return name === undefined ? [] : [{ name, params: firstParams(name) }];
  }
  if (typeof kept !== "object" || kept === null) return [];
  const { name, params } = kept as Record<string, unknown>;
  return isIndicator(name) ? [{ name, params: readParams(name, params) }] : [];
}

/** Parses stored settings. Exported for its test. */
export function readSettings(kept: unknown, first: ChartSettings): ChartSettings {
  if (typeof kept !== "object" || kept === null) return first;
  const known = kept as Record<keyof ChartSettings, unknown>;
  const flag = (name: "log" | "countdown" | "ownOrders") => {
    const value = known[name];
    return typeof value === "boolean" ? value : first[name];
  };
  const shown = Array.isArray(known.indicators) ? known.indicators.flatMap(readIndicator) : first.indicators;
  return {
    interval: INTERVALS.find((interval) => interval === known.interval) ?? first.interval,
    type: CHART_TYPES.find((type) => type === known.type) ?? first.type,
    log: flag("log"),
    countdown: flag("countdown"),
    ownOrders: flag("ownOrders"),
    // Each once and in the list's own order, so that panes don't jump.
    indicators: INDICATORS.flatMap(({ name }) => shown.find((other) => other.name === name) ?? []),
  };
}

const settings = new Map<ChartPlace, ChartSettings>();
const watchers = new Set<() => void>();

/** Returns the stored settings of a chart. */
export function chartSettings(place: ChartPlace = "main"): ChartSettings {
  const known = settings.get(place);
  if (known) return known;
  const read = readSettings(readStoredJson(KEYS[place]), FIRST[place]);
  settings.set(place, read);
  return read;
}

/** Changes a chart's settings and stores them on this device. */
export function changeChart(change: Partial<ChartSettings>, place: ChartPlace = "main"): void {
  const next = readSettings({ ...chartSettings(place), ...change }, FIRST[place]);
  settings.set(place, next);
  store(KEYS[place], JSON.stringify(next));
  for (const watcher of watchers) watcher();
}

/** A chart's settings. Rerenders when they change. */
export function useChartSettings(place: ChartPlace = "main"): ChartSettings {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => chartSettings(place),
  );
}
