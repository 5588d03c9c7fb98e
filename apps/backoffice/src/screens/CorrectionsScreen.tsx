import { type Correction, correctionApprove, correctionList, correctionReject } from "@fairtick/protocol/operator";
import { useState } from "react";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { instant, money, signed, typedAmount } from "../shared/format.ts";
import { Parts, PROPOSAL_PARTS } from "../shared/Parts.tsx";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";
import { Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";
import { Pages } from "./MembersScreen.tsx";

export function CorrectionsScreen({ chosen }: { readonly chosen: string | null }) {
  const [state, setState] = useState<"waiting" | "done">("waiting");
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const list = useRead(correctionList, { state, ...(cursor && { cursor }) });
  const shown = list.data?.items.find(({ proposalId }) => proposalId === chosen);
  return (
    <Desk
      title={WORDS.screens.corrections}
      side={shown && <CorrectionCase key={shown.proposalId} correction={shown} />}
    >
      <Parts
        id="corrections"
        label="State"
        parts={PROPOSAL_PARTS}
        shown={state}
        onShow={(part) => {
          setState(part);
          setCursors([]);
        }}
      >
        <Queue<Correction>
          caption="Corrections"
          columns={[
            { id: "made", head: "Proposed, UTC", cell: (row) => instant(row.madeAt).slice(5), width: 132 },
            { id: "account", head: "Member", cell: (row) => row.account },
            { id: "wallet", head: "Wallet", cell: (row) => WORDS.wallets[row.wallet], width: 68 },
            { id: "amount", head: "USD", cell: (row) => signed(row.amount), look: "amount", width: 92 },
            { id: "by", head: "By", cell: (row) => row.madeBy.login, width: 84 },
            { id: "state", head: "State", cell: (row) => WORDS.states[row.state], look: "soft", width: 80 },
          ]}
          reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
          idOf={({ proposalId }) => proposalId}
          chosen={chosen}
          onChoose={(id) => choose("corrections", id)}
          empty={
            state === "waiting"
              ? "Nothing waits. A correction is proposed from a member's case, under Correct."
              : "No correction was decided yet."
          }
        />
      </Parts>
      <Pages cursors={cursors} next={list.data?.nextCursor ?? null} onMove={setCursors} />
    </Desk>
  );
}

function CorrectionCase({ correction }: { readonly correction: Correction }) {
  const may = useMay();
  const approve = useAct(correctionApprove);
  const reject = useAct(correctionReject);
  const { proposalId, amount } = correction;
  return (
    <>
      <CaseHead title={proposalId} state={WORDS.states[correction.state]} />
      <p className="big">
        {signed(amount)} <span className="unit">USD</span>
      </p>
      <p className="label">
        {WORDS.wallets[correction.wallet]} wallet of{" "}
        <a className="link" href={`#/members/${correction.memberId}`}>
          {correction.account}
        </a>
      </p>
      <Ledger figures={[["Available now", money(correction.availableNow)]]} />
      <ProposalDecision
        proposal={correction}
        mayDecide={may("correction/approve")}
        amount={amount}
        onApprove={(reason, typed) => approve.mutateAsync({ proposalId, reason, amount: typedAmount(typed) })}
        onReject={(reason) => reject.mutateAsync({ proposalId, reason })}
        note="Approving books it at once. The member sees it in his fund records with the proposal's reason."
      />
    </>
  );
}
