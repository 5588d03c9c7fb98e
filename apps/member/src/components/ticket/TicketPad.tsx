import type { Instrument } from "@fairtick/protocol";
import { Button, Notice } from "@fairtick/ui";
import type { ReactNode } from "react";
import { useText } from "../../shared/i18n.ts";
import { ConfirmButtons, ConfirmWords } from "./ConfirmStep.tsx";
import { DirectionButtons } from "./DirectionButtons.tsx";
import { DurationChips } from "./DurationChips.tsx";
import { StakeField } from "./StakeField.tsx";
import { TicketFigures } from "./TicketFigures.tsx";
import { TicketSaid } from "./TicketSaid.tsx";
import type { TicketOrder } from "./use-ticket-order.ts";
import "./ticket.css";

export interface TicketPadProps {
  readonly instrument: Instrument;
  readonly order: TicketOrder;
  /** Which labels the two buttons have. */
  readonly names: "buy" | "plain";
  /** One line for the stake and one for the durations, below a chart on a phone. */
  readonly compact?: boolean | undefined;
  /** Placed between fields and figures, such as a limit price. Hidden while confirming. */
  readonly fields?: ReactNode;
  /** Placed at the end of the figures' small line. */
  readonly more?: ReactNode;
  /** Placed above the fields, such as an offer. Hidden while confirming. */
  readonly above?: ReactNode;
  /** Placed beside the stake, such as an order to repeat. Hidden while confirming. */
  readonly beside?: ReactNode;
  /** Opens the setup of the transaction password, without which no order can be placed. */
  readonly onSetPassword: () => void;
  /** Handles a visitor's choice of direction, which can't be placed; left out for members. */
  readonly onVisitor?: ((direction: "up" | "down") => void) | undefined;
}

/**
 * The whole ticket: stake, duration, what the order pays and costs, and Up and Down. Choosing a direction turns it
 * into its own confirmation: the figures stay in place, and the second tap is where the first one was.
 */
export function TicketPad(props: TicketPadProps) {
  const { instrument, order, compact = false } = props;
  const { form, summary, state, off, changed, isConfirming } = order;
  const { direction } = form.ticket;
  const confirms = isConfirming && direction !== null;
  const isAtButton = form.market.tradePasswordSet === false && off?.isConnection !== true;
  const isSaidElsewhere = isAtButton || (off?.isAtField === true && !confirms);
  return (
    <div className={compact ? "ticket-pad compact" : "ticket-pad"} data-testid={confirms ? "confirm" : "ticket"}>
      {confirms ? (
        <ConfirmWords instrument={instrument} ticket={form.plain} summary={summary} />
      ) : (
        <>
          {props.above}
          <div className="ticket-stake-row">
            <StakeField instrument={instrument} form={form} compact={compact} />
            {props.beside}
          </div>
          <DurationChips
            durations={instrument.durations}
            value={form.ticket.duration}
            onChange={(duration) => form.change({ duration })}
            compact={compact}
          />
          {props.fields}
        </>
      )}
      <TicketFigures summary={summary} bar={!compact} compact={compact}>
        {!confirms && props.more}
      </TicketFigures>
      <div className="ticket-said" aria-live="polite">
        <TicketSaid
          state={state}
          changed={changed}
          off={isSaidElsewhere ? null : off}
          onAskAgain={confirms ? undefined : order.askAgain}
        />
      </div>
      {confirms ? (
        <ConfirmButtons
          direction={direction}
          stake={summary.stake}
          state={state}
          off={off}
          onPlace={order.place}
          onAllowDevice={order.allowDevice}
          onAskAgain={order.askAgain}
          onLeave={order.leave}
        />
      ) : (
        <Choice {...props} />
      )}
    </div>
  );
}

/**
 * Up and Down, or a button for the setup of the transaction password if there is none. Below a chart only the button
 * says so, because a sentence would take the chart's height.
 */
function Choice({ order, names, compact = false, onSetPassword, onVisitor }: TicketPadProps) {
  const t = useText();
  const { form, off, state } = order;
  if (form.market.tradePasswordSet === false) {
    return (
      <>
        {!compact && <Notice>{t("order.tradePasswordNeeded")}</Notice>}
        <Button look="main" onClick={onSetPassword}>
          {t("order.setTradePassword")}
        </Button>
      </>
    );
  }
  const isBusy = state.step === "placing" || state.step === "cut";
  return (
    <DirectionButtons
      names={names}
      off={isBusy || (off !== null && onVisitor === undefined)}
      onChoose={onVisitor ?? order.choose}
      focused={order.left}
    />
  );
}
