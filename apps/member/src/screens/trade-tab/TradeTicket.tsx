import type { Instrument } from "@fairtick/protocol";
import { showToast } from "@fairtick/ui";
import { repeatableOf, RepeatButton } from "../../components/ticket/RepeatButton.tsx";
import { OneTapOffer } from "../../components/ticket/OneTapOffer.tsx";
import { TicketPad } from "../../components/ticket/TicketPad.tsx";
import { continueWith } from "../../components/ticket/continued-terms.ts";
import { ticketSearch } from "../../components/ticket/ticket-address.ts";
import type { TicketOrder } from "../../components/ticket/use-ticket-order.ts";
import { useOwnOrders } from "../../components/chart/use-chart-scene.ts";
import { useLoggedIn } from "../../data/session.ts";
import { changeSettings, useSettings } from "../../data/settings.ts";
import { useText } from "../../shared/i18n.ts";
import { hrefOf, navigate } from "../../shared/navigation.tsx";

const ORDER_FORM = "/pages/trade/trade";

/** The ticket below the chart: one tap chooses a direction, the next places the order, and the chart stays. */
export function TradeTicket({ instrument, order }: { readonly instrument: Instrument; readonly order: TicketOrder }) {
  const t = useText();
  const isMember = useLoggedIn();
  const { confirmOrders } = useSettings();
  const { symbol } = instrument;
  const { form, state, off } = order;
  return (
    <TicketPad
      instrument={instrument}
      order={order}
      names="buy"
      compact
      above={<OneTapOffer />}
      beside={
        isMember && <RepeatLast symbol={symbol} off={off !== null || state.step !== "idle"} onRepeat={order.repeat} />
      }
      more={
        <>
          {!confirmOrders && (
            <button type="button" className="link" onClick={() => changeSettings({ confirmOrders: true })}>
              {t("ticket.confirmAgain")}
            </button>
          )}
          <button
            type="button"
            className="link"
            onClick={() => {
              const { stake, duration } = form.plain;
              if (duration !== null) continueWith({ stake, durationSeconds: duration });
              navigate({ to: ORDER_FORM, search: { symbol } });
            }}
          >
            {t("order.limitPrice")}
          </button>
        </>
      }
      onSetPassword={() => {
        showToast(t("order.tradePasswordNeeded"));
        navigate({
          to: "/pages/auth/SetTradePwd",
          search: { next: hrefOf({ to: "/pages/trade/index", search: ticketSearch(symbol, form.plain) }) },
        });
      }}
      onVisitor={
        isMember
          ? undefined
          : (direction) => {
              navigate({ to: ORDER_FORM, search: ticketSearch(symbol, { ...form.plain, direction }) });
            }
      }
    />
  );
}

/** Repeats the member's newest order in this product. */
function RepeatLast({
  symbol,
  off,
  onRepeat,
}: {
  readonly symbol: string;
  readonly off: boolean;
  readonly onRepeat: TicketOrder["repeat"];
}) {
  const { running, settled } = useOwnOrders(symbol);
  const last = repeatableOf([...running, ...settled]);
  return last === null ? null : (
    <RepeatButton
      order={last}
      off={off}
      onRepeat={() => {
        onRepeat(last);
      }}
    />
  );
}
