import { Button, Notice, showToast, Split, Wait } from "@fairtick/ui";
import { formatMoney as writeMoney, parseMoney, PRACTICE_START, REFILL_BELOW } from "@fairtick/domain";
import { useState } from "react";
import { refillPractice, useSummary, type Wallet } from "../../../data/account.ts";
import { newClientId } from "../../../data/pending-order.ts";
import { reportFailure } from "../../../data/failures.ts";
import { queryClient } from "../../../data/queries.ts";
import { formatMoney } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";

/** The wallet's figures and, if allowed, a button to refill the practice wallet. */
export function WalletFigures({ wallet }: { readonly wallet: Wallet }) {
  const t = useText();
  const summary = useSummary(wallet).data;
  const refillable =
    wallet === "practice" && summary !== undefined && (parseMoney(summary.totalAssets) ?? 0n) < REFILL_BELOW;
  return (
    <>
      <div className="list-split assets-figures">
        <Split
          parts={[
            { name: t("assets.total"), figure: summary ? formatMoney(summary.totalAssets) : <Wait like="10,000.00" /> },
            {
              name: t("assets.available"),
              figure: summary ? formatMoney(summary.available) : <Wait like="9,000.00" />,
            },
            { name: t("assets.locked"), figure: summary ? formatMoney(summary.locked) : <Wait like="200.00" /> },
          ]}
        />
      </div>
      {summary?.owed !== undefined && <Notice wrong>{t("assets.owed", { amount: formatMoney(summary.owed) })}</Notice>}
      {refillable && <Refill />}
    </>
  );
}

function Refill() {
  const t = useText();
  const [busy, setBusy] = useState(false);
  // One id for all tries of this request, so that a lost answer never refills twice.
  const [clientId] = useState(newClientId);
  async function refill() {
    setBusy(true);
    try {
      await refillPractice(clientId);
      showToast(t("common.operationSuccessful"));
      await queryClient.invalidateQueries({ queryKey: ["member", "funds"] });
    } catch (error) {
      reportFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className="assets-refill">
      <Button look="tint" lowkey off={busy} onClick={() => void refill()}>
        {t("assets.refill", { full: formatMoney(writeMoney(PRACTICE_START)) })}
      </Button>
      <p className="note soft">{t("assets.refillNote", { below: formatMoney(writeMoney(REFILL_BELOW)) })}</p>
    </div>
  );
}
