import type { Check, Verdict } from "../../data/proof/verify-order.ts";
import type { Text } from "../../shared/i18n.ts";
import type { ShownState } from "./StateIcon.tsx";

/** What was found, in one line. */
export function summaryOf(t: Text, state: ShownState, verdict: Verdict | undefined): string {
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
