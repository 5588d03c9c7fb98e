import { Facts } from "@fairtick/ui";
import type { TicketSummary } from "../../../components/ticket/order-ticket.ts";
import type { Ticket } from "../../../components/ticket/use-ticket.ts";
import { formatCountdown, formatGain, formatMoney, formatRate, formatTime } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";

/** The remaining terms of the order: its duration, its odds and the amount held. */
export function ConfirmFacts({ form, summary }: { readonly form: Ticket; readonly summary: TicketSummary }) {
  const t = useText();
  const { fee, cost, breakEven, averageAtEvenOdds, deliveryAt } = summary;
  const { available } = form.market;
  return (
    <Facts
      facts={[
        {
          name: t("order.executionCountdown"),
          note: deliveryAt === null ? undefined : t("order.fromEntry", { time: formatTime(deliveryAt) }),
          figure: formatCountdown((form.ticket.duration ?? 0) * 1000),
        },
        { name: t("order.feeEitherWay"), figure: fee === null ? "–" : formatMoney(fee) },
        {
          name: t("order.breakEvenRate"),
          note:
            averageAtEvenOdds === null ? undefined : t("order.evenOdds", { average: formatGain(averageAtEvenOdds) }),
          figure: breakEven === null ? "–" : formatRate(breakEven),
        },
        {
          name: t("order.heldNow", { available: available === null ? "–" : formatMoney(available) }),
          figure: cost === null ? "–" : formatMoney(cost),
        },
      ]}
    />
  );
}
