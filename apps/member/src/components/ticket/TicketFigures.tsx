import type { ReactNode } from "react";
import { formatGain, formatMoney, formatRate, formatTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import type { TicketSummary } from "./order-ticket.ts";
import "./ticket.css";

const UNKNOWN = "–";

/** What the order pays and costs. Never hidden; shows dashes while the amount is invalid. */
export function TicketFigures({
  summary,
  bar = false,
  compact = false,
  children,
}: {
  readonly summary: TicketSummary;
  /** Also shows the break-even rate on a bar next to an even chance, where there is room for it. */
  readonly bar?: boolean;
  /** All three figures in one row, below a chart. */
  readonly compact?: boolean;
  /** Placed at the end of the small line: a link to more terms. */
  readonly children?: ReactNode;
}) {
  const t = useText();
  const { profit, cost, fee, breakEven, deliveryAt } = summary;
  const breakEvenText = (
    <span className="figure" data-testid="break-even">
      {breakEven === null ? UNKNOWN : formatRate(breakEven)}
    </span>
  );
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
        {compact && (
          <div>
            <p className="note soft">{t("order.breakEven")}</p>
            <p className="medium">{breakEvenText}</p>
          </div>
        )}
      </div>
      {bar && breakEven !== null && <BreakEvenBar breakEven={breakEven} />}
      <div className="order-block-foot note">
        <span>
          <span className="soft">{t("order.fee")}</span>{" "}
          <span className="figure" data-testid="fee">
            {fee === null ? UNKNOWN : formatMoney(fee)}
          </span>
        </span>
        {!compact && (
          <span>
            <span className="soft">{t("order.breakEven")}</span> {breakEvenText}
          </span>
        )}
        <span>
          <span className="soft">{t("order.delivery")}</span>{" "}
          <span className="figure">
            {deliveryAt === null ? UNKNOWN : t("order.about", { time: formatTime(deliveryAt) })}
          </span>
        </span>
        {bar && (
          <span>
            <span className="soft">{t("order.evenChance")}</span> <span className="figure">{formatRate("0.5")}</span>
          </span>
        )}
        {children}
      </div>
    </section>
  );
}

/** An even chance and the break-even rate on one line. The text below it says the same. */
function BreakEvenBar({ breakEven }: { readonly breakEven: string }) {
  const part = Math.min(Math.max(Number(breakEven), 0), 1);
  return (
    <svg className="break-even-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect className="below" width={part * 100} y="2" height="4" />
      <rect className="above" x={part * 100} width={100 - part * 100} y="2" height="4" />
      <rect className="even" x="49.6" width="0.8" height="8" />
      <rect className="mark" x={part * 100 - 0.4} width="0.8" height="8" />
    </svg>
  );
}
