import type { Alert, Order } from "@fairtick/protocol";
import { type LanguageCode, translate } from "@fairtick/i18n/server";

/** What a browser is told: few words, and where they lead. Push services carry it encrypted. */
export interface PushNote {
  readonly title: string;
  readonly body: string;
  /** A later note of the same tag takes the place of an earlier one. */
  readonly tag: string;
  readonly route: string;
}

export function noteOfAlert(lang: LanguageCode, alert: Alert, name: string): PushNote {
  return {
    title: name,
    body: translate(lang, alert.direction === "up" ? "push.alertUp" : "push.alertDown", { price: alert.price }),
    tag: alert.alertId,
    route: `/pages/trade/index?symbol=${alert.symbol}`,
  };
}

/** Null for an order that is not settled. A loss is told as plainly as a win. */
export function noteOfOrder(lang: LanguageCode, order: Order, name: string): PushNote | null {
  if (order.outcome === null || order.profit === null) return null;
  const profit = order.profit.startsWith("-") ? order.profit.replace("-", "−") : `+${order.profit}`;
  return {
    title: translate(lang, "push.orderTitle", { name, wallet: translate(lang, `shell.wallet.${order.wallet}`) }),
    body: translate(lang, `push.${order.outcome}`, { profit }),
    tag: order.orderNo,
    route: `/pages/order/index?tab=history&orderNo=${order.orderNo}`,
  };
}
