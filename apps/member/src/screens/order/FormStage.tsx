import type { Instrument, Order } from "@fairtick/protocol";
import { Button, showToast } from "@fairtick/ui";
import type { ReactNode } from "react";
import { ConfirmSheet } from "../../components/ticket/ConfirmSheet.tsx";
import { refusalOnButton, refusalSentence } from "../../components/ticket/refusal-words.ts";
import { TicketFigures } from "../../components/ticket/TicketFigures.tsx";
import { TicketSaid } from "../../components/ticket/TicketSaid.tsx";
import { ticketSearch, useTicketStart } from "../../components/ticket/ticket-address.ts";
import { useTicketOrder } from "../../components/ticket/use-ticket-order.ts";
import type { Ticket } from "../../components/ticket/use-ticket.ts";
import { haptic, useSettings } from "../../data/settings.ts";
import { formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { hrefOf, navigate } from "../../shared/navigation.tsx";
import { FormView } from "./components/FormView.tsx";

/** The order form, its confirmation and the placing. Leads to the running order. */
export function FormStage({
  instrument,
  direction,
  heading,
}: {
  readonly instrument: Instrument;
  readonly direction: "up" | "down" | null;
  readonly heading: ReactNode;
}) {
  const t = useText();
  const { confirmOrders } = useSettings();
  const { terms } = useTicketStart();
  const order = useTicketOrder(instrument, { direction, terms }, (placed: Order, isOpen: boolean) => {
    haptic();
    showToast(t("common.orderSuccessful"));
    // Members who have left the screen stay where they are; the order runs without being watched.
    if (!isOpen) return;
    navigate({ to: "/pages/trade/trade", search: { orderNo: placed.orderNo }, replace: true });
  });
  const { form, summary, state, changed } = order;
  const first = form.errors[0];
  const off = first ? refusalOnButton(t, first) : null;
  const sayWhyOff = () => {
    if (first) showToast(refusalSentence(t, first, instrument.decimals));
  };
  return (
    <Screen
      title={`${instrument.name} · ${t("order.title")}`}
      heading={heading}
      pushed
      flush
      backTo={`/pages/trade/index`}
      foot={
        <div className="order-foot">
          <TicketFigures summary={summary} />
          <MainButton
            symbol={instrument.symbol}
            form={form}
            off={off}
            onOffPress={sayWhyOff}
            act={confirmOrders ? order.confirm : order.place}
            label={confirmOrders ? "review" : "place"}
            busy={state.step === "placing" || state.step === "cut"}
          />
        </div>
      }
    >
      {!order.isConfirming && state.step !== "idle" && state.step !== "placing" && (
        <div className="order-form">
          <TicketSaid state={state} changed={null} off={null} onAskAgain={order.askAgain} />
        </div>
      )}
      <FormView instrument={instrument} order={order} />
      <ConfirmSheet
        open={order.isConfirming}
        instrument={instrument}
        ticket={form.plain}
        summary={summary}
        available={form.market.available}
        state={state}
        off={off}
        onOffPress={sayWhyOff}
        changed={changed}
        onPlace={order.place}
        onAllowDevice={order.allowDevice}
        onAskAgain={order.askAgain}
        onClose={order.leave}
      />
    </Screen>
  );
}

/** The main button. If it is disabled, it says why. Without a transaction password it leads to its setup and back. */
function MainButton({
  symbol,
  form,
  off,
  onOffPress,
  act,
  label,
  busy,
}: {
  readonly symbol: string;
  readonly form: Ticket;
  readonly off: string | null;
  readonly onOffPress: () => void;
  readonly act: () => void;
  readonly label: "review" | "place";
  readonly busy: boolean;
}) {
  const t = useText();
  const { ticket, summary, market } = form;
  const here = hrefOf({ to: "/pages/trade/trade", search: ticketSearch(symbol, form.plain) });
  if (market.tradePasswordSet === false) {
    return (
      <Button
        look="main"
        onClick={() => {
          showToast(t("order.tradePasswordNeeded"));
          navigate({ to: "/pages/auth/SetTradePwd", search: { next: here } });
        }}
      >
        {t("order.setTradePassword")}
      </Button>
    );
  }
  const words =
    ticket.direction === null || summary.stake === null
      ? t("order.enterAmount")
      : t(label === "review" ? "order.review" : "order.place", {
          direction: t(`shell.${ticket.direction}`),
          amount: formatMoney(summary.stake),
        });
  return (
    <Button look="main" off={off !== null || busy} onOffPress={busy ? undefined : onOffPress} onClick={act}>
      {busy ? t("order.placing") : (off ?? words)}
    </Button>
  );
}
