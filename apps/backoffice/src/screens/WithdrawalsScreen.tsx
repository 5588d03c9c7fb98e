import { type WithdrawalRow, withdrawalList } from "@fairtick/protocol/operator";
import { useState } from "react";
import { useRead } from "../data/queries.ts";
import { Desk } from "../shared/Case.tsx";
import { money, shortInstant } from "../shared/format.ts";
import { Parts } from "../shared/Parts.tsx";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose, useView } from "../shared/route.ts";
import { useTakers } from "../shared/Takes.tsx";
import { WORDS } from "../shared/words.ts";
import { Pages } from "../shared/Pages.tsx";
import { WithdrawalCaseView } from "./WithdrawalCase.tsx";

const PARTS = [
  { value: "waiting", label: "Waiting" },
  { value: "sending", label: "Sending" },
  { value: "review", label: "Needs review" },
  { value: "done", label: "Done" },
] as const;
type Part = (typeof PARTS)[number]["value"];

const EMPTY: Readonly<Record<Part, string>> = {
  waiting: "All done. Withdrawals above the automatic limit appear here.",
  sending: "No payments in progress.",
  review: "Nothing to review. All payments went through.",
  done: "No finished withdrawals yet.",
};

export function WithdrawalsScreen({ chosen }: { readonly chosen: string | null }) {
  const [part, setPart] = useView(PARTS);
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const columns = useTakers("withdrawals", withdrawNoOf, COLUMNS, "stage");
  const list = useRead(withdrawalList, { state: part, ...(cursor && { cursor }) });
  return (
    <Desk
      title={WORDS.screens.withdrawals}
      side={chosen !== null && <WithdrawalCaseView key={chosen} withdrawNo={chosen} />}
    >
      <Parts
        id="withdrawals"
        label="State"
        parts={PARTS}
        shown={part}
        onShow={(next) => {
          setPart(next);
          setCursors([]);
        }}
      >
        <Queue<WithdrawalRow>
          caption="Withdrawals"
          columns={columns}
          reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
          idOf={withdrawNoOf}
          chosen={chosen}
          onChoose={(id) => choose("withdrawals", id)}
          empty={EMPTY[part]}
        />
      </Parts>
      <Pages
        cursors={cursors}
        next={list.data?.nextCursor ?? null}
        oldestFirst={part === "waiting" || part === "review"}
        onMove={setCursors}
      />
    </Desk>
  );
}

const COLUMNS: readonly Column<WithdrawalRow>[] = [
  { id: "asked", head: "Requested, UTC", cell: (row) => shortInstant(row.createdAt), width: 132 },
  { id: "account", head: "Member", cell: (row) => row.account },
  { id: "chain", head: "Chain", cell: (row) => row.chain, look: "soft", width: 72 },
  { id: "amount", head: "USD", cell: (row) => money(row.amount), look: "amount", width: 92 },
  { id: "approvals", head: "Approvals", cell: agreedWords, look: "soft", width: 72 },
  // Two lines: "Awaiting approval", and below it "finance-1 has it".
  { id: "stage", head: "Stage", cell: stageWords, look: "soft", width: 148 },
];

const withdrawNoOf = ({ withdrawNo }: WithdrawalRow) => withdrawNo;

function agreedWords({ approvals, approvalsNeeded }: WithdrawalRow): string {
  return approvalsNeeded === 0 ? "automatic" : `${approvals} of ${approvalsNeeded}`;
}

function stageWords({ frozen, stage }: WithdrawalRow): string {
  return frozen ? "frozen" : WORDS.withdrawalStages[stage as keyof typeof WORDS.withdrawalStages];
}
