import { EmptyState } from "@fairtick/ui";
import { CallError } from "../data/transport.ts";
import { useText } from "../shared/i18n.ts";
import { Link } from "../shared/navigation.tsx";

/** Returns whether a call was refused because deposits require a verified identity here. */
export function wantsIdentity(error: unknown): boolean {
  const refusal = error instanceof CallError ? error.failure?.error : undefined;
  return refusal === "IDENTITY_REQUIRED" || refusal === "IDENTITY_PENDING";
}

/** Says that the identity must be verified first, and links to it. */
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
