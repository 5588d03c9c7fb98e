import { type DepositCase as Case, depositCredit, depositReject } from "@fairtick/protocol/operator";
import { useAct, useSelf } from "../data/queries.ts";
import { Decide, type Decision } from "../shared/Decide.tsx";
import { money, typedAmount } from "../shared/format.ts";

/**
 * Credits or rejects a deposit. A bank transfer is credited with the amount on its statement line, a deposit below the
 * minimum with the amount that arrived. Claims and wrong tokens can only be rejected.
 */
export function BankDecision({ deposit }: { readonly deposit: Case }) {
  const credit = useAct(depositCredit);
  const reject = useAct(depositReject);
  const { depositNo } = deposit;
  const { data: self } = useSelf();
  const { late, underway, below, isClosed, othersAbove } = standingOf(deposit, self?.operator.operatorId);
  if (isClosed) return null;
  const worth = below ? deposit.amount : worthOfLine(deposit, underway && othersAbove === null);
  const decisions: Decision[] = [
    ...(late
      ? []
      : [
          {
            label: "Reject",
            key: "r" as const,
            act: (reason: string) => reject.mutateAsync({ depositNo, reason }),
          },
        ]),
    ...(worth !== null
      ? [
          {
            label: "Credit",
            key: "a" as const,
            main: true,
            wantsAmount: true,
            act: (reason: string, typed: string) =>
              credit.mutateAsync({ depositNo, reason, amount: typedAmount(typed) }),
          },
        ]
      : []),
  ];
  if (decisions.length === 0) return null;
  return (
    <Decide
      {...(worth !== null && { amount: worth })}
      reasonLabel="Reason (shown to the member if you reject)"
      decisions={decisions}
      note={noteOn(underway && deposit.matched === null, othersAbove)}
    />
  );
}

/** Returns what can still be done with a deposit, and whether this operator may credit it alone. */
function standingOf({ matched, stage, state, method }: Case, me: string | undefined) {
  // A payment that arrived after expiry can be credited; there is nothing left to reject.
  const late = stage === "expired";
  const underway = method === "bank" && (state === "processing" || late);
  const below = stage === "below_minimum";
  const isOwn = matched !== null && matched.importedBy.operatorId === me;
  return {
    late,
    underway,
    below,
    isClosed: !underway && !below && stage !== "claimed" && stage !== "wrong_token",
    /** USD limit above which someone else has to credit it; null when this operator may. */
    othersAbove: isOwn && matched.aboveOnePerson ? matched.onePersonMax : null,
  };
}

function worthOfLine({ matched }: Case, mayCredit: boolean): string | null {
  return mayCredit && matched !== null ? matched.worth : null;
}

function noteOn(lacksLine: boolean, othersAbove: string | null): string {
  if (lacksLine) return "Match a statement line first. A receipt alone isn’t enough.";
  if (othersAbove === null) return "If you reject it, the member sees the reason.";
  return `You imported this statement, so you can credit at most ${money(othersAbove)} USD from it in 24 hours. Someone else in finance has to credit this one.`;
}
