import { Button, FailedState, Wait } from "@fairtick/ui";
import { useCallback, useEffect } from "react";
import { namesNoDeposit, NoDeposit } from "../../components/deposits/NoDeposit.tsx";
import { Remittance } from "../../components/deposits/Remittance.tsx";
import { ReceiptForm } from "../../components/deposits/ReceiptForm.tsx";
import { WalletLine } from "../../components/wallet/WalletLine.tsx";
import { useDeposit } from "../../data/deposits.ts";
import { useText } from "../../shared/i18n.ts";
import { navigate } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";

/** Shows what to send where with which reference, then takes the receipt. */
export function ReceiptStep({ depositNo }: { readonly depositNo: string }) {
  const t = useText();
  const query = useDeposit(depositNo);
  const deposit = query.data;
  const toSlip = useCallback(() => {
    navigate({ to: "/pages/rk/bankhz", search: { depositNo }, replace: true });
  }, [depositNo]);
  const hasEnded = deposit !== undefined && deposit.state !== "processing";
  useEffect(() => {
    // Nobody waits for the money of an ended deposit, so the member must not be told to send it.
    if (hasEnded) toSlip();
  }, [hasEnded, toSlip]);
  const isNone = deposit === undefined && namesNoDeposit(depositNo, query.error);
  const failed = deposit === undefined && query.isError && !isNone;
  const waits = hasEnded || (deposit === undefined && !query.isError && !isNone);
  return (
    <Screen title={t("bank.title")} pushed noWallet money="real" backTo="/pages/rk/index" busy={waits}>
      <div className="stack deposit-page">
        {isNone && <NoDeposit depositNo={depositNo} />}
        {failed && (
          <FailedState
            title={t("deposit.oneFailed")}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => void query.refetch()}
          />
        )}
        {waits && <Wait like="RF00 0000 0000 0000" />}
        {deposit !== undefined && !hasEnded && (
          <>
            <WalletLine way="to" />
            <Remittance deposit={deposit} />
            <ReceiptForm depositNo={depositNo} submit={t("bank.handIn")} onDone={toSlip} />
            <Button onClick={toSlip}>{t("bank.later")}</Button>
          </>
        )}
      </div>
    </Screen>
  );
}
