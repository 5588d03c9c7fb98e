import { type MemberDetail, memberDecideLiftFreeze, memberProposeLiftFreeze } from "@fairtick/protocol/operator";
import { useAct, useMay } from "../data/queries.ts";
import { Decide } from "../shared/Decide.tsx";
import { instant } from "../shared/format.ts";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";
import { WORDS } from "../shared/words.ts";

const BY = { link: "by the link in a warning", session: "in the app" } as const;
const NOTE =
  "Only for a member who has lost everything that lifts it: check who they are first. Withdrawals wait a while longer after it.";

/** A freeze that the member began; two people of compliance lift it for one who can't. */
export function MemberFreeze({
  memberId,
  freeze,
}: {
  readonly memberId: string;
  readonly freeze: NonNullable<MemberDetail["freeze"]>;
}) {
  const may = useMay();
  const propose = useAct(memberProposeLiftFreeze);
  const decide = useAct(memberDecideLiftFreeze);
  const mayAct = may("member/proposeLiftFreeze");
  return (
    <>
      <p className="part-note">
        The member froze withdrawals {BY[freeze.by]}, {instant(freeze.since)}.
      </p>
      {freeze.lift !== null && (
        <ProposalDecision
          proposal={freeze.lift}
          mayDecide={mayAct}
          note={NOTE}
          onApprove={(reason) => decide.mutateAsync({ memberId, reason, decision: "approved" })}
          onReject={(reason) => decide.mutateAsync({ memberId, reason, decision: "rejected" })}
        />
      )}
      {freeze.lift === null && mayAct && (
        <Decide
          reasonLabel={WORDS.reason}
          decisions={[
            {
              label: "Propose to lift the freeze",
              key: "a",
              main: true,
              act: (reason) => propose.mutateAsync({ memberId, reason }),
            },
          ]}
          note={NOTE}
        />
      )}
    </>
  );
}
