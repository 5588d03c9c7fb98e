import type { Order } from "@fairtick/protocol";
import { Button, IconChevronDown, Notice } from "@fairtick/ui";
import { useState } from "react";
import { useKeepServedKeys, useVerification, type Verification } from "../../data/proof/verification.ts";
import type { Check, Verdict } from "../../data/proof/verify-order.ts";
import { formatCount, formatDate, formatTime } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { saveFile } from "../../shared/save-file.ts";
import { verifierCommand } from "../../shared/verifier-command.ts";
import { Sentences } from "./Sentences.tsx";
import { StateIcon, type ShownState } from "./StateIcon.tsx";

/** The result in one line; below it, when opened, the six sentences with their checks. */
export function VerifyPanel({ order, decimals }: { readonly order: Order; readonly decimals: number }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const query = useVerification(order, decimals);
  const found = query.data;
  const state: ShownState = found?.verdict.state ?? (query.isError ? "unchecked" : "checking");
  return (
    <>
      <button
        type="button"
        className={state === "failed" || state === "unchecked" ? "verify-line wrong" : "verify-line"}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        data-testid="verify-line"
        data-state={state}
      >
        <StateIcon state={state} />
        <span className="grow">
          {t("verify.title")}
          {/* Spoken once it is decided, so that the steps on the way do not talk over an order's result. */}
          <span className="note soft block" aria-live={state === "checking" || state === "pending" ? "off" : "polite"}>
            {summaryOf(t, state, found?.verdict)}
          </span>
        </span>
        <IconChevronDown />
      </button>
      {open && (
        <div className="verify-more">
          {query.isError && found === undefined && <Notice wrong>{query.error.message}</Notice>}
          {found !== undefined && <Found found={found} order={order} />}
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
          <p className="note soft">{t("verify.elsewhere")}</p>
          <p className="code verify-values">
            {verifierCommand(location.origin)} verify {fileName(order)}
          </p>
          <p className="note soft">
            {t("verify.cannot")} <Link to="/pages/fairness/index">{t("fairness.title")}</Link>
          </p>
        </div>
      )}
    </>
  );
}

function Found({ found, order }: { readonly found: Verification; readonly order: Order }) {
  const t = useText();
  const { verdict, keys } = found;
  return (
    <>
      <p className="note soft">{t("verify.intro")}</p>
      <Sentences checks={verdict.checks} sealed={order.sealed} />
      <div className="note soft" data-testid="witnesses">
        {verdict.logSize > 0 && <p>{t("verify.logSize", { count: formatCount(verdict.logSize) })}</p>}
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
      {keys.changed && <OtherKeys />}
    </>
  );
}

/** The log names other keys than those kept: never taken by itself. */
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

function summaryOf(t: Text, state: ShownState, verdict: Verdict | undefined): string {
  const checks = verdict?.checks ?? [];
  const done = checks.filter((check) => check.state === "ok").length;
  const values = { done, all: checks.length };
  switch (state) {
    case "checking":
      return t("verify.checking");
    case "ok":
      return t("verify.ok", values);
    case "pending":
      return t("verify.pending", values);
    case "failed":
      return isOverdue(checks) ? t("verify.overdue") : t("verify.failed", values);
    case "unchecked":
      return t("verify.unchecked", values);
  }
}

/** Nothing else is wrong. */
function isOverdue(checks: readonly Check[]): boolean {
  const failed = checks.filter(({ state }) => state === "failed");
  return failed.every((check) => "named" in check && check.named === "log-overdue");
}

function fileName(order: Order): string {
  return `receipt-${order.orderNo}.json`;
}
