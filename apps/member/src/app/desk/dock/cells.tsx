import type { Order } from "@fairtick/protocol";
import { lazy, Suspense } from "react";
import { Side } from "../../../components/orders/Side.tsx";
import { useInstrument } from "../../../data/instruments.ts";
import { toneOf } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";

export interface Column {
  readonly label: string;
  /** Aligns the heading at the end, like its figures. */
  readonly isFigure?: boolean;
  /** For screen readers only: a column of buttons. */
  readonly isSaid?: boolean;
  /** Class of a column that is hidden in a narrow panel. */
  readonly className?: string;
}

/** A table's header row. */
export function Head({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ label, isFigure, isSaid, className }) => (
          <th key={label} scope="col" className={[isFigure && "end", className].filter(Boolean).join(" ") || undefined}>
            {isSaid ? <span className="unseen">{label}</span> : label}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Product and direction, linked to the order, which opens in place of the ticket. */
export function OrderCell({ order }: { readonly order: Order }) {
  const name = useInstrument(order.symbol)?.name ?? order.symbol;
  return (
    <th scope="row">
      <Link className="order-link" to="/pages/trade/trade" search={{ orderNo: order.orderNo }}>
        {name} <Side direction={order.direction} />
      </Link>
    </th>
  );
}

export function OutcomeCell({ order }: { readonly order: Order }) {
  const t = useText();
  const tone = toneOf(order.profit ?? "0.00");
  return (
    <td className={tone === "flat" ? "outcome soft" : `outcome ${tone}`}>
      {order.outcome === null ? "–" : t(`orders.outcome.${order.outcome}`)}
    </td>
  );
}

const VerifiedMark = lazy(async () => {
  const part = await import("./VerifiedMark.tsx");
  return { default: part.VerifiedMark };
});

/** Whether this browser could verify a settled order. The verifier is loaded with the first such cell. */
export function VerifiedCell({
  order,
  className = "col-course",
}: {
  readonly order: Order;
  readonly className?: string;
}) {
  const t = useText();
  const decimals = useInstrument(order.symbol)?.decimals;
  return (
    <td className={className}>
      {decimals !== undefined && (
        <Suspense fallback={<span className="note soft">{t("desk.verifying")}</span>}>
          <VerifiedMark order={order} decimals={decimals} />
        </Suspense>
      )}
    </td>
  );
}
