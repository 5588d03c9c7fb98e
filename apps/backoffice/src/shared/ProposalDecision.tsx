import { Notice } from "@fairtick/ui";
import type { ReactNode } from "react";
import { useSelf } from "../data/queries.ts";
import { Steps, type Proposed } from "./Case.tsx";
import { Decide, type Decision } from "./Decide.tsx";
import { WORDS } from "./words.ts";

/**
 * Shows who proposed and who decided. While a proposal waits, another person can approve or reject it, and its author can
 * cancel it.
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
  /** Whether the operator's roles allow it. The server checks again. */
  readonly mayDecide: boolean;
  /** For money: the amount that must be typed to approve. */
  readonly amount?: string;
  readonly note?: ReactNode;
  /** Shown between the steps and the decision. */
  readonly said?: ReactNode;
  /** Replaces Approve when that is no longer possible. The author may use it too. */
  readonly instead?: { readonly label: string; readonly act: (reason: string) => Promise<unknown> };
  readonly onApprove: Decision["act"];
  readonly onReject: (reason: string) => Promise<unknown>;
}) {
  const { data: self } = useSelf();
  const own = self?.operator.operatorId === proposal.madeBy.operatorId;
  const waiting = proposal.state === "waiting";
  const refuse: Decision = { label: own ? "Cancel proposal" : "Reject", key: "r", act: onReject };
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
