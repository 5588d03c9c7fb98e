import { Facts, FailedState, Segments, Wait, type Fact } from "@fairtick/ui";
import { useFairness, type Fairness, type Sums } from "../../data/fairness.ts";
import { useWallet } from "../../data/wallet.ts";
import { useAddressChoice } from "../../shared/address-choice.ts";
import { formatCount, formatDate, formatGain, formatMoney, formatRate, formatTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { DayRows } from "./DayRows.tsx";
import { Fold } from "./Fold.tsx";
import { Heroes } from "./Heroes.tsx";
import { HowToCheck } from "./HowToCheck.tsx";
import { Owed } from "./Owed.tsx";
import { Refused } from "./Refused.tsx";
import { Service } from "./Service.tsx";
import { settledOf } from "./settled-of.ts";
import { ShareRows } from "./ShareRows.tsx";
import { VOIDS } from "./voids.ts";
import { WinChart } from "./WinChart.tsx";
import "./fairness.css";

const WALLETS = ["practice", "real"] as const;

/** The public fairness page: how orders are decided, their results, how to check them, and what can't be checked. */
export function FairnessScreen() {
  const t = useText();
  const query = useFairness();
  const figures = query.data;
  return (
    <Screen title={t("fairness.title")} pushed broad noWallet backTo="/pages/home/index" busy={query.isPending}>
      <div className="columns fairness-page">
        <div>
          <p>{t("fairness.intro")}</p>
          {query.isError && figures === undefined ? (
            <FailedState
              title={t("fairness.failed")}
              retryLabel={t("shell.tapToRetry")}
              onRetry={() => void query.refetch()}
            />
          ) : (
            <Counted figures={figures} />
          )}
        </div>
        <div>
          <Fold title={t("fairness.rules")} testId="fairness-rules">
            <ul className="fairness-list">
              <li>{t("fairness.rule.open")}</li>
              <li>{t("fairness.rule.close")}</li>
              <li>{t("fairness.rule.same")}</li>
            </ul>
          </Fold>
          <HowToCheck verifier={figures?.verifier ?? null} />
        </div>
      </div>
    </Screen>
  );
}

function Counted({ figures }: { readonly figures: Fairness | undefined }) {
  const t = useText();
  const [wallet, setWallet] = useAddressChoice("wallet", WALLETS, useWallet());
  if (figures === undefined) {
    return (
      <section className="card">
        <Wait like="Settled orders of the last 30 days" />
      </section>
    );
  }
  const sums = figures.wallets.find((each) => each.wallet === wallet);
  const days = figures.byDay.filter((each) => each.wallet === wallet && each.orders > 0);
  const terms = figures.byTerms.filter((each) => each.wallet === wallet);
  return (
    <>
      <section className="card" data-testid="fairness-counts">
        <h2 className="label">{t("fairness.counts", { days: figures.days })}</h2>
        <Segments
          label={t("shell.wallet")}
          choices={WALLETS.map((value) => ({ value, label: t(`shell.wallet.${value}`) }))}
          value={wallet}
          onChange={setWallet}
        />
        {sums === undefined || settledOf(sums) === 0 ? (
          <p className="label fairness-none">{t("fairness.none")}</p>
        ) : (
          <Heroes sums={sums} />
        )}
        <p className="note soft">
          {t("fairness.asOf", { time: `${formatDate(figures.asOf)} ${formatTime(figures.asOf)}` })}{" "}
          <a href="/fairness.json">{t("fairness.data")}</a>
        </p>
      </section>
      <WinChart days={days} />
      {sums !== undefined && settledOf(sums) > 0 && (
        <Fold title={t("fairness.outcomes")} testId="fairness-outcomes">
          <WalletFacts sums={sums} />
        </Fold>
      )}
      {days.length > 0 && (
        <Fold title={t("fairness.byDay")} testId="fairness-days">
          <DayRows days={days.toReversed()} wallet={wallet} />
        </Fold>
      )}
      {terms.length > 0 && (
        <Fold title={t("fairness.byTerms")} testId="fairness-terms">
          <ShareRows rows={terms} />
        </Fold>
      )}
      <Owed figures={figures} />
      <Service figures={figures} />
      <Refused figures={figures} />
    </>
  );
}

function WalletFacts({ sums }: { readonly sums: Sums }) {
  const t = useText();
  const facts: Fact[] = [
    { name: t("fairness.orders"), figure: formatCount(sums.orders), sum: true },
    { name: t("orders.outcome.won"), figure: formatCount(sums.won) },
    { name: t("orders.outcome.lost"), figure: formatCount(sums.lost) },
    { name: t("orders.outcome.tied"), figure: formatCount(sums.tied) },
    ...VOIDS.map((reason) => ({
      name: t("orders.outcome.voided"),
      note: t(`orders.void.${reason}`),
      figure: formatCount(sums.voided[reason]),
    })),
    ...(sums.share === null
      ? []
      : [
          {
            name: t("fairness.share"),
            note: t("fairness.chance", {
              from: formatRate(sums.shareFrom ?? "0"),
              to: formatRate(sums.shareTo ?? "1"),
            }),
            figure: formatRate(sums.share),
          },
        ]),
    {
      name: t("fairness.result"),
      note: t("fairness.fair", {
        amount: formatGain(sums.fairResult),
        from: formatGain(sums.fairFrom),
        to: formatGain(sums.fairTo),
      }),
      figure: formatGain(sums.result),
    },
    { name: t("fairness.staked"), figure: formatMoney(sums.staked) },
    {
      name: t("fairness.unrevealed"),
      note: t("fairness.of", { part: formatCount(sums.unrevealed), all: formatCount(settledOf(sums)) }),
      figure: formatRate((sums.unrevealed / settledOf(sums)).toFixed(6)),
    },
  ];
  return <Facts facts={facts} />;
}
