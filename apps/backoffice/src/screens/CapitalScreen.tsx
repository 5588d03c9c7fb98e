import { type Capital, capitalApprove, capitalList, capitalPropose, capitalReject } from "@fairtick/protocol/operator";
import { Field, Segments } from "@fairtick/ui";
import { useState } from "react";
import { useAct } from "../data/queries.ts";
import { Ledger } from "../shared/Case.tsx";
import { money, typedAmount } from "../shared/format.ts";
import { ProposalDesk, Propose } from "../shared/ProposalDesk.tsx";
import { WORDS } from "../shared/words.ts";

export function CapitalScreen({ chosen }: { readonly chosen: string | null }) {
  const approve = useAct(capitalApprove);
  const reject = useAct(capitalReject);
  return (
    <ProposalDesk<Capital>
      name="capital"
      chosen={chosen}
      list={capitalList}
      columns={[
        { id: "wallet", head: "Wallet", cell: (row) => WORDS.wallets[row.wallet] },
        { id: "amount", head: "USD", cell: (row) => money(row.amount), look: "amount", width: 140 },
      ]}
      empty="No proposals waiting. An admin proposes and finance approves, or the other way round."
      form={{ needs: "capital/propose", label: "Propose capital", view: <ProposeCapital /> }}
      Facts={CapitalFacts}
      decision={({ proposalId, amount }) => ({
        needs: "capital/approve",
        amount,
        approve: (reason, typed) => approve.mutateAsync({ proposalId, reason, amount: typedAmount(typed) }),
        reject: (reason) => reject.mutateAsync({ proposalId, reason }),
      })}
    />
  );
}

function CapitalFacts({ row: { amount, wallet, poolNow } }: { readonly row: Capital }) {
  return (
    <>
      <p className="big">
        {money(amount)} <span className="unit">USD</span>
      </p>
      <p className="label">Added to the {WORDS.wallets[wallet].toLowerCase()} pool</p>
      <Ledger figures={[["Pool now", money(poolNow)]]} />
    </>
  );
}

function ProposeCapital() {
  const [wallet, setWallet] = useState<"practice" | "real">("real");
  const [amount, setAmount] = useState("");
  const propose = useAct(capitalPropose);
  return (
    <>
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
        label="Amount to add to the pool"
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        after={<span className="unit">USD</span>}
      />
      <Propose
        screen="capital"
        act={(reason) => propose.mutateAsync({ wallet, amount: typedAmount(amount), reason })}
        note="One admin and one person in finance have to agree."
      />
    </>
  );
}
