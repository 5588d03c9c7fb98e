import type { ChartController } from "./chart-controller.ts";

interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** What a key does while the chart is focused. */
export type KeyAct =
  /** Moves the crosshair by candles; null hides it. */
  | { readonly kind: "point"; readonly by: number | null }
  | { readonly kind: "act"; readonly run: (chart: ChartController) => void };

const SCROLL_BARS = 10;

function act(run: (chart: ChartController) => void): KeyAct {
  return { kind: "act", run };
}

const KEYS: Readonly<Record<string, KeyAct>> = {
  ArrowLeft: { kind: "point", by: -1 },
  ArrowRight: { kind: "point", by: 1 },
  "Shift ArrowLeft": act((chart) => chart.scrollBy(-SCROLL_BARS)),
  "Shift ArrowRight": act((chart) => chart.scrollBy(SCROLL_BARS)),
  "+": act((chart) => chart.zoom(1)),
  "Shift +": act((chart) => chart.zoom(1)),
  "=": act((chart) => chart.zoom(1)),
  "-": act((chart) => chart.zoom(-1)),
  End: act((chart) => chart.backToLive()),
  Delete: act((chart) => chart.removeSelected()),
  Backspace: act((chart) => chart.removeSelected()),
  Escape: { kind: "point", by: null },
  "Ctrl z": act((chart) => chart.undo()),
  "Ctrl y": act((chart) => chart.redo()),
  "Ctrl Shift Z": act((chart) => chart.redo()),
};

/**
 * Returns the action of a key. Arrows move the crosshair, with Shift the chart; plus and minus zoom; End goes to the
 * newest candle; Escape hides the crosshair or cancels an unfinished drawing; Delete removes the selected drawing;
 * Ctrl Z and Ctrl Shift Z undo and redo.
 */
export function actOfKey({ key, shiftKey, ctrlKey, metaKey, altKey }: PressedKey): KeyAct | null {
  if (altKey) return null;
  const pressed = [...(ctrlKey || metaKey ? ["Ctrl"] : []), ...(shiftKey ? ["Shift"] : []), key].join(" ");
  return KEYS[pressed] ?? null;
}
