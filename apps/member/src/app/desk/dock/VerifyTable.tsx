import { FailedState, Gain } from "@fairtick/ui";
import { useHistory } from "../../../data/trading.ts";
import { useWallet } from "../../../data/wallet.ts";
import { formatDateTime, formatGain, toneOf } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { Head, OrderCell, OutcomeCell, VerifiedCell } from "./cells.tsx";

/** Each order costs a receipt and a check against the log, so only as many as one can take in at a glance. */
const CHECKED_MAX = 10;

/** The newest settled orders, each verified in this browser while the tab is open. */
export function VerifyTable() {
  const t = useText();
  const history = useHistory(useWallet(), {});
  const orders = history.data?.pages[0]?.items.slice(0, CHECKED_MAX);
  if (history.isError && orders === undefined) {
    return (
      <FailedState
        title={t("orders.failed")}
        retryLabel={t("shell.tapToRetry")}
        onRetry={() => void history.refetch()}
      />
    );
  }
  if (orders?.length === 0) return <p className="dock-empty label">{t("desk.nothingToVerify")}</p>;
  return (
    <table className="desk-table">
      <Head
        columns={[
          { label: t("desk.check") },
          { label: t("desk.product") },
          { label: t("desk.outcome") },
          { label: t("desk.time") },
          { label: t("desk.orderNumber"), className: "col-course" },
          { label: t("order.result"), isFigure: true },
        ]}
      />
      <tbody>
        {orders?.map((order) => (
          <tr key={order.orderNo} data-order={order.orderNo}>
            <VerifiedCell order={order} className="check" />
            <OrderCell order={order} />
            <OutcomeCell order={order} />
            <td className="soft">{formatDateTime(order.acceptedAt)}</td>
            <td className="code col-course">{order.orderNo}</td>
            <td className="gain">
              <Gain tone={toneOf(order.profit ?? "0.00")}>{formatGain(order.profit ?? "0.00")}</Gain>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
