import type { Order } from "@fairtick/protocol";
import { useMemo } from "react";
import { profitIf } from "../orders/order-figures.ts";
import { usePositions } from "../../data/orders.ts";
import { useHistory } from "../../data/trading.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatGain, formatMoney, toneOf } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { EMPTY_SCENE, type ChartScene, type Preview, type RunningMark, type SettledMark } from "./chart-scene.ts";

/** Returns a running order for drawing; null before its entry tick. */
export function runningMark(t: Text, order: Order): RunningMark | null {
  const { orderNo, direction, entryAt, entryPrice, expiresAt } = order;
  if (entryAt === null || entryPrice === null || expiresAt === null) return null;
  const won = formatGain(profitIf(order, "won"));
  const lost = formatGain(profitIf(order, "lost"));
  const above = (profit: string) => t("chart.zoneAbove", { profit });
  const below = (profit: string) => t("chart.zoneBelow", { profit });
  const isUp = direction !== "down";
  return {
    orderNo,
    direction,
    entryAt,
    entryPrice,
    expiresAt,
    words: t("chart.orderTag", { direction: t(`shell.${direction ?? "sealed"}`), stake: formatMoney(order.stake) }),
    winWords: isUp ? above(won) : below(won),
    loseWords: isUp ? below(lost) : above(lost),
  };
}

/** Returns the scene of one order alone, over its own time span, while it runs and after its end. */
export function orderScene(t: Text, order: Order): ChartScene {
  const mark = runningMark(t, order);
  if (mark === null) return EMPTY_SCENE;
  const { exitAt, exitPrice, profit } = order;
  const isOver = exitAt !== null && exitPrice !== null;
  const exit = isOver ? { at: exitAt, price: exitPrice, tone: toneOf(profit ?? "0") } : undefined;
  return { ...EMPTY_SCENE, running: [{ ...mark, exit }] };
}

/** Returns a settled order for drawing; null if it had no entry or exit. */
export function settledMark(t: Text, order: Order): SettledMark | null {
  const { orderNo, entryAt, entryPrice, exitAt, exitPrice, outcome, profit } = order;
  if (entryAt === null || entryPrice === null || exitAt === null || exitPrice === null) return null;
  if (outcome === null || profit === null) return null;
  const words = t("chart.settledTag", { outcome: t(`orders.outcome.${outcome}`), profit: formatGain(profit) });
  return { orderNo, entryAt, entryPrice, exitAt, exitPrice, tone: toneOf(profit), words };
}

const ALL_TIME = {};

/**
 * The member's own orders for this product in the current wallet: running ones by expiry, and recently settled ones.
 */
export function useOwnOrders(symbol: string): {
  readonly running: readonly Order[];
  readonly settled: readonly Order[];
} {
  const wallet = useWallet();
  const running = usePositions(wallet).data?.items;
  const settled = useHistory(wallet, ALL_TIME).data?.pages[0]?.items;
  return useMemo(
    () => ({
      running: (running ?? [])
        .filter((order) => order.symbol === symbol)
        .toSorted((one, other) => (one.expiresAt ?? Infinity) - (other.expiresAt ?? Infinity)),
      settled: (settled ?? []).filter((order) => order.symbol === symbol),
    }),
    [running, settled, symbol],
  );
}

/** What is drawn over a product's candles: own orders, unless they are hidden, and what the ticket would begin. */
export function useChartScene(symbol: string, ownOrders: boolean, preview: Preview | null = null): ChartScene {
  const t = useText();
  const orders = useOwnOrders(symbol);
  const { durationMs, upWords, downWords } = preview ?? {};
  return useMemo(
    () => ({
      running: ownOrders ? orders.running.flatMap((order) => runningMark(t, order) ?? []) : [],
      settled: ownOrders ? orders.settled.flatMap((order) => settledMark(t, order) ?? []) : [],
      // A running order shows its own zones instead.
      preview: ownOrders && orders.running.length > 0 ? null : preview,
    }),
    // The text function changes with each render; only orders and figures matter.
    // oxlint-disable-next-line react/exhaustive-deps
    [orders, ownOrders, durationMs, upWords, downWords],
  );
}
