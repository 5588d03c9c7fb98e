import { formatMoney as writeMoney, parseMoney, PRACTICE_START, REFILL_BELOW } from "@fairtick/domain";
import { Button, Gain, showToast, Split, Wait } from "@fairtick/ui";
import { useState } from "react";
import { refillPractice, useMember, useSummary } from "../../data/account.ts";
import { useAction } from "../../data/use-action.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatCount, formatGain, formatMoney, toneOf } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

/** The wallet in view with all figures, the other wallet's total, and the credit score. */
export function WalletCard() {
  const t = useText();
  const wallet = useWallet();
  const summary = useSummary(wallet).data;
  return (
    <section className="card">
      <div className="mine-card-head">
        <span className="label">{t(wallet === "practice" ? "mine.totalPractice" : "mine.totalReal")}</span>
        <span className="label">
          {t("mine.creditScore")}{" "}
          <span className="figure mine-score">{summary ? formatCount(summary.creditScore) : <Wait like="100" />}</span>
        </span>
      </div>
      <p className="big">
        {moneyOr(summary?.totalAssets, "10,000.00")} <span className="unit">{t("shell.usd")}</span>
      </p>
      <MoneySplit summary={summary} />
      <PositionSplit summary={summary} other={wallet === "practice" ? "real" : "practice"} />
      {wallet === "practice" && summary && (parseMoney(summary.totalAssets) ?? 0n) < REFILL_BELOW && <Refill />}
    </section>
  );
}

type WalletSummary = ReturnType<typeof useSummary>["data"];

const moneyOr = (amount: string | undefined, like: string) =>
  amount === undefined ? <Wait like={like} /> : formatMoney(amount);

function MoneySplit({ summary }: { readonly summary: WalletSummary }) {
  const t = useText();
  return (
    <Split
      parts={[
        { name: t("mine.available"), figure: moneyOr(summary?.available, "9,000.00") },
        { name: t("mine.locked"), figure: moneyOr(summary?.locked, "200.00") },
        {
          name: t("mine.todaysProfit"),
          figure: summary ? (
            <Gain tone={toneOf(summary.todayProfit)}>{formatGain(summary.todayProfit)}</Gain>
          ) : (
            <Wait like="+100.00" />
          ),
        },
      ]}
    />
  );
}

/** The amount in open positions, and the total of the other wallet if there is one. */
function PositionSplit({ summary, other }: { readonly summary: WalletSummary; readonly other: "practice" | "real" }) {
  const t = useText();
  const realOpen = useMember().data?.realWalletOpen;
  const otherTotal = useSummary(other).data?.totalAssets;
  const otherPart = {
    name: t(other === "real" ? "mine.realWallet" : "mine.practiceWallet"),
    figure: moneyOr(otherTotal, "820.00"),
  };
  return (
    <Split
      parts={[
        { name: t("mine.positionMargin"), figure: moneyOr(summary?.positionMargin, "200.00") },
        {
          name: t("mine.openPositions"),
          figure: summary ? formatCount(summary.openPositions) : <Wait like="0" />,
        },
        ...(realOpen === false ? [] : [otherPart]),
      ]}
    />
  );
}

function Refill() {
  const t = useText();
  const action = useAction();
  // One id per request, so that a retry after a lost answer refills only once.
  const [clientId] = useState(() => crypto.randomUUID());
  return (
    <div className="mine-refill">
      <p className="label">
        {t("mine.refillNote", {
          below: formatMoney(writeMoney(REFILL_BELOW)),
          full: formatMoney(writeMoney(PRACTICE_START)),
        })}
      </p>
      <Button
        look="tint"
        lowkey
        disabled={action.busy}
        onClick={() => {
          void action
            .run(() => refillPractice(clientId))
            .then((done) => {
              if (done) showToast(t("common.operationSuccessful"));
            });
        }}
      >
        {t("mine.refill")}
      </Button>
    </div>
  );
}
