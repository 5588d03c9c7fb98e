import { FailedState, Notice } from "@fairtick/ui";
import { CallError } from "../data/transport.ts";
import { useText } from "../shared/i18n.ts";
import { IdentityFirst, wantsIdentity } from "./IdentityFirst.tsx";
import { RegionReason } from "./RegionReason.tsx";

/**
 * Says why the ways to deposit or withdraw aren't there: the rule that refuses them, or `failed` with another try where
 * the call itself went wrong.
 */
export function MethodsFailed({
  error,
  failed,
  onRetry,
}: {
  readonly error: unknown;
  readonly failed: string;
  readonly onRetry: () => void;
}) {
  const t = useText();
  if (wantsIdentity(error)) return <IdentityFirst />;
  const refusal = error instanceof CallError && error.kind === "refused" ? error.failure?.error : undefined;
  if (refusal === "REGION_PRACTICE_ONLY" || refusal === "REGION_BLOCKED") return <RegionReason />;
  // The server's own words name the rule: a suspension, a break, a closed account.
  if (refusal !== undefined && error instanceof CallError && error.code < 500) return <Notice>{error.message}</Notice>;
  return <FailedState title={failed} retryLabel={t("shell.tapToRetry")} onRetry={onRetry} />;
}
