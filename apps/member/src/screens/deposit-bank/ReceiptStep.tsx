import { Button, FailedState, Wait } from "@fairtick/ui";
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
  const toSlip = () => {
    navigate({ to: "/pages/rk/bankhz", search: { depositNo }, replace: true });
  };
  return (
    <Screen title={t("bank.title")} pushed noWallet money="real" backTo="/pages/rk/index" busy={query.isPending}>
      <div className="stack deposit-page">
        {deposit === undefined && query.isError && (
          <FailedState
            title={t("deposit.oneFailed")}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => void query.refetch()}
          />
        )}
        {deposit === undefined && !query.isError && <Wait like="RF00 0000 0000 0000" />}
        {deposit !== undefined && (
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
