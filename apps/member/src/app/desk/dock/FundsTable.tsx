import { FailedState, Gain } from "@fairtick/ui";
import { LoadMore } from "../../../components/lists/LoadMore.tsx";
import { useFundRecords } from "../../../data/fund-records.ts";
import { useWallet } from "../../../data/wallet.ts";
import { formatDateTime, formatGain, formatMoney, toneOf } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { remarkWords } from "../../../screens/assets/record-words.ts";
import { Head } from "./cells.tsx";

/** Changes of the wallet's available balance, newest first. */
export function FundsTable() {
  const t = useText();
  const query = useFundRecords({ wallet: useWallet(), kind: "all" });
  const records = query.data?.pages.flatMap(({ items }) => items);
  if (query.isError && records === undefined) {
    return (
      <FailedState title={t("assets.failed")} retryLabel={t("shell.tapToRetry")} onRetry={() => void query.refetch()} />
    );
  }
  if (records?.length === 0) return <p className="dock-empty label">{t("assets.nothing")}</p>;
  return (
    <>
      <table className="desk-table">
        <Head
          columns={[
            { label: t("desk.time") },
            { label: t("assets.type") },
            { label: t("assets.remark") },
            { label: t("assets.amount"), isFigure: true },
            { label: t("assets.balance"), isFigure: true },
          ]}
        />
        <tbody>
          {records?.map((record) => (
            <tr key={record.recordNo} data-testid="desk-fund">
              <td className="soft">{formatDateTime(record.time)}</td>
              <th scope="row">{t(`assets.type.${record.type}`)}</th>
              <td className="soft dock-remark">{remarkWords(t, record.remark)}</td>
              <td className="gain">
                <Gain tone={toneOf(record.amount)}>{formatGain(record.amount)}</Gain>
              </td>
              <td className="figure">{record.balanceAfter === null ? "–" : formatMoney(record.balanceAfter)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {records !== undefined && <LoadMore pages={query} />}
    </>
  );
}
