import type { Order } from "@fairtick/protocol";
import { Button, IconCheck, IconChevronDown, IconClock, IconInfo, IconWarning, Notice } from "@fairtick/ui";
import { useState } from "react";
import { useKeepServedKeys, useVerification, type Verification } from "../../data/proof/verification.ts";
import type { Check, Verdict } from "../../data/proof/verify-order.ts";
import { formatCount, formatDate, formatTime } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { saveFile } from "../../shared/save-file.ts";
import { verifierCommand } from "../../shared/verifier-command.ts";

type State = Verdict["state"] | "checking";

/** The result in one line; below it, when opened, every check. */
export function VerifyPanel({ order, decimals }: { readonly order: Order; readonly decimals: number }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const query = useVerification(order, decimals);
  const found = query.data;
  const state: State = found?.verdict.state ?? (query.isError ? "unchecked" : "checking");
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
          {found !== undefined && <Found found={found} />}
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

function Found({ found }: { readonly found: Verification }) {
  const t = useText();
  const { verdict, keys } = found;
  return (
    <>
      <p className="note soft">{t("verify.intro")}</p>
      <ul className="verify-checks">
        {verdict.checks.map((check) => (
          <li key={check.id} data-testid="check" data-check={check.id} data-state={check.state}>
            <StateIcon state={check.state} />
            <div className="grow">
              <p className="label">{t(`verify.check.${check.id}`)}</p>
              {"named" in check && check.named !== undefined && (
                <p data-testid="check-named">{t(`verify.named.${check.named}`, wordsOf(check))}</p>
              )}
              <p className="verify-values">
                <b className="verify-state">{t(`verify.state.${check.state}`)}</b>{" "}
                <span className="code">{valuesOf(check)}</span>
              </p>
            </div>
          </li>
        ))}
      </ul>
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

function StateIcon({ state }: { readonly state: State }) {
  const icon = {
    ok: <IconCheck />,
    failed: <IconWarning />,
    pending: <IconClock />,
    checking: <IconClock />,
    unchecked: <IconInfo />,
  }[state];
  return <span className={`verify-icon ${state}`}>{icon}</span>;
}

function summaryOf(t: Text, state: State, verdict: Verdict | undefined): string {
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

const TIMES = new Set(["acceptedAt", "minute", "cosignedAt", "dueAt"]);

/** The values for a sentence: times with their day. */
function wordsOf({ values }: Check): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      TIMES.has(name) && typeof value === "number" ? `${formatDate(value)} ${formatTime(value)}` : value,
    ]),
  );
}

/** Names as docs/verification.md has them, so that they can be compared with what the command says. */
function valuesOf({ values, why }: Check): string {
  const parts = Object.entries(values).map(([name, value]) =>
    TIMES.has(name) && typeof value === "number" ? `${name} ${formatTime(value, true)}` : `${name} ${value}`,
  );
  return [...(why === undefined ? [] : [why]), ...parts].join(" · ");
}

function fileName(order: Order): string {
  return `receipt-${order.orderNo}.json`;
}
