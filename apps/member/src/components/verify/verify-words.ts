import type { Check, Verdict } from "../../data/proof/verify-order.ts";
import { formatDate, formatTime } from "../../shared/format.ts";
import type { Text } from "../../shared/i18n.ts";
import type { ShownState } from "./StateIcon.tsx";

/** Returns the result in one line. */
export function summaryOf(t: Text, state: ShownState, verdict: Verdict | undefined): string {
  const checks = verdict?.checks ?? [];
  const done = checks.filter((check) => check.state === "ok").length;
  const values = { done, all: checks.length };
  switch (state) {
    case "checking":
      return t("verify.checking");
    case "ok":
      return done < checks.length ? t("verify.okHere", values) : t("verify.ok", values);
    case "pending":
      return t("verify.pending", values);
    case "failed":
      return isOverdue(checks) ? t("verify.overdue") : t("verify.failed", values);
    case "unchecked":
      return whyUnchecked(t, checks) ?? t("verify.unchecked", values);
  }
}

/**
 * Returns the message of a check that couldn't be run, such as one about a wrong device clock; null if there is none.
 */
function whyUnchecked(t: Text, checks: readonly Check[]): string | null {
  for (const check of checks)
    if (check.state === "unchecked" && "named" in check && check.named !== undefined)
      return t(`verify.named.${check.named}`, wordsOf(check));
  return null;
}

/** Names of check values that are instants. */
export const TIMES: ReadonlySet<string> = new Set(["acceptedAt", "minute", "cosignedAt", "dueAt", "seenAt"]);

/** Returns the values for a message, with times including their day. */
export function wordsOf({ values }: Check): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      TIMES.has(name) && typeof value === "number" ? `${formatDate(value)} ${formatTime(value)}` : value,
    ]),
  );
}

/** Returns whether an overdue log is the only fault. */
function isOverdue(checks: readonly Check[]): boolean {
  const failed = checks.filter(({ state }) => state === "failed");
  return failed.every((check) => "named" in check && check.named === "log-overdue");
}
