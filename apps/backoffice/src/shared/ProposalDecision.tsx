import { Notice } from "@fairtick/ui";
import type { ReactNode } from "react";
import { useSelf } from "../data/queries.ts";
import { Steps, type Proposed } from "./Case.tsx";
import { Decide, type Decision } from "./Decide.tsx";
import { WORDS } from "./words.ts";

/**
 * Who proposed and who decided; while it waits, the decision: another person approves or rejects, whoever proposed it
 * may take it back.
 */
export function ProposalDecision({
  proposal,
  mayDecide,
  amount,
  note,
  said,
  instead,
  onApprove,
  onReject,
}: {
  readonly proposal: Proposed & { readonly madeBy: { readonly operatorId: string } };
  /** By their role; the server decides again. */
  readonly mayDecide: boolean;
  /** Of money: must be typed to approve. */
  readonly amount?: string;
  readonly note?: ReactNode;
  /** Between the stations and the decision. */
  readonly said?: ReactNode;
  /** Takes the place of approving, where that is no longer possible; whoever proposed it may do it too. */
  readonly instead?: { readonly label: string; readonly act: (reason: string) => Promise<unknown> };
  readonly onApprove: Decision["act"];
  readonly onReject: (reason: string) => Promise<unknown>;
}) {
  const { data: self } = useSelf();
  const own = self?.operator.operatorId === proposal.madeBy.operatorId;
  const waiting = proposal.state === "waiting";
  const refuse: Decision = { label: own ? "Take back" : "Reject", key: "r", act: onReject };
  const approve: Decision = {
    label: "Approve",
    key: "a",
    main: true,
    wantsAmount: amount !== undefined,
    act: onApprove,
  };
  const usual = own ? [refuse] : [refuse, approve];
  const other: Decision | null = instead === undefined ? null : { ...instead, key: "a", main: true };
  return (
    <>
      <Steps proposal={proposal} />
      {said}
      {waiting && own && instead === undefined && <Notice>{WORDS.own}</Notice>}
      {waiting && mayDecide && (
        <Decide
          {...(amount !== undefined && { amount })}
          decisions={other === null ? usual : [refuse, other]}
          note={note}
        />
      )}
    </>
  );
}
