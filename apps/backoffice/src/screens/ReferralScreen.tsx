import {
  type Referral,
  referralApprove,
  referralList,
  referralPropose,
  referralReject,
} from "@fairtick/protocol/operator";
import { Button, Field } from "@fairtick/ui";
import { useState } from "react";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { Decide } from "../shared/Decide.tsx";
import { instant, percent } from "../shared/format.ts";
import { Parts, PROPOSAL_PARTS } from "../shared/Parts.tsx";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";
import { Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";

const NEW = "new";

export function ReferralScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const [state, setState] = useState<"waiting" | "done">("waiting");
  const list = useRead(referralList, { state, limit: "100" });
  const shown = list.data?.items.find(({ proposalId }) => proposalId === chosen);
  const side = chosen === NEW ? <ProposeRate /> : shown && <RateCase key={shown.proposalId} referral={shown} />;
  return (
    <Desk
      title={WORDS.screens.referral}
      tools={
        may("referral/propose") && (
          <Button lowkey look="tint" onClick={() => choose("referral", NEW)}>
            Propose a share
          </Button>
        )
      }
      side={side}
    >
      <Parts id="referral" label="State" parts={PROPOSAL_PARTS} shown={state} onShow={setState}>
        <Queue<Referral>
          caption="Share of fees for invitations"
          columns={[
            { id: "made", head: "Proposed, UTC", cell: (row) => instant(row.madeAt), width: 164 },
            { id: "rate", head: "Share", cell: (row) => percent(row.rate), look: "amount", width: 100 },
            { id: "from", head: "From, UTC", cell: (row) => row.fromDay ?? "" },
            { id: "by", head: "By", cell: (row) => row.madeBy.login, width: 104 },
            { id: "state", head: "State", cell: (row) => WORDS.states[row.state], look: "soft", width: 84 },
          ]}
          reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
          idOf={({ proposalId }) => proposalId}
          chosen={chosen}
          onChoose={(id) => choose("referral", id)}
          empty={
            state === "waiting" ? "Nothing waits. One admin proposes, another approves." : "Nothing was decided yet."
          }
        />
      </Parts>
    </Desk>
  );
}

function ProposeRate() {
  const [share, setShare] = useState("");
  const propose = useAct(referralPropose);
  return (
    <>
      <CaseHead title="New" state="Proposal" />
      <Field
        label="Share of an invited member's fees"
        inputMode="decimal"
        autoComplete="off"
        value={share}
        hint="At most 50 %. Fees of the real wallet count. 0 ends the reward."
        onChange={(event) => setShare(event.currentTarget.value)}
        after={<span className="unit">%</span>}
      />
      <Decide
        decisions={[
          {
            label: "Propose",
            key: "a",
            main: true,
            act: async (reason) => {
              const typed = share.trim().replace(",", ".");
              // What is no figure goes as it was typed: the server says what is wrong with it.
              const rate = /^\d+(?:\.\d{1,4})?$/.test(typed) ? (Number(typed) / 100).toFixed(6) : typed;
              const made = await propose.mutateAsync({ rate, reason });
              choose("referral", made.proposalId);
            },
          },
        ]}
        note="Another admin decides. It holds from the next UTC day on."
      />
    </>
  );
}

function RateCase({ referral }: { readonly referral: Referral }) {
  const may = useMay();
  const approve = useAct(referralApprove);
  const reject = useAct(referralReject);
  const { proposalId } = referral;
  return (
    <>
      <CaseHead title={proposalId} state={WORDS.states[referral.state]} />
      <p className="big">{percent(referral.rate)}</p>
      <p className="label">Of the fees that invited members pay with their real wallet</p>
      <Ledger
        figures={[
          ["Today", percent(referral.rateNow)],
          ["From, UTC", referral.fromDay ?? "–"],
        ]}
      />
      <ProposalDecision
        proposal={referral}
        mayDecide={may("referral/approve")}
        onApprove={(reason) => approve.mutateAsync({ proposalId, reason })}
        onReject={(reason) => reject.mutateAsync({ proposalId, reason })}
      />
    </>
  );
}
