import { EmptyState } from "@fairtick/ui";
import { CallError } from "../../data/transport.ts";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";

/** Returns whether the address names no deposit of this member, so that retrying is pointless. */
export function namesNoDeposit(depositNo: string, error: unknown): boolean {
  return depositNo === "" || (error instanceof CallError && error.failure?.error === "NOT_FOUND");
}

/** Shown at such an address, with links to go on. */
export function NoDeposit({ depositNo }: { readonly depositNo: string }) {
  const t = useText();
  return (
    <EmptyState
      title={t(depositNo === "" ? "deposit.noneChosen" : "deposit.unknown")}
      action={
        <Link className="button tint lowkey" to="/pages/rk/index" replace>
          {t("deposit.toList")}
        </Link>
      }
    >
      {t("deposit.noneChosenMore")}
    </EmptyState>
  );
}
