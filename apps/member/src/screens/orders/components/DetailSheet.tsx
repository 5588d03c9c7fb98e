import type { Instrument, Order } from "@fairtick/protocol";
import { FailedState, Gain, IconClose, IconCopy, Notice, Sheet, Timeline, type TimelineEvent } from "@fairtick/ui";
import { heldOf, paidOf, profitAt } from "../../../components/orders/order-figures.ts";
import { timelineOf, type OrderEvent } from "../../../components/orders/order-timeline.ts";
import { SealedNote } from "../../../components/orders/SealedNote.tsx";
import { OrderEvidence } from "../../../components/orders/OrderEvidence.tsx";
import { VerifyOrder } from "../../../components/verify/VerifyOrder.tsx";
import { useInstrument } from "../../../data/instruments.ts";
import { usePrice } from "../../../data/prices.ts";
import { useOrder } from "../../../data/trading.ts";
import { copyText } from "../../../shared/copy-text.ts";
import {
  formatCount,
  formatDate,
  formatDuration,
  formatGain,
  formatMoney,
  formatPrice,
  formatRate,
  formatTime,
  toneOf,
} from "../../../shared/format.ts";
import { useText, type Text } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";
import { Side } from "../../../components/orders/Side.tsx";
import "../orders-screen.css";

interface Props {
  /** The order in the address; null if there is none. */
  readonly orderNo: string | null;
  readonly onClose: () => void;
}

/** One order's whole timeline, in milliseconds. Open while `orderNo` is in the address. */
export function DetailSheet({ orderNo, onClose }: Props) {
  const t = useText();
  if (orderNo === null) return null;
  return (
    <Sheet key={orderNo} open onClose={onClose} title={<Title orderNo={orderNo} />} closeLabel={t("shell.close")}>
      <Body orderNo={orderNo} />
    </Sheet>
  );
}

/** The same beside the list, where there is room for both. */
export function DetailPanel({ orderNo, onClose }: Props) {
  const t = useText();
  if (orderNo === null) return <p className="detail-panel none soft">{t("orders.chooseOne")}</p>;
  return (
    <section key={orderNo} className="card detail-panel" aria-live="polite">
      <div className="detail-title">
        <h2 className="title grow">
          <Title orderNo={orderNo} />
        </h2>
        <button type="button" className="bar-button" aria-label={t("shell.close")} onClick={onClose}>
          <IconClose size="small" />
        </button>
      </div>
      <Body orderNo={orderNo} />
    </section>
  );
}

function Title({ orderNo }: { readonly orderNo: string }) {
  const t = useText();
  const order = useOrder(orderNo).data;
  const instrument = useInstrument(order?.symbol ?? "");
  if (order === undefined || instrument === undefined) return t("orders.title");
  return (
    <span className="change">
      {instrument.name} <Side direction={order.direction} />
    </span>
  );
}

function Body({ orderNo }: { readonly orderNo: string }) {
  const t = useText();
  const query = useOrder(orderNo);
  const order = query.data;
  const instrument = useInstrument(order?.symbol ?? "");
  if (order !== undefined && instrument !== undefined) return <Detail order={order} instrument={instrument} />;
  if (!query.isError) return null;
  return (
    <FailedState title={t("order.failed")} retryLabel={t("shell.tapToRetry")} onRetry={() => void query.refetch()} />
  );
}

function Detail({ order, instrument }: { readonly order: Order; readonly instrument: Instrument }) {
  const t = useText();
  const why = whyReturned(t, order);
  return (
    <div data-testid="detail">
      <div className="detail-head">
        <Outcome order={order} />
        <div className="end">
          <p className="label">
            {t("orders.termsLine", {
              stake: formatMoney(order.stake),
              duration: formatDuration(order.duration),
              rate: formatRate(order.payoutRate),
            })}
          </p>
          <p className="note soft">
            {t("orders.wallet", { wallet: t(`shell.wallet.${order.wallet}`) })} · {formatDate(order.acceptedAt)}
          </p>
        </div>
      </div>
      {why !== null && <Notice>{why}</Notice>}
      <div className="detail-lines">
        <Timeline events={timelineOf(order).map((event) => drawn(t, order, instrument, event))} />
      </div>
      {order.limitPrice !== null && (
        <p className="label">{t("orders.limit", { price: formatPrice(order.limitPrice, instrument.decimals) })}</p>
      )}
      <OrderNumber orderNo={order.orderNo} />
      <SealedNote order={order} />
      <OrderEvidence order={order} />
      {order.state === "settled" && <VerifyOrder order={order} decimals={instrument.decimals} />}
      {order.state !== "settled" && (
        <div className="detail-foot">
          <Link className="button tint" to="/pages/trade/trade" search={{ orderNo: order.orderNo }}>
            {t("orders.watch")}
          </Link>
        </div>
      )}
    </div>
  );
}

function Outcome({ order }: { readonly order: Order }) {
  const t = useText();
  const live = usePrice(order.symbol)?.price ?? null;
  const gain = order.profit ?? profitAt(order, live);
  return (
    <div>
      <p className="label">{order.outcome === null ? t("orders.running") : t(`orders.outcome.${order.outcome}`)}</p>
      <p className="big">
        {gain === null ? "–" : <Gain tone={toneOf(gain)}>{formatGain(gain)}</Gain>}{" "}
        <span className="unit">{t("shell.usd")}</span>
      </p>
    </div>
  );
}

function OrderNumber({ orderNo }: { readonly orderNo: string }) {
  const t = useText();
  return (
    <p className="standing-number">
      <span className="code">{orderNo}</span>
      <button
        type="button"
        className="bar-button"
        aria-label={t("orders.copyNumber")}
        onClick={() => void copyText(orderNo)}
      >
        <IconCopy size="small" />
      </button>
    </p>
  );
}

/** Returns why amount and fee were returned; null if they weren't. */
function whyReturned(t: Text, order: Order): string | null {
  if (order.voidReason !== null) return t(`orders.void.${order.voidReason}`);
  return order.outcome === "tied" ? t("orders.tiedWhy") : null;
}

function drawn(t: Text, order: Order, instrument: Instrument, event: OrderEvent): TimelineEvent {
  const detail = detailOf(t, order, instrument, event);
  return {
    label: labelOf(t, order, event),
    ...(detail !== null && { detail }),
    time: event.at === null ? t("orders.waiting") : formatTime(event.at, true),
    ...(event.afterMs !== null && { after: t("orders.afterMs", { ms: formatCount(event.afterMs) }) }),
    later: event.later,
  };
}

function labelOf(t: Text, order: Order, { kind, later }: OrderEvent): string {
  switch (kind) {
    case "accepted":
      return t("orders.accepted");
    case "entry":
      return t("orders.entryEvent");
    case "delivery":
      return t("orders.delivery");
    case "exit":
      return t("orders.exitEvent");
    case "settled":
      if (later || order.outcome === "lost" || order.outcome === "unrevealed") return t("orders.settled");
      return t(order.outcome === "won" ? "orders.paid" : "orders.returned");
  }
}

function detailOf(t: Text, order: Order, { decimals }: Instrument, { kind, later }: OrderEvent): string | null {
  const stake = formatMoney(order.stake);
  const fee = formatMoney(order.fee);
  switch (kind) {
    case "accepted":
      return t("orders.acceptedDetail", { held: formatMoney(heldOf(order)), fee });
    case "entry":
      return order.entryPrice === null ? null : t("orders.price", { price: formatPrice(order.entryPrice, decimals) });
    case "exit":
      return order.exitPrice === null ? null : t("orders.price", { price: formatPrice(order.exitPrice, decimals) });
    case "delivery":
      return null;
    case "settled": {
      const { outcome } = order;
      if (later || outcome === null) return null;
      if (outcome === "lost" || outcome === "unrevealed") return t("orders.paidLost");
      const paid = formatMoney(paidOf(order, outcome));
      return outcome === "won"
        ? t("orders.paidWon", { paid, stake, rate: formatRate(order.payoutRate) })
        : t("orders.paidBack", { paid, stake, fee });
    }
  }
}
