import { EmptyState, FailedState, IconChevronRight, IconRecords, IconWallet, Wait } from "@fairtick/ui";
import { DepositRows } from "../../components/deposits/DepositRows.tsx";
import { MethodsFailed } from "../../components/MethodsFailed.tsx";
import { CreditOffer } from "../../components/wallet/CreditOffer.tsx";
import { WalletLine } from "../../components/wallet/WalletLine.tsx";
import { PracticeOnly } from "../../components/PracticeOnly.tsx";
import { LoadMore } from "../../components/lists/LoadMore.tsx";
import { useMember } from "../../data/account.ts";
import { useDepositMethods, useDeposits } from "../../data/deposits.ts";
import { chainWords } from "../../shared/chain-words.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { Link } from "../../shared/navigation.tsx";
import { CardRow } from "./components/CardRow.tsx";
import "../../components/deposits/deposits.css";

/** The deposit methods that work now, and the member's deposits. */
export function DepositScreen() {
  const t = useText();
  const deposits = useDeposits();
  const items = deposits.data?.pages.flatMap((page) => page.items) ?? [];
  const isPracticeOnly = useMember().data?.realWalletOpen === false;
  return (
    <Screen
      title={t("home.deposit")}
      pushed
      noWallet
      broad={items.length > 0}
      money={isPracticeOnly ? "practice" : "real"}
      backTo="/pages/home/index"
    >
      <div className={items.length > 0 ? "columns deposit-page" : "deposit-page"}>
        <div className="stack">
          {!isPracticeOnly && <WalletLine way="to" />}
          <CreditOffer />
          <WaysToDeposit />
        </div>
        {items.length > 0 && (
          <section className="stack">
            <h2 className="label">{t("deposit.yours")}</h2>
            <DepositRows deposits={items} />
            <LoadMore pages={deposits} />
          </section>
        )}
      </div>
    </Screen>
  );
}

function WaysToDeposit() {
  const t = useText();
  const member = useMember();
  if (member.isError && member.data === undefined) {
    return (
      <FailedState
        title={t("shell.failed")}
        retryLabel={t("shell.tapToRetry")}
        onRetry={() => {
          void member.refetch();
        }}
      />
    );
  }
  if (member.data?.realWalletOpen === false) return <PracticeOnly />;
  return <Methods known={member.data !== undefined} />;
}

function Methods({ known }: { readonly known: boolean }) {
  const t = useText();
  const query = useDepositMethods(known);
  if (query.isError && query.data === undefined) {
    return (
      <MethodsFailed
        error={query.error}
        failed={t("deposit.methodsFailed")}
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
          <Wait like="USDT on a chain" />
        </div>
      </div>
    );
  }
  const { bank, crypto, card } = query.data;
  if (bank.length === 0 && crypto.length === 0 && !card)
    return <EmptyState title={t("deposit.noMethods")}>{t("deposit.noMethodsMore")}</EmptyState>;
  return (
    <nav className="group" aria-label={t("deposit.methods")}>
      {bank.length > 0 && (
        <Link className="row indent" to="/pages/rk/bankrk">
          <IconRecords size="small" className="soft" />
          <span className="grow">
            {t("bank.title")}
            <span className="note soft block">{bank.map(({ currency }) => currency).join(" · ")}</span>
          </span>
          <IconChevronRight size="tiny" className="soft" />
        </Link>
      )}
      {crypto.length > 0 && (
        <Link className="row indent" to="/pages/rk/szrk">
          <IconWallet size="small" className="soft" />
          <span className="grow">
            {t("deposit.crypto")}
            <span className="note soft block">{crypto.map(chainWords).join(" · ")}</span>
          </span>
          <IconChevronRight size="tiny" className="soft" />
        </Link>
      )}
      {card && <CardRow bounds={bank[0]} />}
    </nav>
  );
}
