import { EmptyState, IconChevronRight, IconKey, IconWallet, Notice, Wait } from "@fairtick/ui";
import { isRegionRefusal, MethodsFailed } from "../../components/MethodsFailed.tsx";
import { LoadMore } from "../../components/lists/LoadMore.tsx";
import { WalletLine } from "../../components/wallet/WalletLine.tsx";
import { WithdrawalRows } from "../../components/withdrawals/WithdrawalRows.tsx";
import { useSummary } from "../../data/account.ts";
import { useWithdrawalMethods, useWithdrawals } from "../../data/withdrawals.ts";
import { formatDateTime, formatMoney } from "../../shared/format.ts";
import { chainWords } from "../../shared/chain-words.ts";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { joinSentences } from "../../shared/sentences.ts";
import { Screen } from "../../shared/Screen.tsx";
import "../../components/withdrawals/withdrawals.css";

/** The withdrawal methods that work now, and the member's withdrawals. */
export function WithdrawScreen() {
  const t = useText();
  const withdrawals = useWithdrawals();
  const items = withdrawals.data?.pages.flatMap((page) => page.items) ?? [];
  const isPracticeOnly = isRegionRefusal(useWithdrawalMethods(true).error);
  return (
    <Screen
      title={t("withdraw.title")}
      pushed
      noWallet
      broad={items.length > 0}
      money={isPracticeOnly ? "practice" : "real"}
      backTo="/pages/home/index"
    >
      <div className={items.length > 0 ? "columns withdraw-page" : "withdraw-page"}>
        <div className="stack">
          {!isPracticeOnly && <WalletLine way="from" />}
          {!isPracticeOnly && <IfEmpty />}
          <Methods />
        </div>
        {items.length > 0 && (
          <section className="stack">
            <h2 className="label">{t("withdraw.yours")}</h2>
            <WithdrawalRows withdrawals={items} />
            <LoadMore pages={withdrawals} />
          </section>
        )}
      </div>
    </Screen>
  );
}

/** Says why nothing can be withdrawn while the real wallet is empty, and what can be done about it. */
function IfEmpty() {
  const t = useText();
  const available = useSummary("real").data?.available;
  if (available === undefined || /[1-9]/.test(available)) return null;
  return (
    <>
      <Notice>{t("withdraw.empty")}</Notice>
      <Link className="button tint lowkey" to="/pages/rk/index">
        {t("home.deposit")}
      </Link>
    </>
  );
}

function Methods() {
  const t = useText();
  const query = useWithdrawalMethods(true);
  if (query.isError && query.data === undefined) {
    return (
      <MethodsFailed
        error={query.error}
        failed={t("withdraw.methodsFailed")}
        onRetry={() => {
          void query.refetch();
        }}
      />
    );
  }
  if (query.data === undefined) {
    return (
      <div className="group" aria-hidden="true">
        <div className="row">
          <Wait like="USDT to a wallet address" />
        </div>
      </div>
    );
  }
  if (query.data.length === 0) {
    return <EmptyState title={t("withdraw.noMethods")}>{t("withdraw.noMethodsMore")}</EmptyState>;
  }
  const coming = query.data[0]?.coming ?? null;
  const frozen = query.data[0]?.frozenSince ?? null;
  const rests = query.data[0]?.restsUntil ?? null;
  return (
    <>
      {coming !== null && (
        <Notice>
          {joinSentences(
            t("withdraw.coming", {
              at: formatDateTime(coming.at),
              fee: formatMoney(coming.fee),
              minimum: formatMoney(coming.minimum),
              maximum: formatMoney(coming.maximum),
            }),
            coming.dayMax === null ? "" : t("withdraw.dayMax", { amount: formatMoney(coming.dayMax) }),
          )}
        </Notice>
      )}
      {frozen !== null && <Notice>{t("withdraw.frozen", { at: formatDateTime(frozen) })}</Notice>}
      {rests !== null && <Notice>{t("withdraw.rests", { until: formatDateTime(rests) })}</Notice>}
      <nav className="group" aria-label={t("withdraw.methods")}>
        {query.data.map(({ chain, name }) => (
          <Link key={chain} className="row indent" to="/pages/qk/qk" search={{ chain }}>
            <IconWallet size="small" className="soft" />
            <span className="grow">
              {t("withdraw.crypto")}
              <span className="note soft block">{chainWords({ chain, name })}</span>
            </span>
            <IconChevronRight size="tiny" className="soft" />
          </Link>
        ))}
        <Link className="row indent" to="/pages/qk/addresses">
          <IconKey size="small" className="soft" />
          <span className="grow">{t("withdraw.book")}</span>
          <IconChevronRight size="tiny" className="soft" />
        </Link>
      </nav>
    </>
  );
}
