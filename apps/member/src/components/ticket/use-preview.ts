import { useMemo } from "react";
import { formatGain } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import type { Preview } from "../chart/chart-scene.ts";
import type { TicketOrder } from "./use-ticket-order.ts";

/** What the ticket would begin now, for the chart: above the price up wins, below it down. */
export function usePreview({ form, summary }: Pick<TicketOrder, "form" | "summary">): Preview | null {
  const t = useText();
  const { duration } = form.ticket;
  const { profit } = summary;
  return useMemo(() => {
    if (duration === null || profit === null) return null;
    const wins = (direction: "up" | "down") =>
      t("chart.orderTag", { direction: t(`shell.${direction}`), stake: formatGain(profit) });
    return { durationMs: duration * 1000, upWords: wins("up"), downWords: wins("down") };
    // The text function changes with each render; only the figures matter.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [duration, profit]);
}
