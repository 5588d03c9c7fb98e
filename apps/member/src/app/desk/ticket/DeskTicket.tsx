import type { Instrument } from "@fairtick/protocol";
import { Button, Notice, showToast } from "@fairtick/ui";
import { useRef } from "react";
import { ConfirmFacts } from "./ConfirmFacts.tsx";
import { SettingSwitch } from "../../../components/settings/SettingSwitch.tsx";
import { ConfirmButtons, ConfirmWords } from "../../../components/ticket/ConfirmStep.tsx";
import { DirectionButtons } from "../../../components/ticket/DirectionButtons.tsx";
import { DurationChips } from "../../../components/ticket/DurationChips.tsx";
import { SealPromise } from "../../../components/ticket/SealPromise.tsx";
import { OneTapOffer } from "../../../components/ticket/OneTapOffer.tsx";
import { StakeField } from "../../../components/ticket/StakeField.tsx";
import { TicketFigures } from "../../../components/ticket/TicketFigures.tsx";
import { TicketSaid } from "../../../components/ticket/TicketSaid.tsx";
import { ticketSearch, useTicketStart } from "../../../components/ticket/ticket-address.ts";
import { useTicketOrder, type TicketOrder } from "../../../components/ticket/use-ticket-order.ts";
import { useLoggedIn } from "../../../data/session.ts";
import { haptic } from "../../../data/settings.ts";
import { formatGain } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { hrefOf, navigate, type Destination } from "../../../shared/navigation.tsx";
import { KeyHints } from "./KeyHints.tsx";
import { LimitField } from "./LimitField.tsx";
import { YourLimits } from "./YourLimits.tsx";
import { useTicketKeys } from "./use-ticket-keys.ts";

/**
 * The order ticket beside the charts. The order's payout, cost and both directions always stay visible. Choosing a
 * direction turns the ticket into its confirmation, with the same figures in the same place.
 */
export function DeskTicket({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  const root = useRef<HTMLDivElement>(null);
  const loggedIn = useLoggedIn();
  const order = useTicketOrder(
    instrument,
    { ...useTicketStart({ takesDirection: true }), clearsDirection: true, keepsTerms: true },
    (_, isOpen) => {
      haptic();
      showToast(t("common.orderSuccessful"));
      // The pressed button is gone, so focus the ticket for the next key.
      if (isOpen) root.current?.focus({ preventScroll: true });
    },
  );
  const { form, summary, state, changed, isConfirming } = order;
  const { direction } = form.ticket;
  const confirms = isConfirming && direction !== null;
  const isSaidElsewhere = form.market.tradePasswordSet === false || (order.off?.isAtField === true && !confirms);
  const off = isSaidElsewhere ? null : order.off;
  useTicketKeys({ root, instrument, order, canPlace: loggedIn && form.market.tradePasswordSet !== false });
  return (
    <div className="panel-screen desk-ticket" ref={root} tabIndex={-1} data-testid={confirms ? "confirm" : "ticket"}>
      <div
        className="panel-page ticket-fields"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- nothing in a confirmation takes the focus: it does so itself, for a keyboard to scroll it
        tabIndex={confirms ? 0 : undefined}
      >
        {confirms ? (
          <>
            <ConfirmWords instrument={instrument} ticket={form.plain} summary={summary} />
            <ConfirmFacts form={form} summary={summary} />
          </>
        ) : (
          <Fields instrument={instrument} order={order} />
        )}
      </div>
      <div className="panel-foot ticket-base">
        <TicketFigures summary={summary} bar />
        {confirms && summary.limitPassed && <Notice wrong>{t("order.limitPassed", { direction })}</Notice>}
        <div aria-live="polite" className="ticket-said">
          <TicketSaid
            state={state}
            changed={changed}
            off={loggedIn ? off : null}
            onAskAgain={confirms ? undefined : order.askAgain}
          />
        </div>
        {confirms ? (
          <ConfirmButtons
            direction={direction}
            stake={summary.stake}
            state={state}
            off={order.off}
            onPlace={order.place}
            onAllowDevice={order.allowDevice}
            onAskAgain={order.askAgain}
            onLeave={order.leave}
            takesFocus={!order.isLedHere}
          />
        ) : (
          <Choice instrument={instrument} order={order} />
        )}
        <KeyHints isConfirming={confirms} />
      </div>
    </div>
  );
}

function Fields({
  instrument,
  order: { form, summary },
}: {
  readonly instrument: Instrument;
  readonly order: TicketOrder;
}) {
  const t = useText();
  return (
    <>
      <OneTapOffer />
      <StakeField instrument={instrument} form={form} availableShown />
      <DurationChips
        durations={instrument.durations}
        value={form.ticket.duration}
        onChange={(duration) => {
          form.change({ duration });
        }}
      />
      <LimitField instrument={instrument} form={form} isPassed={summary.limitPassed} />
      <SealPromise />
      <SettingSwitch name="confirmOrders" />
      <YourLimits />
      <p className="ticket-rule note soft">{t("desk.entryRule")}</p>
    </>
  );
}

/**
 * Up and Down with what each pays. Visitors go to the login, and members without a transaction password to its setup.
 */
function Choice({ instrument, order }: { readonly instrument: Instrument; readonly order: TicketOrder }) {
  const t = useText();
  const loggedIn = useLoggedIn();
  const { form, off, state, summary } = order;
  if (form.market.tradePasswordSet === false) {
    return <SetPassword next={{ to: "/pages/trade/trade", search: ticketSearch(instrument.symbol, form.plain) }} />;
  }
  const isBusy = state.step === "placing" || state.step === "cut";
  // The order's own address leads to the login and back to the order.
  const onVisitor = (direction: "up" | "down") => {
    navigate({ to: "/pages/trade/trade", search: ticketSearch(instrument.symbol, { ...form.plain, direction }) });
  };
  const gain = summary.profit === null ? null : formatGain(summary.profit);
  const note = (direction: "up" | "down") => {
    if (loggedIn && off !== null && !off.isAtField) return off.words;
    if (gain === null) return undefined;
    return t(direction === "up" ? "desk.ifHigher" : "desk.ifLower", { profit: gain });
  };
  return (
    <DirectionButtons
      names="plain"
      off={isBusy || (loggedIn && off !== null)}
      onOffPress={() => {
        if (off !== null) showToast(off.sentence);
      }}
      onChoose={loggedIn ? order.choose : onVisitor}
      focused={order.left}
      notes={{ up: note("up"), down: note("down") }}
    />
  );
}

function SetPassword({ next }: { readonly next: Destination }) {
  const t = useText();
  return (
    <>
      <Notice>{t("order.tradePasswordNeeded")}</Notice>
      <Button
        look="main"
        onClick={() => {
          navigate({ to: "/pages/auth/SetTradePwd", search: { next: hrefOf(next) } });
        }}
      >
        {t("order.setTradePassword")}
      </Button>
    </>
  );
}
