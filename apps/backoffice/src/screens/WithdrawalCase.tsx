import {
  type WithdrawalCase,
  withdrawalApprove,
  withdrawalDetail,
  withdrawalKeys,
  withdrawalReject,
  withdrawalRelease,
  withdrawalSettleShort,
} from "@fairtick/protocol/operator";
import { FailedState, Notice } from "@fairtick/ui";
import { type OwnKey, signPayment, useOwnKey } from "../data/own-key.ts";
import { useAct, useMay, useRead, useSelf } from "../data/queries.ts";
import { CaseHead, DecidedSteps, Ledger } from "../shared/Case.tsx";
import { Decide, type Decision } from "../shared/Decide.tsx";
import { fiat, instant, money, typedAmount } from "../shared/format.ts";
import { Take } from "../shared/Takes.tsx";
import { WORDS } from "../shared/words.ts";
import { TakenBack } from "./TakenBack.tsx";

/** Stages in which a withdrawal waits for people. */
const WAITING: ReadonlySet<string> = new Set(["requested", "review", "needs_review"]);

/** One withdrawal: the request, the member's balance, approvals, payments sent, and the decision. */
export function WithdrawalCaseView({ withdrawNo }: { readonly withdrawNo: string }) {
  const read = useRead(withdrawalDetail, { withdrawNo });
  if (read.isError) {
    return <FailedState title={read.error.message} retryLabel={WORDS.retry} onRetry={() => void read.refetch()} />;
  }
  if (read.data === undefined) return <p className="case-empty soft">{WORDS.reading}</p>;
  const one = read.data;
  return (
    <>
      <CaseHead title={withdrawNo} state={WORDS.withdrawalStages[one.stage as keyof typeof WORDS.withdrawalStages]} />
      <Take queue="withdrawals" caseNo={withdrawNo} isOpen={WAITING.has(one.stage)} />
      <p className="big">
        {money(one.amount)} <span className="unit">USD</span>
      </p>
      <p className="label wrap">
        Fee {money(one.fee)} · pays <strong>{fiat(one.receives)}</strong> USDT on {one.chain} to{" "}
        <span className="code">{one.address}</span>
      </p>
      <p className="label">
        Requested by{" "}
        <a className="link" href={`#/members/${one.memberId}`}>
          {one.account}
        </a>
      </p>
      <Short one={one} />
      <Ledger
        figures={[
          ["Deposited, net", money(one.member.deposited)],
          ["Withdrawn", money(one.member.withdrawn)],
          ["Available", money(one.member.available)],
          ["Locked", money(one.member.locked)],
          ["Open orders", one.member.openOrders],
        ]}
      />
      <History one={one} />
      <TakenBack {...one.member} />
      {one.waitsFor !== null && <Notice wrong>{WORDS.waitsFor[one.waitsFor]}</Notice>}
      {one.payoutWaits !== null && <Notice wrong>{WORDS.payoutWaits[one.payoutWaits]}</Notice>}
      {one.paidBefore.length > 0 && (
        <Ledger
          figures={one.paidBefore.map((paid) => [
            `Paid to this address ${instant(paid.at).slice(0, 10)}`,
            money(paid.amount),
          ])}
        />
      )}
      <Decisions one={one} />
    </>
  );
}

function reasonLabelOf({ stage, short }: WithdrawalCase, decisions: readonly Decision[]): string {
  if (stage === "needs_review") return short === null ? WORDS.reason : "Reason (shown to the member with the refund)";
  const mayApprove = decisions.some(({ key }) => key === "a");
  return mayApprove ? "Reason (kept in the audit trail; the member reads it if you reject)" : WORDS.memberReason;
}

function Short({ one: { short, receives, stage } }: { readonly one: WithdrawalCase }) {
  if (short === null) return null;
  return (
    <Notice wrong={stage === "needs_review"}>
      {fiat(short.arrived)} USDT arrived instead of {fiat(receives)}; the token kept a fee.{" "}
      {stage === "needs_review"
        ? `Two people in finance have to settle it by refunding ${money(short.rest)} USD to the member from our capital. Type that amount.`
        : `${money(short.rest)} USD was refunded to the member from our capital.`}
    </Notice>
  );
}

function History({ one }: { readonly one: WithdrawalCase }) {
  return (
    <ol className="steps">
      {one.steps.map(({ stage, at }) => (
        <li key={`${stage} ${at}`}>
          <span>{WORDS.withdrawalStages[stage as keyof typeof WORDS.withdrawalStages]}</span>
          <time className="figure">{instant(at)}</time>
        </li>
      ))}
      {one.agreed.map(({ by, at, reason, keyId, counts }) => (
        <li key={by.operatorId}>
          <span>
            Approved by {by.login}
            <span className="note block">
              “{reason}” · key {keyId.slice(0, 8)}
              {!counts && " · no longer counts"}
            </span>
          </span>
          <time className="figure">{instant(at)}</time>
        </li>
      ))}
      {one.attempts.map(({ attempt, txHash, madeAt, nonce }) => (
        <li key={txHash}>
          <span>
            Attempt {attempt}, nonce {nonce}
            <span className="note block code">{txHash}</span>
          </span>
          <time className="figure">{instant(madeAt)}</time>
        </li>
      ))}
      {one.released.map(({ by, at, reason }) => (
        <li key={by.operatorId}>
          <span>
            {one.short === null ? "Released" : "Settled"} by {by.login}
            <span className="note block">“{reason}”</span>
          </span>
          <time className="figure">{instant(at)}</time>
        </li>
      ))}
      <DecidedSteps decided={one.decided} />
      {one.reason !== null && (
        <li>
          <span>
            Why
            <span className="note block">“{WORDS.withdrawalReasons[one.reason] ?? one.reason}”</span>
          </span>
        </li>
      )}
    </ol>
  );
}

function Decisions({ one }: { readonly one: WithdrawalCase }) {
  const may = useMay();
  if (!may("withdrawal/approve")) return null;
  return <DecisionForm one={one} />;
}

function DecisionForm({ one }: { readonly one: WithdrawalCase }) {
  const { key, needsKey, agreed, settled, hasDecided } = useOwnPart(one);
  const { amount, stage, short } = one;
  const mayApprove = !agreed && !one.frozen;
  const decisions = [
    ...useReviewDecisions(one, mayApprove ? key : null),
    ...useSettlingDecisions(one, stage === "needs_review" && !settled),
  ];
  return (
    <>
      {needsKey && <KeyNeeded />}
      {stage === "needs_review" && one.deadAt === null && short === null && (
        <Notice wrong>A payment attempt may still succeed, so you can’t release the money yet.</Notice>
      )}
      {hasDecided && <Notice>You approved this. It needs another person too.</Notice>}
      <Decide
        amount={short?.rest ?? amount}
        decisions={decisions}
        reasonLabel={reasonLabelOf(one, decisions)}
        whyNotApprove={stage === "review" ? whyNotApprove(one, agreed, needsKey) : null}
        note={stage === "review" && approvalNote(one)}
      />
    </>
  );
}

/** Returns why this operator can't approve the payment now; null when they can. */
function whyNotApprove({ waitsFor }: WithdrawalCase, agreed: boolean, needsKey: boolean): string | null {
  if (agreed) return "You’ve already approved this. Another person has to approve it too.";
  if (waitsFor !== null) return WORDS.waitsFor[waitsFor];
  if (!needsKey) return null;
  return "You can’t approve yet: this browser has no approved signing key of yours. Make one under Signing keys.";
}

/** Returns this operator's earlier decisions on the withdrawal and their signing key. */
function useOwnPart({ agreed, released, stage }: WithdrawalCase) {
  const { data: self } = useSelf();
  const { data: key } = useOwnKey();
  const keys = useRead(withdrawalKeys, {});
  const me = self?.operator.operatorId;
  const enrolled = keys.data?.some((each) => each.keyId === key?.keyId && isInForce(each)) === true;
  const hasAgreed = agreed.some(({ by }) => by.operatorId === me);
  const hasSettled = released.some(({ by }) => by.operatorId === me);
  return {
    key: (enrolled && key) || null,
    needsKey: stage === "review" && !enrolled && keys.data !== undefined,
    agreed: hasAgreed,
    settled: hasSettled,
    hasDecided: (stage === "review" && hasAgreed) || (stage === "needs_review" && hasSettled),
  };
}

function isInForce({ state, revoked }: { readonly state: string; readonly revoked: unknown }): boolean {
  return state === "approved" && revoked === null;
}

/** Decisions before anything is sent: reject, or approve with a signing key. */
function useReviewDecisions(one: WithdrawalCase, key: OwnKey | null): Decision[] {
  const approve = useAct(withdrawalApprove);
  const reject = useAct(withdrawalReject);
  const { withdrawNo, stage } = one;
  const decisions: Decision[] = [];
  if (["requested", "review", "approved"].includes(stage)) {
    decisions.push({ label: "Reject", key: "r", act: (reason) => reject.mutateAsync({ withdrawNo, reason }) });
  }
  if (stage === "review" && key) {
    decisions.push({
      label: "Approve",
      key: "a",
      main: true,
      wantsAmount: true,
      act: async (reason, typed) =>
        approve.mutateAsync({
          withdrawNo,
          reason,
          amount: typedAmount(typed),
          keyId: key.keyId,
          signature: await signPayment(key, one),
        }),
    });
  }
  return decisions;
}

/** Decisions that end a failed payment: release the held amount, or settle one that arrived short. */
function useSettlingDecisions({ withdrawNo, deadAt, short }: WithdrawalCase, isOpen: boolean): Decision[] {
  const release = useAct(withdrawalRelease);
  const settle = useAct(withdrawalSettleShort);
  const decisions: Decision[] = [];
  if (isOpen && deadAt !== null) {
    decisions.push({
      label: "Release",
      key: "a",
      main: true,
      wantsAmount: true,
      act: (reason, typed) => release.mutateAsync({ withdrawNo, reason, amount: typedAmount(typed) }),
    });
  }
  if (isOpen && short !== null) {
    decisions.push({
      label: "Settle short payment",
      key: "a",
      main: true,
      wantsAmount: true,
      act: (reason, typed) => settle.mutateAsync({ withdrawNo, reason, amount: typedAmount(typed) }),
    });
  }
  return decisions;
}

function KeyNeeded() {
  return (
    <Notice>
      To approve, you need a signing key in this browser.{" "}
      <a className="link" href="#/keys">
        Signing keys
      </a>
    </Notice>
  );
}

function approvalNote({ payment, approvalsNeeded }: WithdrawalCase): string {
  const people = approvalsNeeded === 1 ? "one person" : `${approvalsNeeded} people`;
  return `Approving signs exactly this payment, valid until ${instant(payment.expiry)} UTC. It takes ${people}.`;
}
