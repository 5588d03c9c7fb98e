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

/** A credited remittance that the bank takes back: one person proposes to reverse it, another one approves. */
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
          The bank took it back: {line.fiat} of {line.bookedOn}, “{line.remittance || "without a text"}”.
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
                The member has {money(reversal.availableNow)} USD available; what is missing they owe from then on, and
                it is settled from what comes in.
              </p>
            ) : (
              <Notice>
                Reversed. {money(reversal.owed)} USD of it were not there any more and became the member’s debt.
              </Notice>
            )
          }
          note="Approving books it at once. The member reads the proposal’s reason."
          onApprove={(reason, typed) =>
            approve.mutateAsync({ proposalId: reversal.proposalId, reason, amount: typedAmount(typed) })
          }
          onReject={(reason) => reject.mutateAsync({ proposalId: reversal.proposalId, reason })}
        />
      )}
      {open && may("deposit/proposeReversal") && (
        <Decide
          reasonLabel="Reason of the reversal; the member reads it"
          decisions={[
            {
              label: "Propose to reverse",
              key: "a",
              act: (reason) => propose.mutateAsync({ depositNo, reason }),
            },
          ]}
          note="A second person of finance decides. Nothing is booked by proposing."
        />
      )}
    </section>
  );
}
