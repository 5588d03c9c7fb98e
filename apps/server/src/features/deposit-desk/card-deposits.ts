import {
  accept,
  BANK_DEPOSIT_MAX,
  BANK_DEPOSIT_MIN,
  formatId,
  formatMoney,
  type MemberId,
  type MicroUsd,
  parseId,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { CardProposal, DepositCase } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatDepositNo, refuseNewDeposit } from "../deposits/index.ts";
import {
  decideProposal,
  formatProposalId,
  makeProposal,
  type OperatorContext,
  presentProposal,
  type ProposalRow,
  readProposal,
} from "../operators/index.ts";
import { type Changed, tellCredited, tellFailed } from "./tell-deposit.ts";

const KIND = "card_deposit";
type OtherCard = DepositCase["otherCards"][number];

interface Body {
  /** Amount in micro-USD, as a string of digits. */
  readonly amount: string;
  /** The acquirer's reference. Old proposals have none. */
  readonly reference?: string;
  /** Client id of the request. Old proposals have none. */
  readonly clientId?: string;
}

export interface CardWish {
  readonly memberId: string;
  readonly amount: MicroUsd;
  readonly reference: string;
  readonly reason: string;
  /** Idempotency key of the request. An operator gets one proposal for each. */
  readonly clientId: string;
}

/**
 * Enters a card payment as a deposit, once for each client id: `made` is null if it was made before. The member sees it
 * as Processing at once; a second person in finance decides. Refuses NOT_FOUND, CLIENT_ID_REUSED,
 * DEPOSIT_BELOW_MINIMUM[min], FIELD_INVALID above the maximum, CONFLICT for a payment that another deposit is about,
 * and whatever `refuseNewDeposit` refuses for deposits by the member.
 */
export async function proposeCardDeposit(
  { ids, ...context }: Pick<OperatorContext, "ids" | "config" | "databases" | "clock">,
  db: Queryable,
  session: OperatorSession,
  wish: CardWish,
): Promise<Verdict<{ readonly proposal: CardProposal; readonly made: Changed | null }>> {
  const memberId = parseId("member", wish.memberId);
  if (memberId === null) return refuse("NOT_FOUND");
  const known = await findWish(db, session, wish);
  if (!known.ok) return known;
  if (known.value !== null) return accept({ proposal: known.value, made: null });
  const refusal = await refuseNewDeposit(context, memberId, context.clock.now());
  if (refusal !== null) return { ok: false, refusal };
  if (wish.amount < BANK_DEPOSIT_MIN) return refuse("DEPOSIT_BELOW_MINIMUM", { min: formatMoney(BANK_DEPOSIT_MIN) });
  if (wish.amount > BANK_DEPOSIT_MAX) return invalidAmount();
  const reference = wish.reference.toUpperCase();
  const taken = await db.query("SELECT 1 FROM card_payments WHERE reference = $1", [reference]);
  if (taken.length > 0) return refuse("CONFLICT");
  const [proposalId, depositId] = [ids.next(), ids.next()];
  const row = await makeProposal(db, session, {
    proposalId,
    kind: KIND,
    reason: wish.reason,
    memberId,
    body: JSON.stringify({ amount: String(wish.amount), reference, clientId: wish.clientId } satisfies Body),
  });
  await db.query("SELECT propose_card_deposit($1, $2)", [proposalId, depositId]);
  return accept({ proposal: present(row, depositId), made: { memberId, depositId } });
}

/**
 * Finds the proposal that a client id has already made; null for a new id, which is then locked so that requests with the
 * same id wait. Refuses CLIENT_ID_REUSED.
 */
async function findWish(
  db: Queryable,
  session: OperatorSession,
  wish: CardWish,
): Promise<Verdict<CardProposal | null>> {
  const [found] = await db.query<{ proposal_id: bigint | null }>("SELECT find_card_wish($1, $2) AS proposal_id", [
    session.operatorId,
    wish.clientId,
  ]);
  if (found === undefined || found.proposal_id === null) return accept(null);
  const made = await readCardProposal(db, found.proposal_id);
  if (made === null) throw new Error("a wish for a card deposit without its proposal");
  const same =
    made.memberId === wish.memberId &&
    made.amount === formatMoney(wish.amount) &&
    made.reference === wish.reference.toUpperCase() &&
    made.reason === wish.reason;
  return same ? accept(made) : refuse("CLIENT_ID_REUSED");
}

/**
 * Approves and books a card payment. In addition to what deciding refuses: FIELD_INVALID if another amount was typed.
 */
export async function approveCardDeposit(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly amount: MicroUsd; readonly reason: string },
): Promise<Verdict<{ readonly proposal: CardProposal; readonly credited: Changed }>> {
  const decided = await decideProposal(db, session, { kind: KIND, decision: "approved", ...what });
  if (!decided.ok) return decided;
  if (BigInt((JSON.parse(decided.value.body) as Body).amount) !== what.amount) return invalidAmount();
  crashPoint("card.decided");
  const [booked] = await db.query<{ deposit_id: bigint }>("SELECT apply_card_deposit($1, $2) AS deposit_id", [
    decided.value.proposal_id,
    ids.next(),
  ]);
  if (booked === undefined) throw new Error("a card deposit was approved and not booked");
  crashPoint("card.booked");
  const { memberId } = await tellCredited(db, booked.deposit_id);
  return accept({
    proposal: present(decided.value, booked.deposit_id),
    credited: { memberId, depositId: booked.deposit_id },
  });
}

export async function rejectCardDeposit(
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<{ readonly proposal: CardProposal; readonly ended: Changed }>> {
  // Rejects a card payment. Finance may reject any; other operators may only cancel their own.
  const found = await readProposal(db, KIND, what.proposalId);
  if (found !== null && found.made_by_id !== session.operatorId && !session.roles.includes("finance"))
    return refuse("FORBIDDEN");
  const decided = await decideProposal(db, session, { kind: KIND, decision: "rejected", ...what });
  if (!decided.ok) return decided;
  const [ended] = await db.query<{ deposit_id: bigint }>("SELECT reject_card_deposit($1) AS deposit_id", [
    decided.value.proposal_id,
  ]);
  if (ended === undefined) throw new Error("a card deposit was rejected and is not ended");
  return accept({
    proposal: present(decided.value, ended.deposit_id),
    ended: await tellFailed(db, ended.deposit_id),
  });
}

const RECENT_MAX = 10;

/** Reads other card payments of the same member, newest first: the same one might have been entered twice. */
export async function readOtherCards(db: Queryable, memberId: bigint, depositId: bigint): Promise<OtherCard[]> {
  const rows = await db.query<{ deposit_id: bigint; amount: bigint; stage: string; created_at: bigint; body: string }>(
    `SELECT d.deposit_id, d.amount, d.stage, d.created_at, p.body FROM deposits d JOIN card_deposits c USING (deposit_id)
     JOIN proposals p USING (proposal_id) WHERE d.member_id = $1 AND d.deposit_id <> $2 ORDER BY d.deposit_id DESC LIMIT ${RECENT_MAX}`,
    [memberId, depositId],
  );
  return rows.map((row) => ({
    depositNo: formatDepositNo(row.deposit_id),
    amount: formatMoney(row.amount as MicroUsd),
    stage: row.stage,
    createdAt: Number(row.created_at),
    reference: (JSON.parse(row.body) as Body).reference ?? null,
  }));
}

/** Reads the proposal behind a card deposit. */
export async function readCardProposal(db: Queryable, proposalId: bigint): Promise<CardProposal | null> {
  const row = await readProposal(db, KIND, formatProposalId(proposalId));
  const [of] = await db.query<{ deposit_id: bigint }>("SELECT deposit_id FROM card_deposits WHERE proposal_id = $1", [
    proposalId,
  ]);
  return row === null || of === undefined ? null : present(row, of.deposit_id);
}

function present(row: ProposalRow, depositId: bigint): CardProposal {
  return {
    ...presentProposal(row),
    depositNo: formatDepositNo(depositId),
    memberId: formatId("member", (row.member_id ?? 0n) as MemberId),
    amount: formatMoney(BigInt((JSON.parse(row.body) as Body).amount) as MicroUsd),
    reference: (JSON.parse(row.body) as Body).reference ?? null,
  };
}

function invalidAmount(): Verdict<never> {
  return refuse("FIELD_INVALID", { field: "amount" }, { amount: "FIELD_INVALID" });
}
