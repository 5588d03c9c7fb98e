import { Button, EmptyState, FailedState, Gain, Sheet, Facts, Wait } from "@fairtick/ui";
import { useState } from "react";
import { LoadMore } from "../../../components/lists/LoadMore.tsx";
import { useFundRecords, type FundFilters, type FundRecord } from "../../../data/fund-records.ts";
import { formatDateTime, formatGain, formatMoney, formatTime, formatDate, toneOf } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";
import { remarkWords, stateWords } from "../record-words.ts";

/** The records that match the filters, newest first. The next page loads when the end is reached. */
export function RecordList({
  filters,
  filtered,
  onShowAll,
}: {
  readonly filters: FundFilters;
  readonly filtered: boolean;
  readonly onShowAll: () => void;
}) {
  const t = useText();
  const query = useFundRecords(filters);
  const [opened, setOpened] = useState<FundRecord | null>(null);
  const records = query.data?.pages.flatMap(({ items }) => items);
  if (query.isError && records === undefined) {
    return (
      <FailedState title={t("assets.failed")} retryLabel={t("shell.tapToRetry")} onRetry={() => void query.refetch()} />
    );
  }
  if (records === undefined) return <Waiting />;
  if (records.length === 0) return <Nothing filters={filters} filtered={filtered} onShowAll={onShowAll} />;
  return (
    <>
      <ul className="group">
        {records.map((record) => (
          <li key={record.recordNo}>
            <RecordRow
              record={record}
              onOpen={() => {
                setOpened(record);
              }}
            />
          </li>
        ))}
      </ul>
      <LoadMore pages={query} />
      <Sheet
        open={opened !== null}
        onClose={() => {
          setOpened(null);
        }}
        title={t("assets.record")}
        closeLabel={t("shell.close")}
      >
        {opened && <RecordFacts record={opened} />}
      </Sheet>
    </>
  );
}

function Waiting() {
  return (
    <div className="group" aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <div key={row} className="row">
          <span className="grow">
            <Wait like="Instant trade" />
          </span>
          <Wait like="+100.00" />
        </div>
      ))}
    </div>
  );
}

/** Returns whether a request failed or was canceled, so that no money moved. */
function isVain({ state }: FundRecord): boolean {
  return state === "failed" || state === "canceled";
}

function RecordRow({ record, onOpen }: { readonly record: FundRecord; readonly onOpen: () => void }) {
  const t = useText();
  return (
    <button type="button" className="row" onClick={onOpen} data-testid="fund-record">
      <span className="grow">
        {t(`assets.type.${record.type}`)}
        <span className="note soft block">
          {formatDateTime(record.time)} · {remarkWords(t, record.remark)}
          {record.note !== undefined && `: ${record.note}`}
          {record.fee !== undefined && !isVain(record) && ` · ${t("withdraw.feeOf", { fee: formatMoney(record.fee) })}`}
        </span>
      </span>
      <span className="end">
        <span className="block">
          {isVain(record) ? (
            <span className="figure soft">{formatMoney(record.amount.replace("-", ""))}</span>
          ) : (
            <Gain tone={toneOf(record.amount)}>{formatGain(record.amount)}</Gain>
          )}
        </span>
        <span className="note soft">
          {record.state === undefined
            ? record.balanceAfter !== null && t("assets.balanceAfter", { amount: formatMoney(record.balanceAfter) })
            : stateWords(t, record.state)}
        </span>
      </span>
    </button>
  );
}

function RecordFacts({ record }: { readonly record: FundRecord }) {
  const t = useText();
  const code = (text: string) => <span className="code">{text}</span>;
  return (
    <>
      <Facts
        facts={[
          { name: t("assets.recordNo"), figure: code(record.recordNo) },
          ...(record.orderNo === null ? [] : [{ name: t("assets.orderNo"), figure: code(record.orderNo) }]),
          { name: t("assets.time"), figure: `${formatDate(record.time)} ${formatTime(record.time, true)}` },
          { name: t("assets.type"), figure: t(`assets.type.${record.type}`) },
          {
            name: t("assets.remark"),
            figure: (
              <span className="wrapping">
                {remarkWords(t, record.remark)}
                {record.note !== undefined && `: ${record.note}`}
              </span>
            ),
          },
          { name: t("assets.walletName"), figure: t(`shell.wallet.${record.wallet}`) },
          {
            name: t("assets.amount"),
            figure: (
              <>
                {isVain(record) ? formatMoney(record.amount.replace("-", "")) : formatGain(record.amount)}{" "}
                <span className="unit">{record.currency}</span>
              </>
            ),
          },
          ...(record.fee === undefined || isVain(record)
            ? []
            : [{ name: t("withdraw.fee"), figure: formatMoney(record.fee) }]),
          ...(record.balanceAfter === null
            ? []
            : [{ name: t("assets.balance"), figure: formatMoney(record.balanceAfter) }]),
        ]}
      />
      {record.type === "deposit" && record.orderNo !== null && (
        <Link className="button tint lowkey" to="/pages/rk/szhz" search={{ depositNo: record.orderNo }}>
          {t("deposit.show")}
        </Link>
      )}
      {record.type === "withdraw" && record.orderNo !== null && (
        <Link className="button tint lowkey" to="/pages/qk/qk" search={{ withdrawNo: record.orderNo }}>
          {t("withdraw.show")}
        </Link>
      )}
    </>
  );
}

function Nothing({
  filters,
  filtered,
  onShowAll,
}: {
  readonly filters: FundFilters;
  readonly filtered: boolean;
  readonly onShowAll: () => void;
}) {
  const t = useText();
  if (filtered) {
    return (
      <EmptyState
        title={t("assets.nothingFound")}
        action={
          <Button look="tint" lowkey onClick={onShowAll}>
            {t("assets.showAll")}
          </Button>
        }
      />
    );
  }
  switch (filters.kind) {
    case "deposit":
      return (
        <EmptyState
          title={t("assets.noDeposits")}
          action={
            <Link className="button tint lowkey" to="/pages/rk/index">
              {t("home.deposit")}
            </Link>
          }
        >
          {t("assets.noDepositsMore")}
        </EmptyState>
      );
    case "withdraw":
      return (
        <EmptyState
          title={t("assets.noWithdrawals")}
          action={
            <Link className="button tint lowkey" to="/pages/qk/index">
              {t("home.withdraw")}
            </Link>
          }
        >
          {t("assets.noWithdrawalsMore")}
        </EmptyState>
      );
    case "all":
      return (
        <EmptyState
          title={t("assets.nothing")}
          action={
            <Link className="button tint lowkey" to="/pages/trade/trade">
              {t("assets.placeOne")}
            </Link>
          }
        >
          {t("assets.nothingMore")}
        </EmptyState>
      );
  }
}
