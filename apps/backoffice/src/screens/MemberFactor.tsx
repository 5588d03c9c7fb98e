import { type MemberDetail, memberKeepFactor, memberRemoveFactor } from "@fairtick/protocol/operator";
import { Notice } from "@fairtick/ui";
import { useAct, useMay, useSelf } from "../data/queries.ts";
import { Steps } from "../shared/Case.tsx";
import { Decide, type Decision } from "../shared/Decide.tsx";
import { WORDS } from "../shared/words.ts";

/** A member's second factor: two people remove it for whoever lost everything. */
export function MemberFactor({ member }: { readonly member: MemberDetail }) {
  const may = useMay();
  const { data: self } = useSelf();
  const remove = useAct(memberRemoveFactor);
  const keep = useAct(memberKeepFactor);
  const { memberId, secondFactor, factorRemoval } = member;
  const isOwn = factorRemoval !== null && factorRemoval.madeBy.operatorId === self?.operator.operatorId;
  const decisions: Decision[] = [];
  if (may("member/removeFactor") && secondFactor) {
    if (factorRemoval !== null) {
      decisions.push({
        label: isOwn ? "Take back" : "Decline",
        key: "r",
        act: (reason) => keep.mutateAsync({ memberId, reason }),
      });
    }
    if (!isOwn) {
      decisions.push({
        label: factorRemoval === null ? "Propose to remove" : "Approve the removal",
        key: "a",
        main: true,
        act: (reason) => remove.mutateAsync({ memberId, reason }),
      });
    }
  }
  return (
    <>
      <p className="part-note">{secondFactor ? "Two-step verification is on." : "Two-step verification is off."}</p>
      {factorRemoval && <Steps proposal={factorRemoval} />}
      {isOwn && <Notice>{WORDS.own}</Notice>}
      <Decide
        decisions={decisions}
        reasonLabel={WORDS.reason}
        note="For members who lost the app, all passkeys and all recovery codes. Write how you made sure that it is them. One of support and one of compliance agree; withdrawals wait afterwards, and the member is told."
      />
    </>
  );
}
