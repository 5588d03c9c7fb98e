import type { Alert, Order } from "@fairtick/protocol";
import { type LanguageCode, languageOf, translate } from "@fairtick/i18n/server";
import { freezeRoute } from "../security-notices/index.ts";

/** A notification for a browser: a few words and a link. It is encrypted for the push service. */
export interface PushNote {
  readonly title: string;
  readonly body: string;
  /** A later note with the same tag replaces an earlier one. */
  readonly tag: string;
  readonly route: string;
}

/** Formats a decimal string as the language writes it, with every decimal place. */
function localDecimal(text: string, lang: LanguageCode): string {
  const places = text.split(".")[1]?.length ?? 0;
  const format = new Intl.NumberFormat(languageOf(lang).locale, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return format.format(text as `${number}`);
}

export function noteOfAlert(lang: LanguageCode, alert: Alert, name: string): PushNote {
  return {
    title: name,
    body: translate(lang, alert.direction === "up" ? "push.alertUp" : "push.alertDown", {
      price: localDecimal(alert.price, lang),
    }),
    tag: alert.alertId,
    route: `/pages/trade/index?symbol=${alert.symbol}`,
  };
}

/** Makes the note of a warning, with a link that leads to freezing withdrawals. */
export function noteOfWarning(lang: LanguageCode, title: string, tag: string, token: string): PushNote {
  return { title, body: translate(lang, "push.warning"), tag, route: freezeRoute(token) };
}

/** Makes the note of a settled order; null if it isn't settled. A loss is worded as plainly as a win. */
export function noteOfOrder(lang: LanguageCode, order: Order, name: string): PushNote | null {
  if (order.outcome === null || order.profit === null) return null;
  const figure = localDecimal(order.profit.replace("-", ""), lang);
  const profit = order.profit.startsWith("-") ? `−${figure}` : `+${figure}`;
  return {
    title: translate(lang, "push.orderTitle", { name, wallet: translate(lang, `shell.wallet.${order.wallet}`) }),
    body: translate(lang, `push.${order.outcome}`, { profit }),
    tag: order.orderNo,
    route: `/pages/order/index?tab=history&orderNo=${order.orderNo}`,
  };
}
