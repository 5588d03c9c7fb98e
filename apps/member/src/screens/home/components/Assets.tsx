import { FailedState, Gain, Split, Wait } from "@fairtick/ui";
import { lazy, Suspense } from "react";
import { useSummary } from "../../../data/account.ts";
import { useWallet } from "../../../data/wallet.ts";
import { formatGain, formatMoney, toneOf } from "../../../shared/format.ts";
import { Boundary } from "../../../shared/Boundary.tsx";
import { activateAllWords, useText } from "../../../shared/i18n.ts";
import { readStored } from "../../../shared/storage.ts";

/** Loaded in parallel with the figures, which don't wait for it. */
const BalanceCurve = lazy(async () => {
  const [part] = await Promise.all([import("./BalanceCurve.tsx"), activateAllWords()]);
  return { default: part.BalanceCurve };
});

/** The wallet in view in four figures, with links to its screens. */
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
        {/* If the curve was shown last time, its space is reserved, so that nothing moves when it loads. */}
        <div className={readStored("fairtickCurve") === "yes" ? "home-curve kept" : "home-curve"}>
          <Boundary broken={null}>
            <Suspense fallback={null}>{summary && <BalanceCurve />}</Suspense>
          </Boundary>
        </div>
      </section>
    </>
  );
}
