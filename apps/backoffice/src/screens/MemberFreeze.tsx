import { type MemberDetail, memberDecideLiftFreeze, memberProposeLiftFreeze } from "@fairtick/protocol/operator";
import { useAct, useMay } from "../data/queries.ts";
import { Decide } from "../shared/Decide.tsx";
import { instant } from "../shared/format.ts";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";
import { WORDS } from "../shared/words.ts";

const BY = { link: "with the link in a warning", session: "in the app" } as const;
const NOTE =
  "Only for members who can’t lift it themselves. Confirm their identity first. Withdrawals stay on hold for a while afterwards.";

/** A freeze the member started. Two people in compliance can lift it for a member who can't. */
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
        The member froze withdrawals {BY[freeze.by]} on {instant(freeze.since)} UTC.
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
