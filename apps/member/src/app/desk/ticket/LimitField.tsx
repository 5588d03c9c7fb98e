import type { Instrument } from "@fairtick/protocol";
import { AmountInput, Switch } from "@fairtick/ui";
import { useId } from "react";
import { refusalSentence } from "../../../components/ticket/refusal-words.ts";
import type { Ticket } from "../../../components/ticket/use-ticket.ts";
import { quantityWriting } from "../../../shared/amount-writing.ts";
import { typedDecimal } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { plainDecimal } from "../../../shared/typed-decimal.ts";

/**
 * The limit price, off or typed, before a direction is chosen: the worst entry price that the member accepts, which is
 * the highest for Up and the lowest for Down. It starts with the live price.
 */
export function LimitField({
  instrument,
  form,
  isPassed,
}: {
  readonly instrument: Instrument;
  readonly form: Ticket;
  readonly isPassed: boolean;
}) {
  const t = useText();
  const note = useId();
  const { ticket, market, errors, change } = form;
  const wrong = errors.find(({ field }) => field === "limitPrice");
  const label = t("order.limitPrice");
  return (
    <div className="desk-limit">
      <div className="desk-limit-line">
        <span className="grow">
          {label}
          <span className="note soft block" id={note}>
            {t(ticket.limitOn ? "desk.limitOn" : "desk.limitOff")}
          </span>
        </span>
        <Switch
          label={label}
          on={ticket.limitOn}
          onChange={(limitOn) => {
            change({ limitOn, ...(limitOn && market.price !== null && { limitPrice: typedDecimal(market.price) }) });
          }}
        />
      </div>
      {ticket.limitOn && (
        <div className="box">
          <AmountInput
            className="figure"
            writing={quantityWriting()}
            aria-label={label}
            aria-invalid={wrong === undefined ? undefined : true}
            aria-describedby={note}
            value={ticket.limitPrice}
            onInput={(typed) => {
              change({ limitPrice: plainDecimal(typed) === "" ? "" : typed });
            }}
          />
        </div>
      )}
      {ticket.limitOn && (wrong !== undefined || isPassed) && (
        <output className="hint alert block">
          {wrong === undefined
            ? t("order.limitPassed", { direction: ticket.direction ?? "up" })
            : refusalSentence(t, wrong, instrument.decimals)}
        </output>
      )}
    </div>
  );
}
