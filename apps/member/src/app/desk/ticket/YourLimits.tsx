import { useEffect, type ReactNode } from "react";
import { useSummary } from "../../../data/account.ts";
import { useBalances } from "../../../data/figures.ts";
import { useLimits } from "../../../data/limits.ts";
import { useWallet } from "../../../data/wallet.ts";
import { formatMinutes } from "../../../shared/format-span.ts";
import { formatMoney } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";

/**
 * The limits that the member has set for themselves and what today has used of them. Renders nothing if there are
 * none.
 */
export function YourLimits() {
  const t = useText();
  const wallet = useWallet();
  const limits = useLimits().data;
  const used = useUsedToday();
  if (limits === undefined) return null;
  const { dailyStake, dailyLoss, sessionMinutes } = limits;
  if (dailyStake === null && dailyLoss === null && sessionMinutes === null) return null;
  return (
    <section className="your-limits" aria-label={t("desk.limits")} data-wallet={wallet} data-testid="your-limits">
      <p className="your-limits-head">
        <strong className="label">{t("desk.limits")}</strong>
        <Link className="link label" to="/pages/settings/limits">
          {t("desk.limitsChange")}
        </Link>
      </p>
      <dl>
        {dailyStake !== null && <Line name={t("desk.stakedToday")} used={used?.stakedToday} limit={dailyStake} />}
        {dailyLoss !== null && <Line name={t("desk.countedLost")} used={used?.countedLost} limit={dailyLoss} />}
        {sessionMinutes !== null && <Row name={t("limits.sessionMinutes")}>{formatMinutes(sessionMinutes)}</Row>}
      </dl>
    </section>
  );
}

/** Reloads today's usage whenever the wallet changes: with each order and each result. */
function useUsedToday() {
  const wallet = useWallet();
  const { available, locked } = useSummary(wallet).data ?? {};
  const { data, refetch } = useBalances(wallet);
  useEffect(() => {
    if (available !== undefined && locked !== undefined) void refetch();
  }, [available, locked, refetch]);
  return data;
}

function Line({
  name,
  used,
  limit,
}: {
  readonly name: string;
  readonly used: string | undefined;
  readonly limit: string;
}) {
  const t = useText();
  return (
    <>
      <Row name={name}>
        {t("desk.countOf", { count: used === undefined ? "–" : formatMoney(used), all: formatMoney(limit) })}
      </Row>
      <progress className="your-limits-bar" aria-hidden="true" max={Number(limit)} value={Number(used ?? 0)} />
    </>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="your-limits-row">
      <dt className="label soft">{name}</dt>
      <dd className="label figure">{children}</dd>
    </div>
  );
}
