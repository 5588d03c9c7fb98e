import { Facts, FailedState, Notice } from "@fairtick/ui";
import { AskAboutIt } from "../../components/deposits/AskAboutIt.tsx";
import { DepositHead } from "../../components/deposits/DepositHead.tsx";
import { namesNoDeposit, NoDeposit } from "../../components/deposits/NoDeposit.tsx";
import { reasonWords } from "../../components/deposits/deposit-words.ts";
import { ReceiptForm } from "../../components/deposits/ReceiptForm.tsx";
import { Remittance } from "../../components/deposits/Remittance.tsx";
import { StoredPicture } from "../../components/upload/PictureOf.tsx";
import { SwitchOffer } from "../../components/wallet/CreditOffer.tsx";
import { WalletLine } from "../../components/wallet/WalletLine.tsx";
import { useDeposit, type Deposit } from "../../data/deposits.ts";
import { formatDate, formatTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import "../../components/deposits/deposits.css";

/** One bank transfer or card payment: its progress, slip and receipt. */
export function SlipScreen() {
  const t = useText();
  const depositNo = useSearch()["depositNo"] ?? "";
  const query = useDeposit(depositNo);
  const deposit = query.data;
  const isNone = deposit === undefined && namesNoDeposit(depositNo, query.error);
  const failed = deposit === undefined && query.isError;
  return (
    <Screen
      title={t(deposit?.method === "card" ? "bank.cardTitle" : "bank.title")}
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
            onRetry={() => void query.refetch()}
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
  const { receiptFileId, depositNo } = deposit;
  const underway = deposit.state === "processing" && deposit.method === "bank";
  return (
    <>
      {reason !== null && <Notice wrong={deposit.state === "failed"}>{reason}</Notice>}
      {deposit.state === "failed" && <AskAboutIt />}
      {underway && receiptFileId !== undefined && <Notice>{t("bank.receiptThere")}</Notice>}
      {underway && <Remittance deposit={deposit} />}
      {receiptFileId !== undefined && (
        <section className="card stack">
          <p className="label">{t("bank.receipt")}</p>
          <StoredPicture fileId={receiptFileId} alt={t("bank.receipt")} />
        </section>
      )}
      {underway && (
        <ReceiptForm
          depositNo={depositNo}
          again={receiptFileId !== undefined}
          submit={t(receiptFileId === undefined ? "bank.handIn" : "bank.replace")}
        />
      )}
      <Facts
        facts={[
          ...(deposit.reference === undefined || underway
            ? []
            : [{ name: t("bank.reference"), figure: <span className="code">{deposit.reference}</span> }]),
          { name: t("assets.time"), figure: `${formatDate(deposit.createdAt)} ${formatTime(deposit.createdAt)}` },
          { name: t("deposit.number"), figure: <span className="code">{depositNo}</span> },
        ]}
      />
    </>
  );
}
