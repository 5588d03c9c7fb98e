import type { Order } from "@fairtick/protocol";
import { Button, IconChevronDown, Notice } from "@fairtick/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useKeepServedKeys, type Verification } from "../../data/proof/verification.ts";
import { formatCount, formatDate, formatTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { saveFile } from "../../shared/save-file.ts";
import { verifierCommand } from "../../shared/verifier-command.ts";
import { Sentences } from "./Sentences.tsx";
import { ShareProof } from "./ShareProof.tsx";

interface Props {
  readonly order: Order;
  readonly query: UseQueryResult<Verification>;
}

/** The six sentences. What they rest on, and how to run the same checks elsewhere, is folded. */
export function VerifyMore({ order, query }: Props) {
  const t = useText();
  const found = query.data;
  return (
    <div className="verify-more">
      {query.isError && found === undefined && <Notice wrong>{query.error.message}</Notice>}
      {found !== undefined && <Sentences checks={found.verdict.checks} sealed={order.sealed} />}
      {found?.keys.changed === true && <OtherKeys />}
      <div className="pair">
        <Button lowkey look="tint" off={query.isFetching} onClick={() => void query.refetch()}>
          {t("verify.again")}
        </Button>
        {found !== undefined && (
          <Button
            lowkey
            look="tint"
            onClick={() => saveFile(new Blob([found.file], { type: "application/json" }), fileName(order))}
          >
            {t("verify.save")}
          </Button>
        )}
      </div>
      {found?.verdict.state !== "failed" && found !== undefined && <ShareProof order={order} found={found} />}
      <div>
        {found !== undefined && <HowChecked found={found} />}
        <Folded title={t("verify.elsewhereTitle")}>
          <p>{t("verify.elsewhere")}</p>
          <p className="code verify-values">
            {verifierCommand(location.origin)} verify {fileName(order)}
          </p>
        </Folded>
      </div>
    </div>
  );
}

function Folded({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className="verify-fold note soft">
      <summary>
        <span className="grow">{title}</span>
        <IconChevronDown size="small" />
      </summary>
      {children}
    </details>
  );
}

function HowChecked({ found }: { readonly found: Verification }) {
  const t = useText();
  const { verdict, keys } = found;
  return (
    <Folded title={t("verify.how")}>
      <p>{t("verify.intro")}</p>
      <div data-testid="witnesses">
        {verdict.logSize > 0 && <p>{t("verify.logSize", { count: formatCount(verdict.logSize) })}</p>}
        {verdict.logRoot !== null && <p data-testid="log-root">{t("verify.logRoot", { root: verdict.logRoot })}</p>}
        {verdict.witnesses.map(({ name, key, at }) => (
          <p key={key}>
            {at === null
              ? t("verify.witnessAway", { name })
              : t("verify.witness", { name, time: `${formatDate(at)} ${formatTime(at)}` })}
            <span className="code verify-values block">{key}</span>
          </p>
        ))}
        {verdict.logSize > 0 && verdict.witnesses.length === 0 && <p>{t("verify.noWitness")}</p>}
        <p>
          {keys.since === null
            ? t("verify.keysBuilt")
            : t("verify.keysSince", { time: `${formatDate(keys.since)} ${formatTime(keys.since)}` })}
        </p>
      </div>
      <p>
        {t("verify.cannot")} <Link to="/pages/fairness/index">{t("fairness.title")}</Link>
      </p>
    </Folded>
  );
}

/** Shown if the log names other keys than those stored. They are never replaced automatically. */
function OtherKeys() {
  const t = useText();
  const keepServed = useKeepServedKeys();
  return (
    <Notice wrong>
      <p>{t("verify.keysChanged")}</p>
      <Button lowkey look="tint" onClick={() => void keepServed()}>
        {t("verify.keepNew")}
      </Button>
    </Notice>
  );
}

function fileName(order: Order): string {
  return `receipt-${order.orderNo}.json`;
}
