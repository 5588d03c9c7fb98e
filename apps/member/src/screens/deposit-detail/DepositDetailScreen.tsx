import { Facts, FailedState, Notice } from "@fairtick/ui";
import { useEffect } from "react";
import { ChainTransaction } from "../../components/ChainTransaction.tsx";
import { AskAboutIt } from "../../components/deposits/AskAboutIt.tsx";
import { DepositHead } from "../../components/deposits/DepositHead.tsx";
import { namesNoDeposit, NoDeposit } from "../../components/deposits/NoDeposit.tsx";
import { confirmationWords, reasonWords } from "../../components/deposits/deposit-words.ts";
import { SwitchOffer } from "../../components/wallet/CreditOffer.tsx";
import { WalletLine } from "../../components/wallet/WalletLine.tsx";
import { useDeposit, type Deposit } from "../../data/deposits.ts";
import { formatDate, formatMoney, formatPrice, formatTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { navigate, useSearch } from "../../shared/navigation.tsx";
import "../../components/deposits/deposits.css";

/** One deposit from a chain: its progress and all its details. */
export function DepositDetailScreen() {
  const t = useText();
  const search = useSearch();
  const depositNo = search["depositNo"] ?? "";
  const query = useDeposit(depositNo);
  const deposit = query.data;
  const isOfChain = deposit === undefined || deposit.method === "crypto";
  useEffect(() => {
    // A fund record links here with only the number, which may belong to a bank deposit.
    if (!isOfChain) navigate({ to: "/pages/rk/bankhz", search: { depositNo: deposit.depositNo }, replace: true });
  }, [isOfChain, deposit]);
  if (!isOfChain) return null;
  const isNone = deposit === undefined && namesNoDeposit(depositNo, query.error);
  const failed = deposit === undefined && query.isError;
  return (
    <Screen
      title={t("home.deposit")}
      pushed
      noWallet
      money="real"
      backTo="/pages/rk/index"
      busy={query.isPending && !isNone}
    >
      <div className="stack deposit-page">
        {isNone && <NoDeposit depositNo={depositNo} />}
        {failed && !isNone && (
          <FailedState
            title={t("deposit.oneFailed")}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => {
              void query.refetch();
            }}
          />
        )}
        {!isNone && !failed && (
          <>
            <WalletLine way="to" />
            <DepositHead deposit={deposit} />
            {deposit?.state === "deposited" && <SwitchOffer amount={deposit.amount} />}
            {deposit !== undefined && <Known deposit={deposit} />}
          </>
        )}
      </div>
    </Screen>
  );
}

function Known({ deposit }: { readonly deposit: Deposit }) {
  const t = useText();
  const reason = reasonWords(t, deposit);
  const { quantity, txHash } = deposit;
  return (
    <>
      {reason !== null && <Notice wrong={deposit.state === "failed"}>{reason}</Notice>}
      {(deposit.state === "failed" || deposit.stage === "below_minimum") && <AskAboutIt />}
      <Facts
        facts={[
          ...(quantity === undefined
            ? []
            : [
                {
                  name: t("deposit.quantity"),
                  figure: (
                    <>
                      {formatPrice(quantity)} <span className="unit">USDT</span>
                    </>
                  ),
                },
              ]),
          {
            name: t("assets.amount"),
            figure: (
              <>
                {formatMoney(deposit.amount)} <span className="unit">{t("shell.usd")}</span>
              </>
            ),
          },
          ...(deposit.confirmations === undefined
            ? []
            : [{ name: t("deposit.confirmed"), figure: confirmationWords(t, deposit) }]),
          { name: t("assets.time"), figure: `${formatDate(deposit.createdAt)} ${formatTime(deposit.createdAt)}` },
          { name: t("deposit.number"), figure: <span className="code">{deposit.depositNo}</span> },
        ]}
      />
      {txHash !== undefined && <ChainTransaction txHash={txHash} explorerUrl={deposit.explorerUrl} />}
    </>
  );
}
