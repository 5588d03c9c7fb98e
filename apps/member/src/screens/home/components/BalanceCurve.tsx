import { useEffect } from "react";
import { useSummary } from "../../../data/account.ts";
import { useBalances } from "../../../data/figures.ts";
import { useWallet } from "../../../data/wallet.ts";
import { formatDate, formatMoney } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { store } from "../../../shared/storage.ts";
import { curveOf, type CurvePoint } from "./curve.ts";
import "./balance-curve.css";

/**
 * The wallet's total at the end of each day, up to 30, with its highest and lowest labelled. Today's total is the
 * figure above it. Nothing for a wallet that is one day old. Deposits and withdrawals move the curve too, so it isn't
 * a trading result.
 */
export function BalanceCurve() {
  const wallet = useWallet();
  const days = useBalances(wallet).data?.days;
  const total = useSummary(wallet).data?.totalAssets;
  const isDrawn = days !== undefined && days.length > 1;
  useEffect(() => {
    if (days !== undefined) store("fairtickCurve", isDrawn ? "yes" : "no");
  }, [days, isDrawn]);
  const last = days?.at(-1);
  if (!isDrawn || last === undefined) return null;
  return <Curve days={[...days.slice(0, -1), { start: last.start, total: total ?? last.total }]} />;
}

function Curve({ days }: { readonly days: readonly { readonly start: number; readonly total: string }[] }) {
  const t = useText();
  const { points, high, low } = curveOf(days);
  const line = points.map(({ x, y }) => `${x} ${y}`).join("L");
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const label = t("home.curveLabel", {
    days: days.length,
    from: formatMoney(first.total),
    to: formatMoney(last.total),
    low: formatMoney(low.total),
    high: formatMoney(high.total),
  });
  return (
    <figure className="balance-curve" aria-label={label} data-testid="balance-curve">
      <div className="balance-area" aria-hidden="true">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          <path className="balance-under" d={`M${line}L100 100L0 100Z`} />
          <path className="balance-line" d={`M${line}`} />
        </svg>
        <Mark at={high} side="above" />
        {low.total !== high.total && <Mark at={low} side="below" />}
      </div>
      <figcaption className="note soft balance-span" aria-hidden="true">
        <span>{formatDate(first.start)}</span>
        <span>{t("home.today")}</span>
      </figcaption>
    </figure>
  );
}

/** A figure at its point, placed inside the plot's edges. */
function Mark({ at: { x, y, total }, side }: { readonly at: CurvePoint; readonly side: "above" | "below" }) {
  return (
    <span className={`balance-mark ${side} figure note`} style={{ left: `${x}%`, top: `${y}%`, translate: `-${x}% 0` }}>
      {formatMoney(total)}
    </span>
  );
}
