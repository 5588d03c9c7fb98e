import type { Alert, alertCreate, alertDelete, alertList, Fields, Instrument } from "@fairtick/protocol";
import { showToast } from "@fairtick/ui";
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

/** The member's price alerts, waiting ones first. */
export function useAlerts(): UseQueryResult<Alert[]> {
  return useQuery({ queryKey: KEY, queryFn: () => ask<typeof alertList>("alert/list", {}) });
}

export async function createAlert(wish: Fields<typeof alertCreate>): Promise<void> {
  queryClient.setQueryData(KEY, await ask<typeof alertCreate>("alert/create", wish));
}

export async function deleteAlert(alertId: string): Promise<void> {
  queryClient.setQueryData(KEY, await ask<typeof alertDelete>("alert/delete", { alertId }));
}

/** Tells the member that a price was reached: in the app, and as a notification if the app isn't in view. */
export async function takeAlert(alert: Alert): Promise<void> {
  await activateAllWords();
  void queryClient.invalidateQueries({ queryKey: KEY });
  const instruments = queryClient.getQueryData<Instrument[]>(keys.instruments);
  const name = instruments?.find(({ symbol }) => symbol === alert.symbol)?.name ?? alert.symbol;
  const told = text("alerts.told", { name, price: formatPrice(alert.price) });
  showToast(told, TOLD_MS);
  if (document.visibilityState === "hidden" && currentSettings().notifications)
    await showNote({ title: name, body: told, tag: alert.alertId, route: `/pages/trade/index?symbol=${alert.symbol}` });
}
