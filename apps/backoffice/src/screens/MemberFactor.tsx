import { type MemberDetail, memberKeepFactor, memberRemoveFactor } from "@fairtick/protocol/operator";
import { Notice } from "@fairtick/ui";
import { useAct, useMay, useSelf } from "../data/queries.ts";
import { Steps } from "../shared/Case.tsx";
import { Decide, type Decision } from "../shared/Decide.tsx";
import { WORDS } from "../shared/words.ts";

/** Removes the second factor of a member who lost every means of access. It takes two people. */
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
        label: isOwn ? "Cancel proposal" : "Decline",
        key: "r",
        act: (reason) => keep.mutateAsync({ memberId, reason }),
      });
    }
    if (!isOwn) {
      decisions.push({
        label: factorRemoval === null ? "Propose removal" : "Approve removal",
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
        note="Only for members who lost their app, passkeys and recovery codes. State how you confirmed their identity. It takes one person in support and one in compliance. The member is notified, and their withdrawals wait afterwards."
      />
    </>
  );
}
