import { lazy, Suspense } from "react";
import { useText } from "../../shared/i18n.ts";

/** With the verifier. */
const WhoWatches = lazy(async () => {
  const part = await import("./WhoWatches.tsx");
  return { default: part.WhoWatches };
});

/** What anybody may do, and what no check can show. */
export function HowToCheck() {
  const t = useText();
  const log = `${location.origin}/log`;
  return (
    <>
      <section className="card" data-testid="fairness-watch">
        <h2 className="label">{t("fairness.watch")}</h2>
        <Suspense fallback={<p className="note soft">{t("fairness.watch.checking")}</p>}>
          <WhoWatches />
        </Suspense>
      </section>
      <section className="card">
        <h2 className="label">{t("fairness.how")}</h2>
        <ol className="fairness-list">
          <li>{t("fairness.how.app")}</li>
          <li>
            {t("fairness.how.keys")}
            <code className="code">npx fairtick keys --log {log} &gt; fairtick.keys</code>
          </li>
          <li>
            {t("fairness.how.receipt")}
            <code className="code">npx fairtick verify receipt.json</code>
          </li>
          <li>
            {t("fairness.how.log")}
            <code className="code">npx fairtick verify --log {log}</code>
          </li>
          <li>
            {t("fairness.how.witness")}
            <code className="code">npx fairtick witness --help</code>
          </li>
        </ol>
      </section>
      <section className="card">
        <h2 className="label">{t("fairness.cannot")}</h2>
        <ul className="fairness-list">
          <li>{t("fairness.cannot.pays")}</li>
          <li>{t("fairness.cannot.source")}</li>
          <li>{t("fairness.cannot.slot")}</li>
          <li>{t("fairness.cannot.witness")}</li>
        </ul>
      </section>
    </>
  );
}
