import {
  type DepositCase as Case,
  depositApproveCard,
  depositDesk,
  depositMatchStatement,
  depositRejectCard,
  fileView,
} from "@fairtick/protocol/operator";
import { Button, FailedState, Notice } from "@fairtick/ui";
import { useState } from "react";
import { readPicture } from "../data/call.ts";
import { useAct, useMay, useRead, useSelf } from "../data/queries.ts";
import { CaseHead, DecidedSteps, Ledger, Steps } from "../shared/Case.tsx";
import { Decide } from "../shared/Decide.tsx";
import { fiat, instant, money, typedAmount } from "../shared/format.ts";
import { Pictures } from "../shared/Pictures.tsx";
import { Take } from "../shared/Takes.tsx";
import { WORDS } from "../shared/words.ts";
import { BankDecision } from "./BankDecision.tsx";
import { CouldBe, OtherCards, stageName } from "./DepositNeighbours.tsx";
import { Reversal } from "./Reversal.tsx";

/** One deposit: what the member sent, what the bank or chain reports, and the decision. */
export function DepositCase({ depositNo }: { readonly depositNo: string }) {
  const { data: deposit, error, refetch } = useRead(depositDesk, { depositNo });
  const may = useMay();
  if (error) return <FailedState title={error.message} retryLabel={WORDS.retry} onRetry={() => void refetch()} />;
  if (!deposit) return <p className="case-empty soft">{WORDS.reading}</p>;
  const { card } = deposit;
  return (
    <>
      <CaseHead title={depositNo} state={WORDS.depositStates[deposit.state]} />
      <Take queue="deposits" caseNo={depositNo} isOpen={isWaiting(deposit)} />
      <p className="big">
        {money(deposit.amount)} <span className="unit">USD</span>
      </p>
      <p className="label">
        {WORDS.depositMethods[deposit.method]} deposit by{" "}
        <a className="link" href={`#/members/${deposit.memberId}`}>
          {deposit.account}
        </a>
      </p>
      <Ledger
        figures={[
          ["Sent", deposit.sent === null ? "–" : fiat(deposit.sent)],
          ...(card === null ? [] : [["Rate", `1 USD = ${card.rate}`] as const]),
          ["Stage", stageName(deposit)],
        ]}
      />
      <Way deposit={deposit} />
      <CouldBe deposit={deposit} />
      {deposit.reason !== null && deposit.stage !== "expired" && (
        <Notice wrong={deposit.state === "failed"}>{WORDS.depositReasons[deposit.reason] ?? deposit.reason}</Notice>
      )}
      <Receipts deposit={deposit} />
      <ol className="steps">
        {deposit.steps.map(({ stage, at }, place) => (
          <li key={place}>
            <span>{stageName({ method: deposit.method, stage })}</span>
            <time className="figure">{instant(at)}</time>
          </li>
        ))}
        <DecidedSteps decided={deposit.decided} />
      </ol>
      {deposit.method === "bank" && <Lines deposit={deposit} />}
      {deposit.proposal !== null && <CardDecision deposit={deposit} proposal={deposit.proposal} />}
      {deposit.method !== "crypto" && <Reversal deposit={deposit} />}
      {deposit.proposal === null && may("deposit/reject") && <BankDecision deposit={deposit} />}
    </>
  );
}

/** Whether a deposit is in the queue of those that wait for people. */
function isWaiting({ stage, suggestions, matched, reversal }: Case): boolean {
  if (["in_review", "claimed", "below_minimum", "wrong_token"].includes(stage)) return true;
  if (reversal?.state === "waiting") return true;
  const hasLine = matched !== null || suggestions.some(({ sameReference }) => sameReference);
  return hasLine && (stage === "awaiting_transfer" || stage === "expired");
}

/** Says which account or chain the deposit came through. */
function Way({ deposit: { card, chain, reference } }: { readonly deposit: Case }) {
  return (
    <>
      {card !== null && (
        <p className="label wrap">
          To {card.bank}, {card.number}, with reference <span className="code">{reference}</span>
        </p>
      )}
      {chain !== null && (
        <p className="label wrap">
          {chain.claimed ? "Claimed on" : "On"} {chain.chain}
          {chain.txHash !== null && (
            <>
              , <span className="code">{chain.txHash}</span>
            </>
          )}
        </p>
      )}
    </>
  );
}

function Receipts({ deposit: { receipts, method, chain } }: { readonly deposit: Case }) {
  const may = useMay();
  const { data: self } = useSelf();
  const sees = self?.roles.some((role) => role === "finance" || role === "auditor" || role === "admin");
  // A transfer found on chain needs no receipt.
  if (method === "card" || (chain !== null && !chain.claimed && receipts.length === 0)) return null;
  if (receipts.length === 0) return <p className="note soft">No receipt yet.</p>;
  const elsewhere = [...new Set(receipts.flatMap(({ alsoAt }) => alsoAt))];
  return (
    <>
      {elsewhere.length > 0 && (
        <Notice wrong>
          The same receipt was also submitted for{" "}
          {elsewhere.map((depositNo, place) => (
            <span key={depositNo}>
              {place > 0 && ", "}
              <a className="link" href={`#/deposits/${depositNo}`}>
                {depositNo}
              </a>
            </span>
          ))}
          .
        </Notice>
      )}
      {sees && may("file/view") ? (
        <Pictures
          pictures={receipts.map(({ fileId, putAt }) => ({
            id: fileId,
            label: `Receipt, ${instant(putAt)}`,
            read: () => readPicture(fileView, { fileId }),
          }))}
        />
      ) : (
        <p className="note soft">{receipts.length} receipts, visible to finance only.</p>
      )}
    </>
  );
}

/** The matched statement line, or lines that might match. */
function Lines({ deposit }: { readonly deposit: Case }) {
  const may = useMay();
  const match = useAct(depositMatchStatement);
  const [failure, setFailure] = useState<string | null>(null);
  const { matched, suggestions, depositNo } = deposit;
  const open = deposit.state === "processing" || deposit.stage === "expired";
  return (
    <section className="form" aria-label="Statement">
      {matched !== null && (
        <Notice>
          Matched: {fiat(matched.fiat)} on {matched.bookedOn} from {matched.debtor || "an unnamed payer"}, “{" "}
          {matched.remittance}”. Worth {money(matched.worth)} USD.
        </Notice>
      )}
      {open && matched === null && suggestions.length === 0 && (
        <p className="note soft">No matching statement line yet. Import a newer statement.</p>
      )}
      {failure !== null && <Notice wrong>{failure}</Notice>}
      {open && suggestions.length > 0 && (
        <ul className="steps" aria-label="Possible matches">
          {suggestions.map((line) => (
            <li key={line.entryId}>
              <span className="wrap">
                {fiat(line.fiat)}, {line.bookedOn}, {line.debtor || "unnamed payer"}
                <span className="note soft block">
                  “{line.remittance}”{line.sameReference && " · reference matches"}
                  {line.sameAmount ? " · amount matches" : ` · worth ${money(line.worth)} USD`}
                </span>
              </span>
              {may("deposit/matchStatement") && (
                <Button
                  lowkey
                  aria-label={`Match with ${line.fiat} on ${line.bookedOn}`}
                  onClick={() => {
                    setFailure(null);
                    match
                      .mutateAsync({ depositNo, entryId: line.entryId, reason: "matched by hand to this line" })
                      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)));
                  }}
                >
                  Match
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function CardDecision({
  deposit,
  proposal,
}: {
  readonly deposit: Case;
  readonly proposal: NonNullable<Case["proposal"]>;
}) {
  const may = useMay();
  const { data: self } = useSelf();
  const approve = useAct(depositApproveCard);
  const reject = useAct(depositRejectCard);
  const { proposalId } = proposal;
  const own = self?.operator.operatorId === proposal.madeBy.operatorId;
  const waiting = proposal.state === "waiting";
  return (
    <>
      <Steps proposal={proposal} />
      <p className="label wrap">
        Acquirer’s reference <span className="code">{proposal.reference ?? "–"}</span>
      </p>
      <OtherCards deposit={deposit} />
      {waiting && own && may("deposit/rejectCard") && <Notice>{WORDS.own}</Notice>}
      {waiting && (may("deposit/approveCard") || own) && (
        <Decide
          amount={deposit.amount}
          reasonLabel="Reason (shown to the member if you reject)"
          decisions={[
            {
              label: own ? "Cancel proposal" : "Reject",
              key: "r",
              act: (reason) => reject.mutateAsync({ proposalId, reason }),
            },
            ...(own
              ? []
              : [
                  {
                    label: "Approve",
                    key: "a" as const,
                    main: true,
                    wantsAmount: true,
                    act: (reason: string, typed: string) =>
                      approve.mutateAsync({ proposalId, reason, amount: typedAmount(typed) }),
                  },
                ]),
          ]}
          note="Approving credits it immediately."
        />
      )}
    </>
  );
}
