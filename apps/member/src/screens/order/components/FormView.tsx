import type { Instrument } from "@fairtick/protocol";
import { Notice, TowardButton } from "@fairtick/ui";
import { SettingSwitch } from "../../../components/settings/SettingSwitch.tsx";
import { DurationChips } from "../../../components/ticket/DurationChips.tsx";
import { LimitRow } from "../../../components/ticket/LimitRow.tsx";
import { suggestedLimit, type TicketField } from "../../../components/ticket/order-ticket.ts";
import { refusalSentence } from "../../../components/ticket/refusal-words.ts";
import { SealPromise } from "../../../components/ticket/SealPromise.tsx";
import { StakeField } from "../../../components/ticket/StakeField.tsx";
import { usePreview } from "../../../components/ticket/use-preview.ts";
import type { TicketOrder } from "../../../components/ticket/use-ticket-order.ts";
import { typedDecimal } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { plainDecimal } from "../../../shared/typed-decimal.ts";
import { useMatches } from "../../../shared/use-matches.ts";
import { FormChart } from "./FormChart.tsx";
import { PriceHead } from "./PriceHead.tsx";

/** Up to this height the durations have one row, so that the chart has its height and the limit price is in sight. */
const IS_LOW = "(max-height: 760px)";

/** The form: price, chart, direction, amount, delivery time, limit, and what the order pays and costs. */
export function FormView({ instrument, order }: { readonly instrument: Instrument; readonly order: TicketOrder }) {
  const t = useText();
  const { form } = order;
  const { ticket, change, market, summary, errors } = form;
  const wrongAt = (field: TicketField) => errors.find((error) => error.field === field);
  const wrongLimit = wrongAt("limitPrice");
  const sentence = (error: (typeof errors)[number]) => refusalSentence(t, error, instrument.decimals);
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
      <FormChart instrument={instrument} duration={ticket.duration ?? 60} preview={usePreview(order)} />
      <div className="order-form">
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
        <SealPromise />
        <StakeField instrument={instrument} form={form} />
        <DurationChips
          durations={instrument.durations}
          value={ticket.duration}
          onChange={(duration) => {
            change({ duration });
          }}
          compact={useMatches(IS_LOW)}
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
        <SettingSwitch name="confirmOrders" />
      </div>
    </>
  );
}
