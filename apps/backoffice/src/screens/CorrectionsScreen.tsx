import { type Correction, correctionApprove, correctionList, correctionReject } from "@fairtick/protocol/operator";
import { useAct } from "../data/queries.ts";
import { Ledger } from "../shared/Case.tsx";
import { money, signed, typedAmount } from "../shared/format.ts";
import { ProposalDesk } from "../shared/ProposalDesk.tsx";
import { WORDS } from "../shared/words.ts";

export function CorrectionsScreen({ chosen }: { readonly chosen: string | null }) {
  const approve = useAct(correctionApprove);
  const reject = useAct(correctionReject);
  return (
    <ProposalDesk<Correction>
      name="corrections"
      chosen={chosen}
      list={correctionList}
      columns={[
        { id: "account", head: "Member", cell: (row) => row.account },
        { id: "wallet", head: "Wallet", cell: (row) => WORDS.wallets[row.wallet], width: 68 },
        { id: "amount", head: "USD", cell: (row) => signed(row.amount), look: "amount", width: 92 },
      ]}
      empty="No corrections waiting. To propose one, open a member and choose Correct."
      Facts={CorrectionFacts}
      decision={({ proposalId, amount }) => ({
        needs: "correction/approve",
        amount,
        note: "Approving books it immediately. The member sees it in their fund details, with the proposer’s reason.",
        approve: (reason, typed) => approve.mutateAsync({ proposalId, reason, amount: typedAmount(typed) }),
        reject: (reason) => reject.mutateAsync({ proposalId, reason }),
      })}
    />
  );
}

function CorrectionFacts({ row: { amount, wallet, memberId, account, availableNow } }: { readonly row: Correction }) {
  return (
    <>
      <p className="big">
        {signed(amount)} <span className="unit">USD</span>
      </p>
      <p className="label">
        {WORDS.wallets[wallet]} wallet of{" "}
        <a className="link" href={`#/members/${memberId}`}>
          {account}
        </a>
      </p>
      <Ledger figures={[["Available now", money(availableNow)]]} />
    </>
  );
}
