import "./ticket.css";
import { AmountInput, Switch } from "@fairtick/ui";
import { useEffect, useId, useRef } from "react";
import { quantityWriting } from "../../shared/amount-writing.ts";
import { useText } from "../../shared/i18n.ts";
import type { OrderTicket } from "./order-ticket.ts";

/** The limit price: off, or the worst entry price that the member accepts. */
export function LimitRow({
  ticket,
  passed,
  wrong,
  onSwitch,
  onInput,
}: {
  readonly ticket: OrderTicket;
  readonly passed: boolean;
  readonly wrong: string | undefined;
  readonly onSwitch: (on: boolean) => void;
  readonly onInput: (price: string) => void;
}) {
  const t = useText();
  const note = useId();
  const { limitOn, direction } = ticket;
  const said = wrong ?? (passed ? t("order.limitPassed", { direction: direction ?? "up" }) : undefined);
  const row = useRef<HTMLDivElement>(null);
  const isSaid = said !== undefined;
  // Messages appear below the row, which may be the last on the page.
  useEffect(() => {
    if (limitOn || isSaid) row.current?.scrollIntoView({ block: "nearest" });
  }, [limitOn, isSaid]);
  return (
    <div ref={row}>
      <div className="order-limit">
        <span className="label ink">{t("order.limitPrice")}</span>
        {!limitOn && <span className="note soft grow">{t("order.limitOff")}</span>}
        {limitOn && (
          <>
            <span className="note soft">
              {direction === null ? t("order.limitPick") : t(direction === "up" ? "order.limitUp" : "order.limitDown")}
            </span>
            <AmountInput
              className="figure grow"
              writing={quantityWriting()}
              aria-label={t("order.limitPrice")}
              aria-invalid={wrong === undefined ? undefined : true}
              aria-describedby={said === undefined ? undefined : note}
              value={ticket.limitPrice}
              onInput={onInput}
            />
          </>
        )}
        <Switch label={t("order.limitPrice")} on={limitOn} onChange={onSwitch} />
      </div>
      {said !== undefined && (
        <output className="hint alert block" id={note}>
          {said}
        </output>
      )}
    </div>
  );
}
