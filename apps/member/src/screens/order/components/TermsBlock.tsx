import { formatGain, formatMoney, formatRate, formatTime } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import type { TicketSummary } from "../order-ticket.ts";

const UNKNOWN = "–";

/** What the order pays and costs: never hidden, dashes while the amount is refused. */
export function TermsBlock({ summary }: { readonly summary: TicketSummary }) {
  const t = useText();
  const { profit, cost, fee, breakEven, deliveryAt } = summary;
  return (
    <section className="order-block" aria-label={t("order.terms")} data-testid="terms">
      <div className="split">
        <div>
          <p className="note soft">{t("order.paysIfRight")}</p>
          <p className={profit === null ? "medium soft" : "medium up"} data-testid="pays">
            {profit === null ? UNKNOWN : formatGain(profit)}
          </p>
        </div>
        <div>
          <p className="note soft">{t("order.costsIfWrong")}</p>
          <p className={cost === null ? "medium soft" : "medium down"} data-testid="costs">
            {cost === null ? UNKNOWN : formatGain(`-${cost}`)}
          </p>
        </div>
      </div>
      <div className="order-block-foot note">
        <span>
          <span className="soft">{t("order.fee")}</span>{" "}
          <span className="figure" data-testid="fee">
            {fee === null ? UNKNOWN : formatMoney(fee)}
          </span>
        </span>
        <span>
          <span className="soft">{t("order.breakEven")}</span>{" "}
          <span className="figure" data-testid="break-even">
            {breakEven === null ? UNKNOWN : formatRate(breakEven)}
          </span>
        </span>
        <span>
          <span className="soft">{t("order.delivery")}</span>{" "}
          <span className="figure">
            {deliveryAt === null ? UNKNOWN : t("order.about", { time: formatTime(deliveryAt) })}
          </span>
        </span>
      </div>
    </section>
  );
}
