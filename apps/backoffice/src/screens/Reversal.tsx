import {
  type DepositCase,
  depositApproveReversal,
  depositProposeReversal,
  depositRejectReversal,
} from "@fairtick/protocol/operator";
import { Notice } from "@fairtick/ui";
import { useAct, useMay } from "../data/queries.ts";
import { Decide } from "../shared/Decide.tsx";
import { money, typedAmount } from "../shared/format.ts";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";

/** Reverses a credited deposit that the bank took back. One person proposes it, another approves. */
export function Reversal({ deposit }: { readonly deposit: DepositCase }) {
  const may = useMay();
  const propose = useAct(depositProposeReversal);
  const approve = useAct(depositApproveReversal);
  const reject = useAct(depositRejectReversal);
  const { depositNo, returns, reversal, stage, amount } = deposit;
  if (stage !== "credited" && stage !== "reversed") return null;
  const open = stage === "credited" && reversal?.state !== "waiting";
  return (
    <section className="form" aria-label="Reversal">
      {returns.map((line) => (
        <Notice key={line.entryId} wrong>
          The bank reversed it: {line.fiat} on {line.bookedOn}, “{line.remittance || "no remittance text"}”.
        </Notice>
      ))}
      {reversal !== null && (
        <ProposalDecision
          proposal={reversal}
          mayDecide={may("deposit/approveReversal")}
          amount={amount}
          said={
            reversal.owed === null ? (
              <p className="note soft">
                The member has {money(reversal.availableNow)} USD available. They will owe the rest, and it’s settled
                from incoming money.
              </p>
            ) : (
              <Notice>Reversed. The member owes {money(reversal.owed)} USD that was no longer available.</Notice>
            )
          }
          note="Approving books it immediately. The member sees the proposer’s reason."
          onApprove={(reason, typed) =>
            approve.mutateAsync({ proposalId: reversal.proposalId, reason, amount: typedAmount(typed) })
          }
          onReject={(reason) => reject.mutateAsync({ proposalId: reversal.proposalId, reason })}
        />
      )}
      {open && may("deposit/proposeReversal") && (
        <Decide
          reasonLabel="Reason for the reversal (shown to the member)"
          decisions={[
            {
              label: "Propose reversal",
              key: "a",
              act: (reason) => propose.mutateAsync({ depositNo, reason }),
            },
          ]}
          note="A second person in finance decides. Nothing is booked until then, and a proposal alone doesn’t hold up withdrawals."
        />
      )}
    </section>
  );
}
