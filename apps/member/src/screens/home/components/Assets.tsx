import { FailedState, Gain, IconDeposit, IconWithdraw, Split, Wait } from "@fairtick/ui";
import { useSummary } from "../../../data/account.ts";
import { useWallet } from "../../../data/wallet.ts";
import { formatGain, formatMoney, toneOf } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";

/** The wallet in view in four figures, and the ways of money in and out. */
export function Assets() {
  const t = useText();
  const query = useSummary(useWallet());
  const summary = query.data;
  return (
    <>
      {query.isError && !summary && (
        <FailedState
          title={t("home.assetsFailed")}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => {
            void query.refetch();
          }}
        />
      )}
      <section className="home-assets" aria-busy={query.isPending} hidden={query.isError && !summary}>
        <p className="label">{t("home.totalAssets")}</p>
        <p className="price">
          {summary ? formatMoney(summary.totalAssets) : <Wait like="10,000.00" />}{" "}
          <span className="unit">{t("shell.usd")}</span>
        </p>
        <Split
          parts={[
            { name: t("home.available"), figure: summary ? formatMoney(summary.available) : <Wait like="9,000.00" /> },
            { name: t("home.inOrders"), figure: summary ? formatMoney(summary.locked) : <Wait like="200.00" /> },
            {
              name: t("home.today"),
              figure: summary ? (
                <Gain tone={toneOf(summary.todayProfit)}>{formatGain(summary.todayProfit)}</Gain>
              ) : (
                <Wait like="+100.00" />
              ),
            },
          ]}
        />
      </section>
      <nav className="pair">
        <Link className="button tint lowkey" to="/pages/rk/index">
          <IconDeposit size="small" />
          {t("home.deposit")}
        </Link>
        <Link className="button tint lowkey" to="/pages/qk/index">
          <IconWithdraw size="small" />
          {t("home.withdraw")}
        </Link>
      </nav>
    </>
  );
}
