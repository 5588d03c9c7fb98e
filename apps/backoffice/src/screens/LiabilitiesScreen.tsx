import { type Output, reportLiabilities } from "@fairtick/protocol/operator";
import { FailedState } from "@fairtick/ui";
import { useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { instant, money, shortInstant } from "../shared/format.ts";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";

type Published = Output<typeof reportLiabilities>["days"][number];

const DAYS: readonly Column<Published>[] = [
  { id: "day", head: "Day, UTC", cell: (row) => row.day, width: 112 },
  { id: "at", head: "At, UTC", cell: (row) => instant(row.at).slice(11), width: 92 },
  { id: "members", head: "Members", cell: (row) => row.members, look: "amount", width: 84 },
  { id: "sum", head: "Owed USD", cell: (row) => money(row.sum), look: "amount", width: 148 },
  { id: "root", head: "Root", cell: (row) => row.root, look: "code" },
];

/** What we owe to real wallets, as published each day, and the funds that cover it. */
export function LiabilitiesScreen({ chosen }: { readonly chosen: string | null }) {
  const report = useRead(reportLiabilities, {});
  const retry = () => void report.refetch();
  const { owedNow, days, house = [], chains } = report.data ?? {};
  const shown = days?.find(({ day }) => day === chosen) ?? days?.[0];
  return (
    <Desk
      title={WORDS.screens.liabilities}
      side={
        <>
          <CaseHead title="Covered by" state="Now" />
          <Ledger figures={house.map(({ account, balance }) => [WORDS.accounts[account] ?? account, money(balance)])} />
          <Queue
            caption="Paying wallets"
            keyboard={false}
            columns={[
              { id: "chain", head: "Chain", cell: (row) => row.chain, width: 84 },
              { id: "tokens", head: "USDT", cell: (row) => money(row.tokens), look: "amount" },
              { id: "seen", head: "Seen, UTC", cell: (row) => shortInstant(row.seenAt), look: "soft", width: 124 },
            ]}
            reading={{ rows: chains, failure: report.error, retry }}
            idOf={({ chain, address }) => `${chain} ${address}`}
            chosen={null}
            empty="No paying wallets yet."
          />
          {shown && <PublishedDay published={shown} />}
        </>
      }
    >
      {report.isError && <FailedState title={report.error.message} retryLabel={WORDS.retry} onRetry={retry} />}
      {owedNow !== undefined && (
        <div className="part">
          <Ledger figures={[["Owed to members now", money(owedNow)]]} />
        </div>
      )}
      {!report.isError && (
        <Queue
          caption="Published totals"
          columns={DAYS}
          reading={{ rows: days, failure: null, retry }}
          idOf={({ day }) => day}
          chosen={chosen}
          onChoose={(day) => choose("liabilities", day)}
          empty="Nothing published yet. The total is published every day once we owe something."
        />
      )}
    </Desk>
  );
}

/** One published total: what was owed to how many members, and where the log has it. */
function PublishedDay({ published }: { readonly published: Published }) {
  return (
    <>
      <p className="case-title">{published.day}</p>
      <Ledger
        figures={[
          ["Owed", money(published.sum)],
          ["Members", published.members],
          ["Log entry", published.loggedAt ?? "not yet"],
        ]}
      />
      <p className="note wrap code">{published.root}</p>
    </>
  );
}
