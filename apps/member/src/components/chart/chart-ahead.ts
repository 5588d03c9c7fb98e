import { firstInstruments, firstOpen } from "../../data/instruments.ts";
import { currentPlace } from "../../shared/navigation.tsx";
import { serverNow } from "../../shared/server-clock.ts";
import { loadAhead } from "./candle-shelf.ts";
import { chartSettings } from "./chart-settings.ts";

/**
 * Requests what the trade screen's chart needs while the screen is still being drawn, which takes a slow phone half a
 * second: the chart's code, and the candles of the product with which the screen opens. Rejects if something can't be
 * loaded; the chart requests it again and reports the failure.
 */
export async function askChartEarly(): Promise<void> {
  await Promise.all([import("./chart-view.ts"), askCandlesEarly()]);
}

async function askCandlesEarly(): Promise<void> {
  const instruments = await firstInstruments();
  const { path, search } = currentPlace();
  if (path !== "/pages/trade/index") return;
  const { symbol } = instruments.find((each) => each.symbol === search["symbol"]) ?? firstOpen(instruments) ?? {};
  if (symbol !== undefined) loadAhead(symbol, chartSettings().interval, serverNow());
}
