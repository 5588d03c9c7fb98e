import { accept, formatId, formatMoney, type MemberId, type MicroUsd, refuse, type Verdict } from "@fairtick/domain";
import type { ReversalProposal } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatDepositNo, parseDepositNo } from "../deposits/index.ts";
import { tellMember } from "../notices/index.ts";
import {
  decideProposal,
  formatProposalId,
  makeProposal,
  type OperatorContext,
  presentProposal,
  readProposal,
} from "../operators/index.ts";
import { type MovedWithdrawal, tellOfEnded } from "../withdrawals/index.ts";
import type { Changed } from "./tell-deposit.ts";

const KIND = "deposit_reversal";

interface ReversedRow {
  readonly deposit_id: bigint;
  readonly member_id: bigint;
  readonly amount: bigint;
  readonly available: bigint;
  readonly owed: bigint | null;
}

/**
 * Proposes to reverse a credited bank transfer or card payment that the bank took back, with the statement line that
 * says so if there is one. Refuses NOT_FOUND, and CONFLICT if it is neither or a reversal waits already.
 */
export async function proposeReversal(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  session: OperatorSession,
  wish: { readonly depositNo: string; readonly reason: string },
): Promise<Verdict<ReversalProposal>> {
  const depositId = parseDepositNo(wish.depositNo);
  const [deposit] =
    depositId === null
      ? []
      : await db.query<{ member_id: bigint; method: string; stage: string; amount: bigint }>(
          "SELECT member_id, method, stage, amount FROM deposits WHERE deposit_id = $1",
          [depositId],
        );
  if (depositId === null || deposit === undefined) return refuse("NOT_FOUND");
  if (deposit.method === "crypto" || deposit.stage !== "credited") return refuse("CONFLICT");
  const known = await readReversal(db, depositId);
  if (known?.state === "waiting") return refuse("CONFLICT");
  const proposalId = ids.next();
  await makeProposal(db, session, {
    proposalId,
    kind: KIND,
    reason: wish.reason,
    memberId: deposit.member_id,
    body: JSON.stringify({ depositId: String(depositId), amount: String(deposit.amount) }),
  });
  await db.query("SELECT propose_reversal($1, $2)", [proposalId, depositId]);
  return present(db, proposalId);
}

/**
 * Approves and books a reversal in one transaction. In addition to what deciding refuses: FIELD_INVALID if another
 * amount was typed.
 */
export async function approveReversal(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly amount: MicroUsd; readonly reason: string },
): Promise<
  Verdict<{
    readonly proposal: ReversalProposal;
    readonly reversed: Changed;
    readonly ended: readonly MovedWithdrawal[];
  }>
> {
  const decided = await decideProposal(db, session, { kind: KIND, decision: "approved", ...what });
  if (!decided.ok) return decided;
  const { proposal_id: proposalId, reason } = decided.value;
  const [deposit] = await readRows(db, proposalId);
  if (deposit === undefined) throw new Error("a reversal of no deposit was approved");
  if (deposit.amount !== what.amount) return refuse("FIELD_INVALID", { field: "amount" }, { amount: "FIELD_INVALID" });
  crashPoint("reversal.checked");
  const [booked] = await db.query<{ owed: bigint; ended: bigint[] }>(
    "SELECT owed, ended FROM reverse_deposit($1, $2)",
    [proposalId, ids.next()],
  );
  if (booked === undefined) throw new Error("a reversal was approved and not booked");
  crashPoint("reversal.booked");
  const { deposit_id: depositId, member_id: memberId } = deposit;
  await tellMember(db, memberId, "depositReversed", {
    amount: formatMoney(deposit.amount as MicroUsd),
    depositNo: formatDepositNo(depositId),
    owed: formatMoney(booked.owed as MicroUsd),
    reason,
  });
  const ended = await tellOfEnded(db, booked.ended);
  const proposal = await present(db, proposalId);
  return proposal.ok ? accept({ proposal: proposal.value, reversed: { memberId, depositId }, ended }) : proposal;
}

export async function rejectReversal(
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<ReversalProposal>> {
  const decided = await decideProposal(db, session, { kind: KIND, decision: "rejected", ...what });
  return decided.ok ? present(db, decided.value.proposal_id) : decided;
}

/** Reads the newest proposal to reverse a deposit; null if there is none. */
export async function readReversal(db: Queryable, depositId: bigint): Promise<ReversalProposal | null> {
  const [newest] = await db.query<{ proposal_id: bigint | null }>(
    "SELECT max(proposal_id) AS proposal_id FROM reversal_requests WHERE deposit_id = $1",
    [depositId],
  );
  if (newest === undefined || newest.proposal_id === null) return null;
  const shown = await present(db, newest.proposal_id);
  return shown.ok ? shown.value : null;
}

async function readRows(db: Queryable, proposalId: bigint): Promise<ReversedRow[]> {
  return db.query<ReversedRow>(
    `SELECT d.deposit_id, d.member_id, d.amount, m.real_available AS available, r.owed
     FROM reversal_requests q JOIN deposits d USING (deposit_id) JOIN members_money m USING (member_id)
     LEFT JOIN deposit_reversals r ON r.proposal_id = q.proposal_id WHERE q.proposal_id = $1`,
    [proposalId],
  );
}

async function present(db: Queryable, proposalId: bigint): Promise<Verdict<ReversalProposal>> {
  const row = await readProposal(db, KIND, formatProposalId(proposalId));
  const [deposit] = await readRows(db, proposalId);
  if (row === null || deposit === undefined) return refuse("NOT_FOUND");
  return accept({
    ...presentProposal(row),
    depositNo: formatDepositNo(deposit.deposit_id),
    memberId: formatId("member", deposit.member_id as MemberId),
    amount: formatMoney(deposit.amount as MicroUsd),
    availableNow: formatMoney(deposit.available as MicroUsd),
    owed: deposit.owed === null ? null : formatMoney(deposit.owed as MicroUsd),
  });
}
