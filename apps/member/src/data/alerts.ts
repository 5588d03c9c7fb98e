import type { Alert, alertCreate, alertDelete, alertList, Fields, Instrument } from "@fairtick/protocol";
import { showNews } from "@fairtick/ui";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { formatPrice } from "../shared/format.ts";
import { activateAllWords, text } from "../shared/i18n.ts";
import { showNote } from "./notifications.ts";
import { keys, queryClient } from "./queries.ts";
import { currentSettings } from "./settings.ts";
import { ask } from "./transport.ts";

const KEY = ["member", "alerts"];
/** Longer than a usual toast, because the member isn't expecting it. */
const TOLD_MS = 4_000;

/** Alerts that this page told the member about. */
const told = new Set<string>();

const readAlerts = () => ask<typeof alertList>("alert/list", {});

/** The member's price alerts, waiting ones first. */
export function useAlerts(): UseQueryResult<Alert[]> {
  return useQuery({ queryKey: KEY, queryFn: readAlerts });
}

export async function createAlert(wish: Fields<typeof alertCreate>): Promise<void> {
  queryClient.setQueryData(KEY, await ask<typeof alertCreate>("alert/create", wish));
}

export async function deleteAlert(alertId: string): Promise<void> {
  queryClient.setQueryData(KEY, await ask<typeof alertDelete>("alert/delete", { alertId }));
}

/** Tells the member once that a price was reached: in the app, and as a notification if the app isn't in view. */
export async function takeAlert(alert: Alert): Promise<void> {
  if (told.has(alert.alertId)) return;
  told.add(alert.alertId);
  await activateAllWords();
  void queryClient.invalidateQueries({ queryKey: KEY });
  const instruments = queryClient.getQueryData<Instrument[]>(keys.instruments);
  const name = instruments?.find(({ symbol }) => symbol === alert.symbol)?.name ?? alert.symbol;
  const words = text("alerts.told", { name, price: formatPrice(alert.price) });
  showNews(words, TOLD_MS);
  if (document.visibilityState === "hidden" && currentSettings().notifications)
    await showNote({
      title: name,
      body: words,
      tag: alert.alertId,
      route: `/pages/trade/index?symbol=${alert.symbol}`,
    });
}

/**
 * Tells the member of prices that were reached from `since` (the server's time) on, while there was no connection that
 * could have told them.
 */
export async function takeMissedAlerts(since: number): Promise<void> {
  const alerts = await queryClient.fetchQuery({ queryKey: KEY, queryFn: readAlerts, staleTime: 0 });
  for (const alert of alerts) if (alert.firedAt !== null && alert.firedAt >= since) await takeAlert(alert);
}
