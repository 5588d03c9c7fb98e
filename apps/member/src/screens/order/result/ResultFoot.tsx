import type { Instrument, Order } from "@fairtick/protocol";
import { Button, showToast } from "@fairtick/ui";
import { useEffect, useRef, useState } from "react";
import { ConfirmSheet } from "../../../components/ticket/ConfirmSheet.tsx";
import { RepeatButton } from "../../../components/ticket/RepeatButton.tsx";
import { TicketSaid } from "../../../components/ticket/TicketSaid.tsx";
import { ticketSearch } from "../../../components/ticket/ticket-address.ts";
import { useTicketOrder } from "../../../components/ticket/use-ticket-order.ts";
import { haptic } from "../../../data/settings.ts";
import { useWallet } from "../../../data/wallet.ts";
import { useText } from "../../../shared/i18n.ts";
import { navigate } from "../../../shared/navigation.tsx";

/** Repeat ignores presses this soon after the result, in ms, because they were aimed at what was there before. */
const NO_PRESS_MS = 800;

interface Props {
  readonly order: Order;
  readonly instrument: Instrument;
  /** Whether the order has just been settled on this screen. */
  readonly isFresh: boolean;
}

/** What to do after a result, all of equal weight: the same order again, its terms in a new form, or the history. */
export function ResultFoot({ order, instrument, isFresh }: Props) {
  const t = useText();
  const wallet = useWallet();
  // Only an order without a limit price, which belongs to an earlier price, and of the wallet in view.
  const isRepeatable = order.direction !== null && order.limitPrice === null && order.wallet === wallet;
  return (
    <div className="result-foot">
      {isRepeatable && <Repeat order={order} instrument={instrument} isFresh={isFresh} />}
      <div className="pair">
        <Button onClick={() => navigate({ to: "/pages/order/index", search: { tab: "history" } })}>
          {t("order.close")}
        </Button>
        <Button
          onClick={() => {
            navigate({ to: "/pages/trade/trade", search: ticketSearch(order.symbol, order), replace: true });
          }}
        >
          {t("order.continue")}
        </Button>
      </div>
    </div>
  );
}

/** Places the order again at one tap, after confirmation if the terms have changed, and leads to the new order. */
function Repeat({ order, instrument, isFresh }: Props) {
  const t = useText();
  const isReady = useReady(isFresh);
  const isAsked = useRef(false);
  const { direction, stake, duration } = order;
  const again = useTicketOrder(
    instrument,
    { direction, terms: { stake, durationSeconds: duration } },
    (placed, isOpen) => {
      haptic();
      showToast(t("common.orderSuccessful"));
      // An unanswered order of another screen may be found here; it must not lead away from this result.
      if (isOpen && isAsked.current)
        navigate({ to: "/pages/trade/trade", search: { orderNo: placed.orderNo }, replace: true });
    },
  );
  const { form, summary, state, changed, off } = again;
  const isBusy = state.step === "placing" || state.step === "cut";
  const sayWhyOff = () => {
    if (off !== null) showToast(off.sentence);
  };
  return (
    <>
      {!again.isConfirming && state.step !== "idle" && (
        <div aria-live="polite">
          <TicketSaid state={state} changed={null} off={null} onAskAgain={again.askAgain} />
        </div>
      )}
      <RepeatButton
        order={order}
        wide
        off={isBusy || !isReady || off !== null}
        isPlacing={state.step === "placing" || (state.step === "cut" && state.asking)}
        why={off?.words}
        onOffPress={isBusy ? undefined : sayWhyOff}
        onRepeat={() => {
          isAsked.current = true;
          again.repeat(order);
        }}
      />
      <ConfirmSheet
        open={again.isConfirming}
        instrument={instrument}
        ticket={form.plain}
        summary={summary}
        available={form.market.available}
        state={state}
        off={off?.words ?? null}
        onOffPress={sayWhyOff}
        changed={changed}
        onPlace={again.place}
        onAllowDevice={again.allowDevice}
        onAskAgain={again.askAgain}
        onClose={again.leave}
      />
    </>
  );
}

function useReady(isFresh: boolean): boolean {
  const [isReady, setReady] = useState(!isFresh);
  useEffect(() => {
    if (isReady) return undefined;
    const timer = setTimeout(() => setReady(true), NO_PRESS_MS);
    return () => clearTimeout(timer);
  }, [isReady]);
  return isReady;
}
