import { FailedState, Wait } from "@fairtick/ui";
import { Activity, useEffect } from "react";
import { mayHandIn, useIdentity } from "../../data/identity.ts";
import { useText } from "../../shared/i18n.ts";
import { navigate, useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { BasicStep } from "./BasicStep.tsx";
import { DocumentStep } from "./DocumentStep.tsx";
import "../../components/account.css";
import "../../components/identity.css";

/**
 * The identity form in two steps, `?step=basic` and `?step=documents`. Not shown while the check is pending or passed.
 */
export function IdentityFormScreen() {
  const t = useText();
  const { step } = useSearch();
  const query = useIdentity();
  const identity = query.data;
  const over = identity !== undefined && !mayHandIn(identity);
  useEffect(() => {
    if (over) navigate({ to: "/pages/auth/index", replace: true });
  }, [over]);

  if (identity === undefined || over) {
    return (
      <Screen title={t("identity.title")} pushed backTo="/pages/auth/index" noWallet busy={query.isPending}>
        {query.isError ? (
          <FailedState
            title={query.error.message}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => {
              void query.refetch();
            }}
          />
        ) : (
          <p className="label">
            <Wait like="Your name and birth date" />
          </p>
        )}
      </Screen>
    );
  }
  const isAtDocuments = step === "documents" && identity.person !== null;
  return (
    <>
      {/* Hidden rather than unmounted, so that number and photos survive a look back at the name. */}
      {identity.person && (
        <Activity mode={isAtDocuments ? "visible" : "hidden"}>
          <DocumentStep person={identity.person} />
        </Activity>
      )}
      {!isAtDocuments && (
        <BasicStep
          identity={identity}
          onDone={() => {
            navigate({ to: "/pages/auth/Auth", search: { step: "documents" }, replace: true });
          }}
        />
      )}
    </>
  );
}
