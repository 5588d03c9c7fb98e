import { formatDateTime, formatMoney } from "../../shared/format.ts";
import type { Text } from "../../shared/i18n.ts";
import { decimalProblem } from "../../shared/typed-decimal.ts";
import type { TicketError } from "./order-ticket.ts";

/** Returns the message for an error of the ticket, shown at its field. The dollar values are the server's. */
export function refusalSentence(t: Text, { error, field, params }: TicketError, decimals: number): string {
  const amount = (name: string) => formatMoney(String(params?.[name] ?? "0"));
  switch (error) {
    case "TRADE_PASSWORD_NOT_SET":
      return t("order.tradePasswordNeeded");
    case "INSTRUMENT_SUSPENDED":
    case "INSTRUMENT_CLOSED":
    case "PRICE_STALE":
    case "DURATION_NOT_OFFERED":
      return t(`errors.${error}`);
    case "STAKE_BELOW_MINIMUM":
      return t("errors.STAKE_BELOW_MINIMUM", { min: amount("min") });
    case "STAKE_ABOVE_MAXIMUM":
      return t("errors.STAKE_ABOVE_MAXIMUM", { max: amount("max") });
    case "INSUFFICIENT_BALANCE":
      return t("errors.INSUFFICIENT_BALANCE", { available: amount("available") });
    case "FIELD_MISSING":
      return field === "direction" ? t("order.chooseDirection") : t("order.enterAmount");
    case "FIELD_INVALID":
      return unreadableSentence(t, field, String(params?.["typed"] ?? ""), decimals);
  }
}

function unreadableSentence(t: Text, field: TicketError["field"], typed: string, decimals: number): string {
  const isPrice = field === "limitPrice";
  const problem = typed === "" ? null : decimalProblem(typed, isPrice ? decimals : 2, isPrice ? 9 : 12);
  if (problem !== null) return t(problem.message, problem.values);
  return isPrice ? t("order.limitInvalid", { decimals }) : t("order.amountInvalid");
}

/** Returns the same for the disabled button, in two or three words. */
export function refusalOnButton(t: Text, { error, field, params }: TicketError): string {
  const held = (reason: string) => t("order.nothingHeld", { reason });
  switch (error) {
    case "TRADE_PASSWORD_NOT_SET":
      return t("order.tradePasswordNeeded");
    case "INSTRUMENT_SUSPENDED":
      return t("order.marketSuspended");
    case "INSTRUMENT_CLOSED": {
      const next = params?.["nextChange"];
      return typeof next === "number" ? t("order.closedUntil", { at: formatDateTime(next) }) : t("order.marketClosed");
    }
    case "PRICE_STALE":
      return held(t("order.priceStale"));
    case "DURATION_NOT_OFFERED":
      return t("order.chooseDuration");
    case "STAKE_BELOW_MINIMUM":
      return held(t("order.tooLow"));
    case "STAKE_ABOVE_MAXIMUM":
      return held(t("order.tooHigh"));
    case "INSUFFICIENT_BALANCE":
      return held(t("order.tooMuch"));
    case "FIELD_MISSING":
      return field === "direction" ? t("order.chooseDirection") : t("order.enterAmount");
    case "FIELD_INVALID":
      return t(field === "limitPrice" ? "order.limitWrong" : "order.amountWrong");
  }
}
