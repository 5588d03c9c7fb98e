import { FailedState, Notice } from "@fairtick/ui";
import { CallError } from "../data/transport.ts";
import { useText } from "../shared/i18n.ts";
import { IdentityFirst, wantsIdentity } from "./IdentityFirst.tsx";
import { PracticeOnly } from "./PracticeOnly.tsx";

/** Returns the rule that refused a call; undefined if it failed for another reason. */
function refusalOf(error: unknown): string | null | undefined {
  return error instanceof CallError && error.kind === "refused" ? error.failure?.error : undefined;
}

/** Returns whether a call was refused because the member's region has no real wallet. */
export function isRegionRefusal(error: unknown): boolean {
  const refusal = refusalOf(error);
  return refusal === "REGION_PRACTICE_ONLY" || refusal === "REGION_BLOCKED";
}

/**
 * Explains why the deposit or withdrawal methods couldn't be loaded: the rule that refuses them, or `failed` with a
 * retry button if the call itself failed.
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
  const refusal = refusalOf(error);
  if (isRegionRefusal(error)) return <PracticeOnly />;
  // The server's message names the rule: a suspension, a cool-off, a closed account.
  if (refusal !== undefined && error instanceof CallError && error.code < 500) return <Notice>{error.message}</Notice>;
  return <FailedState title={failed} retryLabel={t("shell.tapToRetry")} onRetry={onRetry} />;
}
