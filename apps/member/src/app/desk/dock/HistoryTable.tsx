import type { Order } from "@fairtick/protocol";
import { FailedState, Gain } from "@fairtick/ui";
import { LoadMore } from "../../../components/lists/LoadMore.tsx";
import { useInstrument } from "../../../data/instruments.ts";
import { useHistory } from "../../../data/trading.ts";
import { useWallet } from "../../../data/wallet.ts";
import {
  formatDateTime,
  formatDuration,
  formatGain,
  formatMoney,
  formatPrice,
  toneOf,
} from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { Head, OrderCell, OutcomeCell } from "./cells.tsx";

/** Settled orders of the wallet in view, newest first. */
export function HistoryTable() {
  const t = useText();
  const history = useHistory(useWallet(), {});
  const orders = history.data?.pages.flatMap(({ items }) => items);
  if (history.isError && orders === undefined) {
    return (
      <FailedState
        title={t("orders.failed")}
        retryLabel={t("shell.tapToRetry")}
        onRetry={() => void history.refetch()}
      />
    );
  }
  if (orders?.length === 0) return <p className="dock-empty label">{t("orders.nothingSettled")}</p>;
  return (
    <>
      <table className="desk-table">
        <Head
          columns={[
            { label: t("desk.outcome") },
            { label: t("desk.product") },
            { label: t("desk.time") },
            { label: t("desk.stake"), isFigure: true },
            { label: t("desk.duration"), isFigure: true, className: "col-expires" },
            { label: t("order.entry"), isFigure: true },
            { label: t("order.exit"), isFigure: true },
            { label: t("order.result"), isFigure: true },
          ]}
        />
        <tbody>
          {orders?.map((order) => (
            <HistoryRow key={order.orderNo} order={order} />
          ))}
        </tbody>
      </table>
      {orders !== undefined && <LoadMore pages={history} />}
    </>
  );
}

function HistoryRow({ order }: { readonly order: Order }) {
  const decimals = useInstrument(order.symbol)?.decimals;
  const profit = order.profit ?? "0.00";
  const price = (text: string | null) => (text === null ? "–" : formatPrice(text, decimals));
  return (
    <tr data-testid="desk-settled" data-order={order.orderNo}>
      <OutcomeCell order={order} />
      <OrderCell order={order} />
      <td className="soft">{formatDateTime(order.acceptedAt)}</td>
      <td className="figure">{formatMoney(order.stake)}</td>
      <td className="plain soft col-expires">{formatDuration(order.duration)}</td>
      <td className="plain">{price(order.entryPrice)}</td>
      <td className="plain">{price(order.exitPrice)}</td>
      <td className="gain">
        <Gain tone={toneOf(profit)}>{formatGain(profit)}</Gain>
      </td>
    </tr>
  );
}
