import { type Capital, capitalApprove, capitalList, capitalPropose, capitalReject } from "@fairtick/protocol/operator";
import { Button, Field, Segments } from "@fairtick/ui";
import { useState } from "react";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { Decide } from "../shared/Decide.tsx";
import { instant, money, typedAmount } from "../shared/format.ts";
import { Parts, PROPOSAL_PARTS } from "../shared/Parts.tsx";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";
import { Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";

const NEW = "new";

export function CapitalScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const [state, setState] = useState<"waiting" | "done">("waiting");
  const list = useRead(capitalList, { state, limit: "100" });
  const shown = list.data?.items.find(({ proposalId }) => proposalId === chosen);
  const side = chosen === NEW ? <ProposeCapital /> : shown && <CapitalCase key={shown.proposalId} capital={shown} />;
  return (
    <Desk
      title={WORDS.screens.capital}
      tools={
        may("capital/propose") && (
          <Button lowkey look="tint" onClick={() => choose("capital", NEW)}>
            Propose capital
          </Button>
        )
      }
      side={side}
    >
      <Parts id="capital" label="State" parts={PROPOSAL_PARTS} shown={state} onShow={setState}>
        <Queue<Capital>
          caption="House capital"
          columns={[
            { id: "made", head: "Proposed, UTC", cell: (row) => instant(row.madeAt), width: 164 },
            { id: "wallet", head: "Wallet", cell: (row) => WORDS.wallets[row.wallet] },
            { id: "amount", head: "USD", cell: (row) => money(row.amount), look: "amount", width: 140 },
            { id: "by", head: "By", cell: (row) => row.madeBy.login, width: 104 },
            { id: "state", head: "State", cell: (row) => WORDS.states[row.state], look: "soft", width: 84 },
          ]}
          reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
          idOf={({ proposalId }) => proposalId}
          chosen={chosen}
          onChoose={(id) => choose("capital", id)}
          empty={
            state === "waiting"
              ? "Nothing waits. Admin or finance proposes, the other one approves."
              : "Nothing was decided yet."
          }
        />
      </Parts>
    </Desk>
  );
}

function ProposeCapital() {
  const [wallet, setWallet] = useState<"practice" | "real">("real");
  const [amount, setAmount] = useState("");
  const propose = useAct(capitalPropose);
  return (
    <>
      <CaseHead title="New" state="Proposal" />
      <Segments
        label="Wallet"
        choices={[
          { value: "practice", label: WORDS.wallets.practice },
          { value: "real", label: WORDS.wallets.real },
        ]}
        value={wallet}
        onChange={setWallet}
      />
      <Field
        label="Amount for the pool"
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        after={<span className="unit">USD</span>}
      />
      <Decide
        decisions={[
          {
            label: "Propose",
            key: "a",
            main: true,
            act: async (reason) => {
              const made = await propose.mutateAsync({ wallet, amount: typedAmount(amount), reason });
              choose("capital", made.proposalId);
            },
          },
        ]}
        note="Admin and finance, one each."
      />
    </>
  );
}

function CapitalCase({ capital }: { readonly capital: Capital }) {
  const may = useMay();
  const approve = useAct(capitalApprove);
  const reject = useAct(capitalReject);
  const { proposalId, amount } = capital;
  return (
    <>
      <CaseHead title={proposalId} state={WORDS.states[capital.state]} />
      <p className="big">
        {money(amount)} <span className="unit">USD</span>
      </p>
      <p className="label">Into the pool of the {WORDS.wallets[capital.wallet].toLowerCase()} wallet</p>
      <Ledger figures={[["Pool now", money(capital.poolNow)]]} />
      <ProposalDecision
        proposal={capital}
        mayDecide={may("capital/approve")}
        amount={amount}
        onApprove={(reason, typed) => approve.mutateAsync({ proposalId, reason, amount: typedAmount(typed) })}
        onReject={(reason) => reject.mutateAsync({ proposalId, reason })}
      />
    </>
  );
}
