import { EmptyState, showToast, Wait } from "@fairtick/ui";
import { useEffect } from "react";
import { MethodsFailed } from "../../components/MethodsFailed.tsx";
import { useMember, useSummary } from "../../data/account.ts";
import { useWithdrawalMethods } from "../../data/withdrawals.ts";
import { useText } from "../../shared/i18n.ts";
import { hrefOf, Link, useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { AskView } from "./components/AskView.tsx";
import { OneWithdrawal } from "./components/OneWithdrawal.tsx";
import "../../components/withdrawals/withdrawals.css";

/** A new withdrawal to a wallet address, or with `withdrawNo` an existing one. */
export function WithdrawCryptoScreen() {
  const { withdrawNo, chain } = useSearch();
  return withdrawNo === undefined ? <NewWithdrawal chain={chain} /> : <OneWithdrawal withdrawNo={withdrawNo} />;
}

function NewWithdrawal({ chain }: { readonly chain: string | undefined }) {
  const t = useText();
  const methods = useWithdrawalMethods(true);
  const member = useMember();
  const available = useSummary("real").data?.available;
  const method = methods.data?.find((one) => one.chain === chain) ?? methods.data?.[0];
  if (method !== undefined && available !== undefined && member.data?.tradePasswordSet === true) {
    return <AskView key={method.chain} method={method} available={available} />;
  }
  const failed = [methods, member].find((query) => query.isError && query.data === undefined);
  return (
    <Screen title={t("withdraw.cryptoTitle")} pushed noWallet money="real" backTo="/pages/qk/index" busy={!failed}>
      <div className="stack withdraw-page">
        {failed ? (
          <MethodsFailed
            error={failed.error}
            failed={t("withdraw.methodsFailed")}
            onRetry={() => {
              void failed.refetch();
            }}
          />
        ) : (
          <NotYet
            chain={chain}
            chainCount={methods.data?.length}
            lacksPassword={member.data?.tradePasswordSet === false}
          />
        )}
      </div>
    </Screen>
  );
}

/** What is shown instead of the form: a missing transaction password, or that the methods are loading. */
function NotYet({
  chain,
  chainCount,
  lacksPassword,
}: {
  readonly chain: string | undefined;
  /** Undefined until the methods are loaded. */
  readonly chainCount: number | undefined;
  readonly lacksPassword: boolean;
}) {
  const t = useText();
  if (chainCount !== undefined && lacksPassword) return <PasswordNeeded chain={chain} />;
  if (chainCount === 0) {
    return <EmptyState title={t("withdraw.noMethods")}>{t("withdraw.noMethodsMore")}</EmptyState>;
  }
  return <Wait like="Where to?" />;
}

/** Says that a transaction password is needed first, and leads to its setup. */
function PasswordNeeded({ chain }: { readonly chain: string | undefined }) {
  const t = useText();
  const needed = t("withdraw.passwordNeeded");
  useEffect(() => {
    showToast(needed);
  }, [needed]);
  return (
    <EmptyState
      title={needed}
      action={
        <Link
          className="button tint lowkey"
          to="/pages/auth/SetTradePwd"
          search={{ next: hrefOf({ to: "/pages/qk/qk", search: { chain } }) }}
        >
          {t("account.setPaymentTitle")}
        </Link>
      }
    >
      {t("withdraw.passwordWhy")}
    </EmptyState>
  );
}
