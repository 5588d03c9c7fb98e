import { Button, Facts, FailedState, Notice, Sheet, showToast, Stations, Wait } from "@fairtick/ui";
import { useState } from "react";
import { ChainTransaction } from "../../../components/ChainTransaction.tsx";
import { reasonWords, stateWords, stationsOf } from "../../../components/withdrawals/withdrawal-words.ts";
import { WalletLine } from "../../../components/wallet/WalletLine.tsx";
import { useAction } from "../../../data/use-action.ts";
import { cancelWithdrawal, useWithdrawal, type Withdrawal } from "../../../data/withdrawals.ts";
import { formatDate, formatMoney, formatPrice, formatTime } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { Screen } from "../../../shared/Screen.tsx";

/** One withdrawal: its progress, all its details, and a button to cancel it while that is possible. */
export function OneWithdrawal({ withdrawNo }: { readonly withdrawNo: string }) {
  const t = useText();
  const query = useWithdrawal(withdrawNo);
  const withdrawal = query.data;
  return (
    <Screen
      title={t("withdraw.title")}
      pushed
      noWallet
      money="real"
      backTo="/pages/qk/index"
      busy={query.isPending}
      foot={withdrawal?.cancelable === true && <Cancel withdrawal={withdrawal} />}
    >
      <div className="stack withdraw-page">
        {withdrawal === undefined && query.isError ? (
          <FailedState
            title={t("withdraw.oneFailed")}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => {
              void query.refetch();
            }}
          />
        ) : (
          <>
            <WalletLine way="from" />
            <section className="card stack" aria-busy={withdrawal === undefined}>
              <p className="label" data-testid="withdrawal-state">
                {withdrawal === undefined ? <Wait like="Processing" /> : stateWords(t, withdrawal)}
              </p>
              <p className="big">
                {withdrawal === undefined ? <Wait like="250.00" /> : formatMoney(withdrawal.amount)}{" "}
                <span className="unit">{t("shell.usd")}</span>
              </p>
              {withdrawal !== undefined && <Stations stations={stationsOf(t, withdrawal)} />}
            </section>
            {withdrawal !== undefined && <Known withdrawal={withdrawal} />}
          </>
        )}
      </div>
    </Screen>
  );
}

function Known({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const t = useText();
  const reason = reasonWords(t, withdrawal);
  const { txHash, createdAt, arrived } = withdrawal;
  return (
    <>
      {reason !== null && <Notice wrong={withdrawal.state === "canceled"}>{reason}</Notice>}
      <Facts
        facts={[
          ...(withdrawal.state === "canceled"
            ? [{ name: t("orders.returned"), figure: formatMoney(withdrawal.amount) }]
            : [
                { name: t("withdraw.fee"), figure: `−${formatMoney(withdrawal.fee)}` },
                {
                  name: t("withdraw.receive"),
                  figure: (
                    <>
                      {formatPrice(withdrawal.receives)} <span className="unit">{withdrawal.currency}</span>
                    </>
                  ),
                },
              ]),
          ...(arrived === undefined
            ? []
            : [
                {
                  name: t("withdraw.arrived"),
                  figure: (
                    <>
                      {formatPrice(arrived)} <span className="unit">{withdrawal.currency}</span>
                    </>
                  ),
                },
              ]),
          {
            name: t("withdraw.address"),
            figure: <span className="code withdraw-address">{withdrawal.address}</span>,
          },
          { name: t("assets.time"), figure: `${formatDate(createdAt)} ${formatTime(createdAt)}` },
          { name: t("withdraw.number"), figure: <span className="code">{withdrawal.withdrawNo}</span> },
        ]}
      />
      {txHash !== undefined && <ChainTransaction txHash={txHash} explorerUrl={withdrawal.explorerUrl} />}
    </>
  );
}

function Cancel({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const t = useText();
  const action = useAction();
  const [asked, setAsked] = useState(false);
  const close = () => {
    setAsked(false);
  };
  return (
    <>
      <Button
        look="edge"
        onClick={() => {
          setAsked(true);
        }}
      >
        {t("withdraw.cancel")}
      </Button>
      <Sheet open={asked} onClose={close} title={t("withdraw.cancel")} closeLabel={t("shell.close")}>
        <div className="stack">
          <p>{t("withdraw.cancelSure", { amount: formatMoney(withdrawal.amount) })}</p>
          <Button
            look="main"
            off={action.busy}
            onClick={() => {
              void action
                .run(() => cancelWithdrawal(withdrawal.withdrawNo))
                .then((done) => {
                  close();
                  if (done) showToast(t("common.operationSuccessful"));
                });
            }}
          >
            {t("withdraw.cancelYes")}
          </Button>
        </div>
      </Sheet>
    </>
  );
}
