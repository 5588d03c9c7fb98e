import type { Order } from "@fairtick/protocol";
import { IconChevronDown } from "@fairtick/ui";
import { useState } from "react";
import { isInLog, useFollowing } from "../../data/log-follower.ts";
import { useVerification, type Verification } from "../../data/proof/verification.ts";
import type { Check, Verdict } from "../../data/proof/verify-order.ts";
import { holdsAtOnce, useAtOnce, type AtOnce } from "../../data/verify-at-once.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { SealMark } from "./SealMark.tsx";
import { VerifyMore } from "./VerifyMore.tsx";
import { summaryOf } from "./verify-words.ts";

interface Props {
  readonly order: Order;
  readonly decimals: number;
  /** The instrument's name, for the toast that follows if the screen was left. */
  readonly name: string;
  /** Whether the result has just arrived, so that the seal is animated. */
  readonly draws: boolean;
}

/**
 * Shows what this device found out about an order with its result: first what it can check without the public log,
 * then the rest once the log has the order. Only the verifier's answer closes the seal.
 */
export function SealCard({ order, decimals, name, draws }: Props) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const { found: atOnce, isOver } = useAtOnce(order, decimals);
  // One after the other, because a phone has only one processor to spare.
  const query = useVerification(order, decimals, isOver);
  const holds = t(order.outcome === "voided" ? "result.atOnceVoided" : "result.atOnce");
  const said = sayFound(t, { holds, found: query.data, atOnce, isError: query.isError });
  useFollowing(order, decimals, name, said.state === "sealed" && !said.inLog);
  return (
    <>
      <button
        type="button"
        className={said.state === "failed" ? "seal-card wrong" : "seal-card"}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        data-testid="verify-line"
        data-state={said.shown}
        data-at-once={atOnce?.state}
      >
        <SealMark state={said.state} draws={draws} />
        <span className="grow">
          <span className="seal-title">{said.title}</span>
          {/* Announced only once it is decided, so that interim states don't interrupt the order's result. */}
          <span className="note soft block" aria-live={said.inLog || said.state === "failed" ? "polite" : "off"}>
            {said.note}
          </span>
        </span>
        <IconChevronDown />
      </button>
      {open && <VerifyMore order={order} query={query} />}
    </>
  );
}

interface Said {
  readonly state: "empty" | "sealed" | "failed" | "open";
  /** State of the full verification. */
  readonly shown: Verdict["state"] | "checking";
  readonly inLog: boolean;
  readonly title: string;
  readonly note: string;
}

interface Findings {
  /** The message for an order that passes every check except those of the log. */
  readonly holds: string;
  readonly found: Verification | undefined;
  readonly atOnce: AtOnce | undefined;
  readonly isError: boolean;
}

function sayFound(t: Text, { holds, found, atOnce, isError }: Findings): Said {
  const verdict = found?.verdict;
  const shown = shownState(verdict, atOnce, isError);
  if (shown === "failed") {
    const checks = verdict?.state === "failed" ? verdict.checks : (atOnce?.checks ?? []);
    return {
      state: "failed",
      shown,
      inLog: false,
      title: t("result.notVerified"),
      note: nameFailed(t, checks, verdict),
    };
  }
  if (atOnce?.state === "ok" || holdsAtOnce(verdict?.checks ?? [])) {
    const inLog = verdict !== undefined && isInLog(verdict);
    return { state: "sealed", shown, inLog, title: holds, note: sayLog(t, verdict) };
  }
  if (shown === "unchecked") {
    const why = summaryOf(t, "unchecked", verdict);
    return { state: "open", shown, inLog: false, title: t("verify.title"), note: why };
  }
  const note = verdict === undefined ? t("result.verifyingWhat") : summaryOf(t, verdict.state, verdict);
  return { state: "empty", shown, inLog: false, title: t("result.verifying"), note };
}

/** Returns the state of the public log for an order that passes every other check. */
function sayLog(t: Text, verdict: Verdict | undefined): string {
  if (verdict === undefined) return t("result.logSoon");
  if (verdict.state === "pending" && isInLog(verdict)) return t("result.inLogSeedLater");
  if (isInLog(verdict)) return `${t("result.inLog")} · ${summaryOf(t, verdict.state, verdict)}`;
  if (verdict.state === "unchecked") return summaryOf(t, verdict.state, verdict);
  const isSettled = verdict.checks.some(({ id, state }) => id === "settled-in-log" && state === "ok");
  return t(isSettled ? "result.logPartly" : "result.logSoon");
}

function shownState(verdict: Verdict | undefined, atOnce: AtOnce | undefined, isError: boolean): Said["shown"] {
  if (verdict?.state === "failed" || (verdict === undefined && atOnce?.state === "failed")) return "failed";
  return verdict?.state ?? (isError ? "unchecked" : "checking");
}

/** Returns the failed check's message, or that the log is overdue if nothing else is wrong. */
function nameFailed(t: Text, checks: readonly Check[], verdict: Verdict | undefined): string {
  const failed = checks.filter(({ state }) => state === "failed");
  const isOverdue = failed.every((check) => "named" in check && check.named === "log-overdue");
  if (isOverdue && verdict !== undefined) return summaryOf(t, "failed", verdict);
  return failed.map(({ id }) => t("result.failedCheck", { check: t(`verify.check.${id}`) })).join(" · ");
}
