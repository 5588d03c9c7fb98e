import {
  type Referral,
  referralApprove,
  referralList,
  referralPropose,
  referralReject,
} from "@fairtick/protocol/operator";
import { Field } from "@fairtick/ui";
import { useState } from "react";
import { useAct } from "../data/queries.ts";
import { Ledger } from "../shared/Case.tsx";
import { percent } from "../shared/format.ts";
import { ProposalDesk, Propose } from "../shared/ProposalDesk.tsx";

export function ReferralScreen({ chosen }: { readonly chosen: string | null }) {
  const approve = useAct(referralApprove);
  const reject = useAct(referralReject);
  return (
    <ProposalDesk<Referral>
      name="referral"
      chosen={chosen}
      list={referralList}
      columns={[
        { id: "rate", head: "Share", cell: (row) => percent(row.rate), look: "amount", width: 100 },
        { id: "from", head: "From, UTC", cell: (row) => row.fromDay ?? "" },
      ]}
      empty="No proposals waiting. One admin proposes, another approves."
      form={{ needs: "referral/propose", label: "Propose a share", view: <ProposeRate /> }}
      Facts={ReferralFacts}
      decision={({ proposalId }) => ({
        needs: "referral/approve",
        approve: (reason) => approve.mutateAsync({ proposalId, reason }),
        reject: (reason) => reject.mutateAsync({ proposalId, reason }),
      })}
    />
  );
}

function ReferralFacts({ row: { rate, rateNow, fromDay } }: { readonly row: Referral }) {
  return (
    <>
      <p className="big">{percent(rate)}</p>
      <p className="label">Share of the fees that invited members pay from their real wallet</p>
      <Ledger
        figures={[
          ["Now", percent(rateNow)],
          ["From, UTC", fromDay ?? "–"],
        ]}
      />
    </>
  );
}

function ProposeRate() {
  const [share, setShare] = useState("");
  const propose = useAct(referralPropose);
  return (
    <>
      <Field
        label="Share of an invited member's fees"
        inputMode="decimal"
        autoComplete="off"
        value={share}
        hint="At most 50%. Only real-wallet fees count. 0 ends the reward."
        onChange={(event) => setShare(event.currentTarget.value)}
        after={<span className="unit">%</span>}
      />
      <Propose
        screen="referral"
        act={(reason) => {
          const typed = share.trim().replace(",", ".");
          // Anything else is sent as typed, and the server says what is wrong with it.
          const rate = /^\d+(?:\.\d{1,4})?$/.test(typed) ? (Number(typed) / 100).toFixed(6) : typed;
          return propose.mutateAsync({ rate, reason });
        }}
        note="Another admin decides. It applies from the next UTC day."
      />
    </>
  );
}
