import type { Order } from "@fairtick/protocol";
import { EmptyState, FailedState, Gain, Ring, Split, Wait } from "@fairtick/ui";
import { heldOf, sumOf } from "../../../components/orders/order-figures.ts";
import { PositionRow, SettledRow } from "../../../components/orders/OrderRows.tsx";
import { useSumNow } from "../../../components/orders/use-sum-now.ts";
import { usePositions } from "../../../data/orders.ts";
import { useHistory } from "../../../data/trading.ts";
import { useWallet } from "../../../data/wallet.ts";
import { spanOf } from "../../../shared/date-span.ts";
import { formatCount, formatGain, formatMoney, toneOf } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { useServerNow } from "../../../shared/server-clock.ts";
import { Link } from "../../../shared/navigation.tsx";

const TODAY_ROWS = 5;

/** Running orders with what they would bring now, and today's settled orders below. */
export function PositionsView() {
  const t = useText();
  const positions = usePositions(useWallet());
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
  return (
    <>
      <Sums orders={orders} />
      {orders?.length === 0 && <NothingRuns />}
      {orders !== undefined && orders.length > 0 && (
        <>
          <section className="group" aria-label={t("orders.positions")}>
            {orders.map((order) => (
              <PositionRow key={order.orderNo} order={order} />
            ))}
          </section>
          <p className="note soft orders-note">{t("orders.lineNote")}</p>
        </>
      )}
      <SettledToday />
    </>
  );
}

function Sums({ orders }: { readonly orders: readonly Order[] | undefined }) {
  const t = useText();
  const now = useSumNow(orders ?? []);
  if (orders?.length === 0) return null;
  const parts = [
    { name: t("orders.open"), figure: orders ? formatCount(orders.length) : <Wait like="2" /> },
    { name: t("orders.held"), figure: orders ? formatMoney(sumOf(orders.map(heldOf))) : <Wait like="100.00" /> },
    {
      name: t("orders.ifAllEndedNow"),
      figure: now === null ? "–" : <Gain tone={toneOf(now)}>{formatGain(now)}</Gain>,
    },
  ];
  return (
    <div className="list-split orders-sums">
      <Split parts={parts} />
    </div>
  );
}

function NothingRuns() {
  const t = useText();
  return (
    <div className="orders-empty">
      <Ring left={0} size={128}>
        <span />
      </Ring>
      <EmptyState
        title={t("orders.nothingRunning")}
        action={
          <Link className="button tint lowkey" to="/pages/trade/trade">
            {t("orders.placeOne")}
          </Link>
        }
      >
        {t("orders.nothingRunningMore")}
      </EmptyState>
    </div>
  );
}

function SettledToday() {
  const t = useText();
  const now = useServerNow(60_000);
  const page = useHistory(useWallet(), spanOf({ name: "today", fromDay: "", toDay: "" }, now)).data?.pages[0];
  if (page === undefined || page.items.length === 0) return null;
  return (
    <>
      <div className="section">
        <h2>{t("orders.settledToday")}</h2>
        <Link className="link" to="/pages/order/index" search={{ tab: "history" }} replace>
          {t("orders.history")}
        </Link>
      </div>
      <section className="group" aria-label={t("orders.settledToday")}>
        {page.items.slice(0, TODAY_ROWS).map((order) => (
          <SettledRow key={order.orderNo} order={order} />
        ))}
      </section>
    </>
  );
}
