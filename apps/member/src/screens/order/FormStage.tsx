import type { Instrument, Order } from "@fairtick/protocol";
import { Button, Notice, showToast } from "@fairtick/ui";
import { useState, type ReactNode } from "react";
import { storedMemberId } from "../../data/member-id.ts";
import { newClientId } from "../../data/pending-order.ts";
import { haptic, useSettings } from "../../data/settings.ts";
import { useQuote } from "../../data/trading.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { joinSentences } from "../../shared/sentences.ts";
import { Screen } from "../../shared/Screen.tsx";
import { serverNow } from "../../shared/server-clock.ts";
import { navigate } from "../../shared/navigation.tsx";
import { ConfirmSheet } from "./components/ConfirmSheet.tsx";
import { FormView } from "./components/FormView.tsx";
import { TermsBlock } from "./components/TermsBlock.tsx";
import { usePlaceOrder, type PlaceState } from "./hooks/use-place-order.ts";
import { useTicket, type Ticket } from "./hooks/use-ticket.ts";
import { withTerms } from "./order-ticket.ts";
import { refusalOnButton, refusalSentence } from "./refusal-words.ts";

/** The form, its review and the placing. Ends at the running order. */
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
  const wallet = useWallet();
  const { confirmOrders } = useSettings();
  const [reviewing, setReviewing] = useState(false);
  const form = useTicket(instrument, direction);
  const { ticket, errors } = form;
  const placing = usePlaceOrder((order: Order, isOpen: boolean) => {
    haptic();
    showToast(t("common.orderSuccessful"));
    // Who has gone on stays there: the order runs without being watched.
    if (!isOpen) return;
    navigate({ to: "/pages/trade/trade", search: { orderNo: order.orderNo }, replace: true });
  });
  const { state } = placing;
  const { stake } = form.summary;
  const asked = reviewing && errors.length === 0 ? askedTerms(form) : null;
  const terms = asked && { symbol: instrument.symbol, wallet, ...asked };
  const changed = changedTerms(state, useQuote(terms).data, form);
  // Terms that changed are shown wherever the old ones stood, and agreed to with the next press.
  const summary = changed === null ? form.summary : withTerms(form.summary, changed);

  function place() {
    const { direction: toward, duration } = ticket;
    const { payoutRate, fee } = summary;
    if (toward === null || duration === null || stake === null || payoutRate === null || fee === null) return;
    placing.place({
      clientOrderId: newClientId(),
      member: storedMemberId(),
      wallet,
      symbol: instrument.symbol,
      direction: toward,
      stake,
      duration,
      ...(ticket.limitOn && { limitPrice: form.plain.limitPrice }),
      // As seen: other ones in force at acceptance are refused with QUOTE_CHANGED.
      payoutRate,
      fee,
      sentAt: Math.floor(serverNow()),
    });
  }

  const first = errors[0];
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
          <TermsBlock summary={summary} />
          <MainButton
            form={form}
            off={off}
            onOffPress={sayWhyOff}
            act={() => {
              if (confirmOrders) {
                placing.reset();
                setReviewing(true);
              } else place();
            }}
            label={confirmOrders ? "review" : "place"}
            busy={state.step === "placing" || state.step === "cut"}
          />
        </div>
      }
    >
      {!reviewing && state.step !== "idle" && state.step !== "placing" && (
        <div className="order-form">
          <Outside state={state} onAskAgain={placing.askAgain} />
        </div>
      )}
      <FormView
        instrument={instrument}
        form={{
          ...form,
          change: (change) => {
            // A refusal was about the ticket as it was.
            if (state.step === "refused") placing.reset();
            form.change(change);
          },
        }}
      />
      <ConfirmSheet
        open={reviewing || state.step === "newDevice"}
        instrument={instrument}
        ticket={form.plain}
        summary={summary}
        available={form.market.available}
        state={state}
        off={off}
        onOffPress={sayWhyOff}
        changed={changed}
        onPlace={place}
        onAllowDevice={placing.allowDevice}
        onAskAgain={placing.askAgain}
        onClose={() => {
          if (state.step === "refused" || state.step === "newDevice") placing.reset();
          setReviewing(false);
        }}
      />
    </Screen>
  );
}

/** What the server is asked to quote; null while something is not chosen. */
function askedTerms({ ticket: { direction, duration }, summary: { stake } }: Ticket) {
  return direction === null || duration === null || stake === null ? null : { stake, duration };
}

/** The server's terms, where they differ from the ones on the screen. */
function changedTerms(
  state: PlaceState,
  quote: { readonly payoutRate: string; readonly fee: string } | undefined,
  { summary }: Ticket,
): { readonly payoutRate: string; readonly fee: string } | null {
  const differs = (rate: string, fee: string) =>
    Number(rate) !== Number(summary.payoutRate) || Number(fee) !== Number(summary.fee);
  const failure = state.step === "refused" ? state.error.failure : null;
  if (failure?.error === "QUOTE_CHANGED") {
    const { payoutRate, fee } = failure.params ?? {};
    if (typeof payoutRate === "string" && typeof fee === "string") return { payoutRate, fee };
  }
  return quote !== undefined && summary.stake !== null && differs(quote.payoutRate, quote.fee)
    ? { payoutRate: quote.payoutRate, fee: quote.fee }
    : null;
}

/** The one filled button; off, it says why. Without a transaction password it leads there and back. */
function MainButton({
  form,
  off,
  onOffPress,
  act,
  label,
  busy,
}: {
  readonly form: Ticket;
  readonly off: string | null;
  readonly onOffPress: () => void;
  readonly act: () => void;
  readonly label: "review" | "place";
  readonly busy: boolean;
}) {
  const t = useText();
  const { ticket, summary, market } = form;
  const here = location.hash.replace(/^#/, "");
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

/** What is said over the form while no sheet is open: an order that an earlier page sent, or a refusal without review. */
function Outside({ state, onAskAgain }: { readonly state: PlaceState; readonly onAskAgain: () => void }) {
  const t = useText();
  if (state.step === "refused") {
    return <Notice wrong>{joinSentences(state.error.message, t("order.refused"))}</Notice>;
  }
  if (state.step === "notPlaced") return <Notice wrong>{t("order.notPlaced")}</Notice>;
  if (state.step !== "cut") return null;
  return (
    <>
      <Notice wrong>{t(state.asking ? "order.cut" : "order.cutLonger")}</Notice>
      {!state.asking && (
        <Button lowkey onClick={onAskAgain}>
          {t("order.askAgain")}
        </Button>
      )}
    </>
  );
}
