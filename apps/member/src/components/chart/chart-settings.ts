import { useSyncExternalStore } from "react";
import { readStoredJson, store } from "../../shared/storage.ts";
import { INTERVALS, type Interval } from "./candle-series.ts";

export const CHART_TYPES = ["candles", "bars", "line", "area"] as const;
export type ChartType = (typeof CHART_TYPES)[number];
export const INDICATORS = ["ma", "bollinger", "rsi", "macd"] as const;
export type Indicator = (typeof INDICATORS)[number];

/** How this member looks at charts; kept on this device. */
export interface ChartSettings {
  readonly interval: Interval;
  readonly type: ChartType;
  readonly indicators: readonly Indicator[];
}

const FIRST: ChartSettings = { interval: "15s", type: "candles", indicators: ["ma", "rsi"] };

function read(): ChartSettings {
  const stored = readStoredJson("fairtickChart");
  if (typeof stored !== "object" || stored === null) return FIRST;
  const known = stored as Record<keyof ChartSettings, unknown>;
  const listed = Array.isArray(known.indicators) ? known.indicators : FIRST.indicators;
  return {
    interval: INTERVALS.find((interval) => interval === known.interval) ?? FIRST.interval,
    type: CHART_TYPES.find((type) => type === known.type) ?? FIRST.type,
    indicators: INDICATORS.filter((indicator) => listed.includes(indicator)),
  };
}

let settings = read();
const watchers = new Set<() => void>();

export function changeChart(change: Partial<ChartSettings>): void {
  settings = { ...settings, ...change };
  store("fairtickChart", JSON.stringify(settings));
  for (const watcher of watchers) watcher();
}

export function useChartSettings(): ChartSettings {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => settings,
  );
}
