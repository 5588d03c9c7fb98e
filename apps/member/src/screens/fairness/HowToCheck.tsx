import { lazy, Suspense } from "react";
import { verifierCommand } from "../../shared/verifier-command.ts";
import { useLoggedIn } from "../../data/session.ts";
import { useSearch } from "../../shared/navigation.tsx";
import { useText } from "../../shared/i18n.ts";
import { Fold } from "./Fold.tsx";

/** Loaded together with the verifier. */
const WhoWatches = lazy(async () => {
  const part = await import("./WhoWatches.tsx");
  return { default: part.WhoWatches };
});

const CompareLog = lazy(async () => {
  const part = await import("./CompareLog.tsx");
  return { default: part.CompareLog };
});

const KeptEvidence = lazy(async () => {
  const part = await import("./KeptEvidence.tsx");
  return { default: part.KeptEvidence };
});

/** What anyone can check, and what no check can show. `verifier` is the SHA-256 of the one that the house serves. */
export function HowToCheck({ verifier }: { readonly verifier: string | null }) {
  const t = useText();
  const log = `${location.origin}/log`;
  const fairtick = verifierCommand(location.origin);
  const loggedIn = useLoggedIn();
  // The address contains another device's log state.
  const isAsked = useSearch()["sig"] !== undefined;
  return (
    <>
      <Fold title={t("fairness.watch")} testId="fairness-watch">
        <Suspense fallback={<p className="note soft">{t("fairness.watch.checking")}</p>}>
          <WhoWatches />
        </Suspense>
      </Fold>
      <Fold title={t("fairness.compare.title")} testId="fairness-compare" later opened={isAsked}>
        <Suspense fallback={<p className="note soft">{t("fairness.compare.checking")}</p>}>
          <CompareLog />
        </Suspense>
      </Fold>
      {loggedIn && (
        <Fold title={t("fairness.evidence.title")} testId="fairness-evidence" later>
          <Suspense fallback={null}>
            <KeptEvidence />
          </Suspense>
        </Fold>
      )}
      <Fold title={t("fairness.how")} testId="fairness-how">
        <ol className="fairness-list">
          <li>{t("fairness.how.app")}</li>
          <li>
            {t("fairness.how.keys")}
            <code className="code">
              {fairtick} keys --log {log} &gt; fairtick.keys
            </code>
          </li>
          <li>
            {t("fairness.how.receipt")}
            <code className="code">{fairtick} verify receipt.json</code>
          </li>
          <li>
            {t("fairness.how.log")}
            <code className="code">
              {fairtick} verify --log {log}
            </code>
          </li>
          <li>
            {t("fairness.how.witness")}
            <code className="code">{fairtick} witness --help</code>
          </li>
        </ol>
        {verifier !== null && (
          <p className="note soft" data-testid="verifier-hash">
            {t("fairness.how.verifier")} <code className="code">{verifier}</code>
          </p>
        )}
      </Fold>
      <section className="card">
        <h2 className="label">{t("fairness.cannot")}</h2>
        <ul className="fairness-list">
          <li>{t("fairness.cannot.refusals")}</li>
          <li>{t("fairness.cannot.unsigned")}</li>
          <li>{t("fairness.cannot.insiders")}</li>
          <li>{t("fairness.cannot.solvency")}</li>
          <li>{t("fairness.cannot.pays")}</li>
          <li>{t("fairness.cannot.source")}</li>
          <li>{t("fairness.cannot.gaps")}</li>
          <li>{t("fairness.cannot.moments")}</li>
          <li>{t("fairness.cannot.slot")}</li>
          <li>{t("fairness.cannot.witness")}</li>
        </ul>
      </section>
    </>
  );
}
