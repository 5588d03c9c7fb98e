import type { Instrument } from "@fairtick/protocol";
import { Notice, Segments, Stepper, TowardButton } from "@fairtick/ui";
import { formatDuration, formatMoney, formatRate, typedDecimal } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import type { Ticket } from "../hooks/use-ticket.ts";
import { largestStake, stepStake, suggestedLimit, type TicketField } from "../order-ticket.ts";
import { plainDecimal } from "../../../shared/typed-decimal.ts";
import { refusalSentence } from "../refusal-words.ts";
import { FormChart } from "./FormChart.tsx";
import { LimitRow } from "./LimitRow.tsx";
import { PriceHead } from "./PriceHead.tsx";

const USUAL = ["10.00", "50.00", "100.00", "500.00"];

/** The form: price, its last minutes, direction, amount, delivery time, limit, and what the order pays and costs. */
export function FormView({ instrument, form }: { readonly instrument: Instrument; readonly form: Ticket }) {
  const t = useText();
  const { ticket, plain, change, market, summary, errors } = form;
  const wrongAt = (field: TicketField) => errors.find((error) => error.field === field);
  const wrongStake = wrongAt("stake");
  const wrongLimit = wrongAt("limitPrice");
  const sentence = (error: (typeof errors)[number]) => refusalSentence(t, error, instrument.decimals);
  const bounds = { min: wholeOrCents(instrument.minStake), max: wholeOrCents(instrument.maxStake) };
  const most = largestStake(market) ?? instrument.minStake;
  const general = errors.find(({ error }) => error === "INSTRUMENT_CLOSED" || error === "INSTRUMENT_SUSPENDED");

  function choose(direction: "up" | "down") {
    const refit = ticket.limitOn && market.price !== null && direction !== ticket.direction;
    change({
      direction,
      ...(refit && { limitPrice: typedDecimal(suggestedLimit(market.price ?? "", instrument.decimals, direction)) }),
    });
  }

  return (
    <>
      <PriceHead instrument={instrument} />
      <FormChart instrument={instrument} duration={ticket.duration ?? 60} />
      <div className="order-form">
        {market.tradePasswordSet === false && <Notice>{t("order.tradePasswordNeeded")}</Notice>}
        {general && <Notice wrong>{sentence(general)}</Notice>}
        <fieldset className="pair" aria-label={t("order.direction")}>
          {(["up", "down"] as const).map((direction) => (
            <TowardButton
              key={direction}
              direction={direction}
              pressed={ticket.direction === direction}
              onClick={() => {
                choose(direction);
              }}
            >
              {t(`shell.${direction}`)}
            </TowardButton>
          ))}
        </fieldset>
        <p className="note soft order-sealed">{t("order.sealedNote")}</p>
        <Stepper
          label={t("order.amount")}
          value={ticket.stake}
          onInput={(stake) => {
            change({ stake });
          }}
          onStep={(toward) => {
            change({ stake: typedDecimal(stepStake(plain.stake, toward, market)) });
          }}
          lessLabel={t("order.less")}
          moreLabel={t("order.more")}
          note={
            market.available === null
              ? t("order.amountBoundsVisitor", bounds)
              : t("order.amountBounds", { ...bounds, available: formatMoney(market.available) })
          }
          wrong={wrongStake ? sentence(wrongStake) : undefined}
          usual={[
            ...USUAL.map((value) => ({ label: wholeOrCents(value), value: typedDecimal(value) })),
            { label: t("order.max"), value: typedDecimal(most) },
          ]}
        />
        <Segments
          label={t("order.duration")}
          choices={instrument.durations.map(({ seconds, payoutRate }) => ({
            value: String(seconds),
            label: (
              <>
                <span className="figure">{formatDuration(seconds)}</span>
                <span className="note block">{t("order.pays", { rate: formatRate(payoutRate) })}</span>
              </>
            ),
          }))}
          value={ticket.duration === null ? null : String(ticket.duration)}
          onChange={(seconds) => {
            change({ duration: Number(seconds) });
          }}
        />
        <LimitRow
          ticket={ticket}
          passed={summary.limitPassed}
          wrong={wrongLimit ? sentence(wrongLimit) : undefined}
          onSwitch={(limitOn) => {
            const first = limitOn && market.price !== null && ticket.direction !== null;
            change({
              limitOn,
              ...(first && {
                limitPrice: typedDecimal(
                  suggestedLimit(market.price ?? "", instrument.decimals, ticket.direction ?? "up"),
                ),
              }),
            });
          }}
          onInput={(limitPrice) => {
            change({ limitPrice: plainDecimal(limitPrice) === "" ? "" : limitPrice });
          }}
        />
      </div>
    </>
  );
}

/** `1.00` as 1, `1000.00` as 1,000, `2.50` as 2.50. */
function wholeOrCents(amount: string): string {
  const written = formatMoney(amount);
  return amount.endsWith(".00") ? written.slice(0, -3) : written;
}
