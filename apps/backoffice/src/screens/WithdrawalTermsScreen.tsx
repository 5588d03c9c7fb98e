import {
  type WithdrawalTermsEntry,
  withdrawalTermsApprove,
  withdrawalTermsList,
  withdrawalTermsPropose,
  withdrawalTermsProposeAgain,
  withdrawalTermsReject,
} from "@fairtick/protocol/operator";
import { Field } from "@fairtick/ui";
import { useState } from "react";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead } from "../shared/Case.tsx";
import { instantOf, money, typedAmount } from "../shared/format.ts";
import { Propose } from "../shared/ProposalDesk.tsx";
import { Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { VersionDesk } from "../shared/VersionDesk.tsx";

type Name = keyof WithdrawalTermsEntry;
const FIGURES: readonly (readonly [name: Name, label: string, more: string])[] = [
  ["fee", "Fee", "Kept of each withdrawal that is paid"],
  ["minimum", "Minimum", "Of one withdrawal; more than the fee"],
  ["maximum", "Maximum", "Of one withdrawal"],
  ["dayMax", "Of one member in a UTC day", "Empty: no such limit"],
  ["automaticMax", "Paid by itself up to", "If the signer’s own limits agree"],
  ["singleMax", "One operator up to", "Two different ones above"],
];

/** What a withdrawal costs and how large it may be; from which amount people are asked. */
export function WithdrawalTermsScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const list = useRead(withdrawalTermsList, {});
  const approve = useAct(withdrawalTermsApprove);
  const reject = useAct(withdrawalTermsReject);
  const again = useAct(withdrawalTermsProposeAgain);
  const reading = { failure: list.error, retry: () => void list.refetch() };
  const terms = list.data?.terms;
  const isFigure = FIGURES.some(([name]) => name === chosen);
  return (
    <VersionDesk
      name="withdrawalTerms"
      chosen={chosen}
      reading={reading}
      versions={list.data?.versions}
      proposals={list.data?.proposals}
      soonest="Binds ten seconds after its approval; a day after it where members would be worse off."
      note="Members read it from then on. What was asked for before keeps its fee."
      needs="withdrawalTerms/approve"
      approve={(proposalId, reason) => approve.mutateAsync({ proposalId, reason })}
      reject={(proposalId, reason) => reject.mutateAsync({ proposalId, reason })}
      proposeAgain={(proposalId, reason) => again.mutateAsync({ proposalId, reason })}
      side={isFigure && terms && may("withdrawalTerms/propose") ? <ProposeTerms terms={terms} /> : undefined}
      terms={
        <Queue
          caption="Terms in force"
          columns={[
            { id: "what", head: "What", cell: ({ label }) => label, width: 232 },
            { id: "more", head: "Which means", cell: ({ more }) => more, look: "soft" },
            { id: "amount", head: "USD", cell: ({ amount }) => amount, look: "amount", width: 132 },
          ]}
          reading={{
            ...reading,
            rows: terms && FIGURES.map(([name, label, more]) => ({ name, label, more, amount: shown(terms[name]) })),
          }}
          idOf={({ name }) => name}
          chosen={chosen}
          {...(may("withdrawalTerms/propose") && { onChoose: (id: string) => choose("withdrawalTerms", id) })}
          empty="No terms are stored."
        />
      }
    />
  );
}

function shown(amount: string | null): string {
  return amount === null ? "–" : money(amount);
}

function ProposeTerms({ terms }: { readonly terms: WithdrawalTermsEntry }) {
  const propose = useAct(withdrawalTermsPropose);
  const [typed, setTyped] = useState<Readonly<Record<Name, string>>>({ ...terms, dayMax: terms.dayMax ?? "" });
  const [from, setFrom] = useState("");
  return (
    <>
      <CaseHead title="New terms" state="Proposal" />
      <div className="form">
        {FIGURES.map(([name, label, more]) => (
          <Field
            key={name}
            label={label}
            hint={more}
            inputMode="decimal"
            autoComplete="off"
            value={typed[name]}
            onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
            after={<span className="unit">USD</span>}
          />
        ))}
        <Field
          label="Binds from, UTC"
          hint="Empty: as soon as it may. Dates only grow."
          type="datetime-local"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
      </div>
      <Propose
        screen="withdrawalTerms"
        label="Propose the terms"
        note="Another admin approves. The signer’s own limits are its own file: terms that it would not pay are refused."
        act={(reason) => {
          const changed = FIGURES.filter(([name]) => typedAmount(typed[name]) !== (terms[name] ?? ""));
          if (changed.length === 0) throw new Error("Nothing was changed.");
          const effectiveAt = instantOf(from);
          const wish = Object.fromEntries(
            changed.map(([name]) => [
              name,
              name === "dayMax" && typed[name].trim() === "" ? null : typedAmount(typed[name]),
            ]),
          );
          return propose.mutateAsync({ ...wish, ...(effectiveAt !== undefined && { effectiveAt }), reason });
        }}
      />
    </>
  );
}
