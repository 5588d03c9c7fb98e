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
  ["fee", "Fee", "Deducted from each paid withdrawal"],
  ["minimum", "Minimum", "Per withdrawal; must exceed the fee"],
  ["maximum", "Maximum", "Per withdrawal"],
  ["dayMax", "Daily limit per member", "By UTC day; leave empty for no limit"],
  ["automaticMax", "Paid automatically up to", "Within the signer’s own limits"],
  ["singleMax", "One approval up to", "Two approvals above"],
];

/** Withdrawal fee, limits, and the amounts from which approvals are needed. */
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
      soonest="Takes effect 10 seconds after approval, or one day after if members would be worse off."
      note="Withdrawals requested earlier keep their fee."
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
            { id: "more", head: "Meaning", cell: ({ more }) => more, look: "soft" },
            { id: "amount", head: "USD", cell: ({ amount }) => amount, look: "amount", width: 132 },
          ]}
          reading={{
            ...reading,
            rows: terms && FIGURES.map(([name, label, more]) => ({ name, label, more, amount: shown(terms[name]) })),
          }}
          idOf={({ name }) => name}
          chosen={chosen}
          {...(may("withdrawalTerms/propose") && { onChoose: (id: string) => choose("withdrawalTerms", id) })}
          empty="No terms yet."
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
          label="Effective from, UTC"
          hint="Leave empty for as soon as possible. It must be later than every scheduled version."
          type="datetime-local"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
      </div>
      <Propose
        screen="withdrawalTerms"
        label="Propose terms"
        note="Another admin has to approve it. Terms beyond the signer’s own limits are refused."
        act={(reason) => {
          const changed = FIGURES.filter(([name]) => typedAmount(typed[name]) !== (terms[name] ?? ""));
          if (changed.length === 0) throw new Error("Nothing has changed.");
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
