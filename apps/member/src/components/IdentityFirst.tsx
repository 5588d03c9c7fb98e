import { EmptyState } from "@fairtick/ui";
import { CallError } from "../data/transport.ts";
import { useText } from "../shared/i18n.ts";
import { Link } from "../shared/navigation.tsx";

/** Whether a call was refused because the deployment wants a verified identity before a deposit. */
export function wantsIdentity(error: unknown): boolean {
  const refusal = error instanceof CallError ? error.failure?.error : undefined;
  return refusal === "IDENTITY_REQUIRED" || refusal === "IDENTITY_PENDING";
}

/** Says so, and leads there. */
export function IdentityFirst() {
  const t = useText();
  return (
    <EmptyState
      title={t("identity.required")}
      action={
        <Link className="button main" to="/pages/auth/index">
          {t("identity.title")}
        </Link>
      }
    >
      {t("identity.requiredMore")}
    </EmptyState>
  );
}
