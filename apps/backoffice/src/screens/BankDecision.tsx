import { type DepositCase as Case, depositCredit, depositReject } from "@fairtick/protocol/operator";
import { useAct, useSelf } from "../data/queries.ts";
import { Decide, type Decision } from "../shared/Decide.tsx";
import { money, typedAmount } from "../shared/format.ts";

/**
 * A remittance is credited with what its line brought, what is below the minimum with what the chain brought; a claim,
 * and what came in another token, can only be ended.
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
      reasonLabel="Reason; the member reads it if you reject"
      decisions={decisions}
      note={noteOn(underway && deposit.matched === null, othersAbove)}
    />
  );
}

/** What a bank deposit still allows, and whether this operator may credit it alone. */
function standingOf({ matched, stage, state, method }: Case, me: string | undefined) {
  // A payment that came after its time can be credited; there is nothing left to reject.
  const late = stage === "expired";
  const underway = method === "bank" && (state === "processing" || late);
  const below = stage === "below_minimum";
  const isOwn = matched !== null && matched.importedBy.operatorId === me;
  return {
    late,
    underway,
    below,
    isClosed: !underway && !below && stage !== "claimed" && stage !== "wrong_token",
    /** Above this sum another person has to credit it; null where this one may. */
    othersAbove: isOwn && matched.aboveOnePerson ? matched.onePersonMax : null,
  };
}

function worthOfLine({ matched }: Case, mayCredit: boolean): string | null {
  return mayCredit && matched !== null ? matched.worth : null;
}

function noteOn(lacksLine: boolean, othersAbove: string | null): string {
  if (lacksLine) return "Nothing is credited from a picture: match a line of a statement first.";
  if (othersAbove === null) return "A rejection’s reason is read by the member.";
  return `You took this statement in, and alone you credit up to ${money(othersAbove)} USD in 24 hours: another person of finance credits it.`;
}
