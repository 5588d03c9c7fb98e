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
import { signPayment, useOwnKey } from "../data/own-key.ts";
import { useAct, useMay, useRead, useSelf } from "../data/queries.ts";
import { CaseHead, DecidedSteps, Ledger } from "../shared/Case.tsx";
import { Decide, type Decision } from "../shared/Decide.tsx";
import { fiat, instant, money, typedAmount } from "../shared/format.ts";
import { WORDS } from "../shared/words.ts";
import { TakenBack } from "./TakenBack.tsx";

/** One withdrawal: what is asked for, whose money it is, who agreed, what was sent, and what is to be decided. */
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
      <p className="big">
        {money(one.amount)} <span className="unit">USD</span>
      </p>
      <p className="label wrap">
        Fee {money(one.fee)} · pays <strong>{fiat(one.receives)}</strong> USDT on {one.chain} to{" "}
        <span className="code">{one.address}</span>
      </p>
      <p className="label">
        Asked for by{" "}
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
      {one.paidBefore.length > 0 && (
        <Ledger
          figures={one.paidBefore.map((paid) => [`Paid here ${instant(paid.at).slice(0, 10)}`, money(paid.amount)])}
        />
      )}
      <Decisions one={one} />
    </>
  );
}

function reasonLabelOf({ stage, short }: WithdrawalCase): string {
  if (stage === "review") return "Reason; the member reads it where you reject";
  return stage === "needs_review" && short !== null ? "Reason; the member reads it with what comes back" : WORDS.reason;
}

function Short({ one: { short, receives, stage } }: { readonly one: WithdrawalCase }) {
  if (short === null) return null;
  return (
    <Notice wrong={stage === "needs_review"}>
      {fiat(short.arrived)} USDT arrived instead of {fiat(receives)}: the token kept the rest.{" "}
      {stage === "needs_review"
        ? `Nothing else can pay it. Two people of finance settle it: the member gets ${money(short.rest)} USD back out of the house’s capital. Type that amount.`
        : `${money(short.rest)} USD came back to the member out of the house’s capital.`}
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
              {!counts && " · does not count any more"}
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
  const { data: self } = useSelf();
  const { data: key } = useOwnKey();
  const keys = useRead(withdrawalKeys, {}, may("withdrawal/approve"));
  const approve = useAct(withdrawalApprove);
  const reject = useAct(withdrawalReject);
  const release = useAct(withdrawalRelease);
  const settle = useAct(withdrawalSettleShort);
  const { withdrawNo, amount, stage, short } = one;
  if (!may("withdrawal/approve")) return null;
  const me = self?.operator.operatorId;
  const enrolled =
    keys.data?.some((each) => each.keyId === key?.keyId && each.state === "approved" && each.revoked === null) ?? false;
  const agreed = one.agreed.some(({ by }) => by.operatorId === me);
  const said = one.released.some(({ by }) => by.operatorId === me);
  const decisions: Decision[] = [];
  if (["requested", "review", "approved"].includes(stage)) {
    decisions.push({ label: "Reject", key: "r", act: (reason) => reject.mutateAsync({ withdrawNo, reason }) });
  }
  if (stage === "review" && key && enrolled && !agreed && !one.frozen) {
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
  if (stage === "needs_review" && one.deadAt !== null && !said) {
    decisions.push({
      label: "Release",
      key: "a",
      main: true,
      wantsAmount: true,
      act: (reason, typed) => release.mutateAsync({ withdrawNo, reason, amount: typedAmount(typed) }),
    });
  }
  if (stage === "needs_review" && short !== null && !said) {
    decisions.push({
      label: "Settle as arrived",
      key: "a",
      main: true,
      wantsAmount: true,
      act: (reason, typed) => settle.mutateAsync({ withdrawNo, reason, amount: typedAmount(typed) }),
    });
  }
  return (
    <>
      {stage === "review" && !enrolled && keys.data !== undefined && (
        <Notice>
          Approving takes a signing key of yours in this browser.{" "}
          <a className="link" href="#/keys">
            Signing keys
          </a>
        </Notice>
      )}
      {stage === "review" && agreed && <Notice>You have agreed. Another person has to agree as well.</Notice>}
      {stage === "needs_review" && one.deadAt === null && short === null && (
        <Notice wrong>An attempt may still pay: nothing can be released.</Notice>
      )}
      {stage === "needs_review" && said && <Notice>You have agreed. Another person has to agree as well.</Notice>}
      <Decide
        amount={short?.rest ?? amount}
        decisions={decisions}
        reasonLabel={reasonLabelOf(one)}
        note={
          stage === "review" &&
          `Approving signs exactly this payment, good until ${instant(one.payment.expiry)}. By the terms in force it takes ${one.approvalsNeeded === 1 ? "one person" : `${one.approvalsNeeded} people`}.`
        }
      />
    </>
  );
}
