import type { Chart } from "klinecharts";

/** The library's own events; it has no option for them. A journey draws with two quick taps, and fails if they are renamed. */
interface Taps {
  readonly _chartEvent?: {
    readonly _event?: { readonly _resetTapTimeout?: () => void; readonly _resetClickTimeout?: () => void };
  };
}

/**
 * Makes the library forget the tap it is handling. A second one within half a second would be half of a double tap to it, and
 * where it is at another place it would be dropped: a member who taps both ends of a line would have to wait in between.
 */
export function forgetTap(chart: Chart): void {
  const events = (chart as Chart & Taps)._chartEvent?._event;
  events?._resetTapTimeout?.();
  events?._resetClickTimeout?.();
}
