import type { Outcome } from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";
import { Dial, FailedState, Gain, IconChevronRight, IconLocate } from "@fairtick/ui";
import { outcomeAt, profitAt, timeLeft } from "../../../components/orders/order-figures.ts";
import { useInstrument } from "../../../data/instruments.ts";
import { usePositions } from "../../../data/orders.ts";
import { usePrice } from "../../../data/prices.ts";
import { usePriceTrail } from "../../../data/price-trail.ts";
import { useHistory } from "../../../data/trading.ts";
import { useWallet } from "../../../data/wallet.ts";
import { formatCountdown, formatGain, formatMoney, formatPrice, formatTime, toneOf } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { useServerNow } from "../../../shared/server-clock.ts";
import { Course } from "../Course.tsx";
import { showProduct } from "../desk-charts.ts";
import { Head, OrderCell, OutcomeCell, VerifiedCell } from "./cells.tsx";

/** How long an order stays among the positions after it was settled. */
const SETTLED_STAYS_MS = 120_000;
const COURSE_POINTS = 48;

/** Running orders with their time left and what they would bring now, followed by those that have just ended. */
export function PositionsTable() {
  const t = useText();
  const wallet = useWallet();
  const positions = usePositions(wallet);
  const now = useServerNow(1_000);
  const settled = useHistory(wallet, {}).data?.pages[0]?.items ?? [];
  const ended = settled.filter(({ settledAt }) => settledAt !== null && now - settledAt < SETTLED_STAYS_MS);
  const orders = positions.data?.items;
  if (positions.isError && orders === undefined) {
    return (
      <FailedState
        title={t("orders.failed")}
        retryLabel={t("shell.tapToRetry")}
        onRetry={() => void positions.refetch()}
      />
    );
  }
  if (orders?.length === 0 && ended.length === 0) return <p className="dock-empty label">{t("desk.noPositions")}</p>;
  return (
    <table className="desk-table positions-table">
      <Head
        columns={[
          { label: t("desk.endsIn"), className: "col-ring" },
          { label: t("desk.product") },
          { label: t("desk.stake"), isFigure: true },
          { label: t("order.entry"), isFigure: true },
          { label: t("order.now"), isFigure: true },
          { label: t("desk.expires"), isFigure: true, className: "col-expires" },
          { label: t("desk.sinceEntry"), className: "col-course" },
          { label: t("order.ifEndedNow"), isFigure: true },
          { label: t("desk.inChart"), isSaid: true, className: "col-act" },
        ]}
      />
      <tbody>
        {orders?.map((order) => (
          <RunningRow key={order.orderNo} order={order} />
        ))}
        {ended.map((order) => (
          <EndedRow key={order.orderNo} order={order} />
        ))}
      </tbody>
    </table>
  );
}

function RunningRow({ order }: { readonly order: Order }) {
  const t = useText();
  const instrument = useInstrument(order.symbol);
  const live = usePrice(order.symbol)?.price ?? null;
  const gain = profitAt(order, live);
  const decimals = instrument?.decimals;
  return (
    <tr data-testid="desk-position" data-order={order.orderNo}>
      <td className="col-ring">
        <Ring order={order} />
      </td>
      <OrderCell order={order} />
      <td className="figure">{formatMoney(order.stake)}</td>
      <td className="plain">
        {order.entryPrice === null ? t("orders.waiting") : formatPrice(order.entryPrice, decimals)}
      </td>
      <td className="figure">{live === null ? "–" : formatPrice(live, decimals)}</td>
      <td className="plain soft col-expires">{order.expiresAt === null ? "–" : formatTime(order.expiresAt)}</td>
      <td className="col-course">{order.entryAt !== null && <SinceEntry order={order} />}</td>
      <td className="gain">{gain === null ? "–" : <Gain tone={toneOf(gain)}>{formatGain(gain)}</Gain>}</td>
      <td className="col-act">
        <button
          type="button"
          className="tool"
          aria-label={t("desk.show", { name: instrument?.name ?? order.symbol })}
          title={t("desk.show", { name: instrument?.name ?? order.symbol })}
          onClick={() => {
            showProduct(order.symbol);
          }}
        >
          <IconLocate size="tiny" />
        </button>
      </td>
    </tr>
  );
}

function Ring({ order }: { readonly order: Order }) {
  const { ms, part } = timeLeft(order, useServerNow(1_000));
  return (
    <>
      <Dial left={part} size={38}>
        {shortCountdown(ms)}
      </Dial>
      <span className="unseen">{formatCountdown(ms)}</span>
    </>
  );
}

/** Formats a countdown to fit in a ring: minutes and seconds without a leading zero, or whole minutes from ten. */
function shortCountdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds >= 600) return `${Math.ceil(seconds / 60)}′`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function SinceEntry({ order }: { readonly order: Order }) {
  const trail = usePriceTrail(order.symbol, { from: order.entryAt ?? 0 });
  const live = usePrice(order.symbol)?.price ?? null;
  const outcome = live === null ? null : outcomeAt(order, live);
  const step = Math.max(1, Math.ceil(trail.length / COURSE_POINTS));
  const points = trail.filter((_, place) => place % step === 0 || place === trail.length - 1);
  return (
    <Course
      points={points.map(({ price }) => price)}
      base={order.entryPrice === null ? null : Number(order.entryPrice)}
      direction={toneOfOutcome(outcome)}
      width={96}
    />
  );
}

function toneOfOutcome(outcome: Outcome | null): "up" | "down" | "flat" {
  if (outcome === "won") return "up";
  return outcome === "lost" ? "down" : "flat";
}

function EndedRow({ order }: { readonly order: Order }) {
  const decimals = useInstrument(order.symbol)?.decimals;
  const profit = order.profit ?? "0.00";
  return (
    <tr className="ended" data-testid="desk-ended" data-order={order.orderNo}>
      <OutcomeCell order={order} />
      <OrderCell order={order} />
      <td className="figure">{formatMoney(order.stake)}</td>
      <td className="plain">{order.entryPrice === null ? "–" : formatPrice(order.entryPrice, decimals)}</td>
      <td className="figure">{order.exitPrice === null ? "–" : formatPrice(order.exitPrice, decimals)}</td>
      <td className="plain soft col-expires">{order.expiresAt === null ? "–" : formatTime(order.expiresAt)}</td>
      <VerifiedCell order={order} />
      <td className="gain">
        <Gain tone={toneOf(profit)}>{formatGain(profit)}</Gain>
      </td>
      <td className="col-act soft">
        <IconChevronRight size="tiny" />
      </td>
    </tr>
  );
}
