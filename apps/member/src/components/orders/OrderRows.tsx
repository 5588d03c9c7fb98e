import type { Order } from "@fairtick/protocol";
import { Dial, Gain, IconWarning } from "@fairtick/ui";
import { useInstrument } from "../../data/instruments.ts";
import { usePrice } from "../../data/prices.ts";
import { useOrigin } from "../../data/proof/origin-store.ts";
import {
  formatCountdown,
  formatDateTime,
  formatDuration,
  formatGain,
  formatMoney,
  formatPrice,
  formatTime,
  toneOf,
} from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { useServerNow } from "../../shared/server-clock.ts";
import { Link, useSearch, useShownPath, type Destination } from "../../shared/navigation.tsx";
import { profitAt, timeLeft } from "./order-figures.ts";
import { Side } from "./Side.tsx";
import "./orders.css";

const DAY_MS = 86_400_000;

function Name({ order }: { readonly order: Order }) {
  const name = useInstrument(order.symbol)?.name ?? order.symbol;
  return (
    <span className="change">
      {name} <Side direction={order.direction} />
      <RowAlarm order={order} />
    </span>
  );
}

/** A warning for an order that none of the member's devices signed, or that wasn't sealed; otherwise nothing. */
function RowAlarm({ order }: { readonly order: Order }) {
  const t = useText();
  const origin = useOrigin(order.orderNo)?.origin;
  if (origin === "noDevice")
    return (
      <span className="row-alarm" data-testid="row-alarm">
        <IconWarning size="small" /> {t("evidence.rowAlarm")}
      </span>
    );
  return order.sealed ? null : <span className="note soft">{t("evidence.rowOpen")}</span>;
}

/** The address of an order opened over its list: the list's filters stay, and back closes it in one step. */
function useOrderPlace(tab: "positions" | "history", { orderNo }: Order): Destination {
  const search = useSearch();
  const isOver = useShownPath() === ORDERS;
  return { to: ORDERS, search: { ...(isOver && search), tab, orderNo }, replace: isOver };
}

/** Marks the row whose order is shown beside the list. */
function useCurrent({ orderNo }: Order): { readonly "aria-current"?: "true" } {
  const { orderNo: shown } = useSearch();
  return shown === orderNo ? { "aria-current": "true" } : {};
}
const ORDERS = "/pages/order/index";

/** A running order: time left, entry, and what it would bring now. Opens its timeline. */
export function PositionRow({ order }: { readonly order: Order }) {
  const t = useText();
  const live = usePrice(order.symbol)?.price ?? null;
  const gain = profitAt(order, live);
  const decimals = useInstrument(order.symbol)?.decimals;
  return (
    <Link
      className="row order-row position-row"
      {...useOrderPlace("positions", order)}
      {...useCurrent(order)}
      data-testid="position"
    >
      <Remaining order={order} />
      <span className="grow">
        <Name order={order} />
        <span className="note soft block">
          <span className="figure">{formatMoney(order.stake)}</span> ·{" "}
          {order.entryPrice === null ? (
            t("orders.waitingEntry")
          ) : (
            <>
              {t("orders.entry")} <span className="figure">{formatPrice(order.entryPrice, decimals)}</span>
            </>
          )}
        </span>
      </span>
      <span className="end">
        <span className="block">
          {gain === null ? <span className="soft">–</span> : <Gain tone={toneOf(gain)}>{formatGain(gain)}</Gain>}
        </span>
        <span className="note soft">
          {t("orders.now")} <span className="figure">{live === null ? "–" : formatPrice(live, decimals)}</span>
        </span>
      </span>
    </Link>
  );
}

function Remaining({ order }: { readonly order: Order }) {
  const now = useServerNow();
  const { ms, part } = timeLeft(order, now);
  return (
    <span className="dial-box">
      <Dial left={part} size={44} />
      <span className="note figure">{formatCountdown(ms)}</span>
    </span>
  );
}

/** A settled order: when, how much, how long, and its result. Opens its timeline. */
export function SettledRow({ order }: { readonly order: Order }) {
  const t = useText();
  const now = useServerNow(60_000);
  const profit = order.profit ?? "0.00";
  const today = Math.floor(order.acceptedAt / DAY_MS) === Math.floor(now / DAY_MS);
  return (
    <Link className="row order-row" {...useOrderPlace("history", order)} {...useCurrent(order)} data-testid="settled">
      <span className="grow">
        <Name order={order} />
        <span className="note soft block">
          {today ? formatTime(order.acceptedAt) : formatDateTime(order.acceptedAt)} · {formatMoney(order.stake)} ·{" "}
          {formatDuration(order.duration)}
        </span>
      </span>
      <span className="end">
        <span className="block">
          <Gain tone={toneOf(profit)}>{formatGain(profit)}</Gain>
        </span>
        <span className="note soft">{order.outcome !== null && t(`orders.outcomeRow.${order.outcome}`)}</span>
      </span>
    </Link>
  );
}
