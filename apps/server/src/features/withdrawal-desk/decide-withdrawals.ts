import { accept, type MicroUsd, paymentStatement, refuse, type Verdict, type WithdrawalStage } from "@fairtick/domain";
import { verifyP256 } from "@fairtick/domain/node-signatures";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import type { OperatorContext } from "../operators/index.ts";
import { type MovedWithdrawal, paymentOf, tellOfWithdrawal } from "../withdrawals/index.ts";
import { findDeskRow } from "./read-desk.ts";

export interface ApprovalGiven {
  readonly withdrawNo: string;
  readonly amount: MicroUsd;
  readonly reason: string;
  readonly keyId: string;
  readonly signature: string;
}

/**
 * Stores an operator's signed approval. It has no authority on its own: the signer verifies it again with its own list
 * of keys. Refuses NOT_FOUND, FIELD_INVALID (another amount, or a signature that doesn't fit this payment), FORBIDDEN
 * (someone else's key), CONFLICT (not waiting for operators, frozen, or already approved by them).
 */
export async function approveWithdrawal(
  db: Queryable,
  session: OperatorSession,
  given: ApprovalGiven,
): Promise<Verdict<MovedWithdrawal>> {
  const row = await findDeskRow(db, given.withdrawNo);
  if (row === null) return refuse("NOT_FOUND");
  if (row.amount !== given.amount) return invalid("amount");
  const [key] = await db.query<{ operator_id: bigint; public_key: string }>(
    "SELECT operator_id, public_key FROM operator_keys WHERE key_id = $1 AND key_id NOT IN (SELECT key_id FROM revoked_keys)",
    [given.keyId],
  );
  if (key?.operator_id !== session.operatorId) return refuse("FORBIDDEN");
  if (!verifyP256(key.public_key, paymentStatement(paymentOf(row)), given.signature)) return invalid("signature");
  if (row.stage !== "review" || row.frozen) return refuse("CONFLICT");
  const before = await db.query(
    "SELECT 1 FROM withdrawal_approvals WHERE withdrawal_id = $1 AND digest = $2 AND (operator_id = $3 OR session_id = $4)",
    [row.withdrawal_id, row.digest, session.operatorId, session.sessionId],
  );
  if (before.length > 0) return refuse("CONFLICT");
  const [answer] = await db.query<{ stage: WithdrawalStage | null }>(
    "SELECT approve_withdrawal($1, $2, $3, $4, $5, $6) AS stage",
    [session.sessionId, row.withdrawal_id, row.digest, given.keyId, given.signature, given.reason],
  );
  const stage = answer?.stage ?? null;
  if (stage === null) return refuse("CONFLICT");
  return accept({ memberId: row.member_id, withdrawalId: row.withdrawal_id, stage });
}

/**
 * Rejects a withdrawal that has no nonce yet and releases the held amount. Refuses NOT_FOUND, and CONFLICT once it is
 * being paid or is over.
 */
export async function rejectWithdrawal(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  given: { readonly withdrawNo: string; readonly reason: string },
): Promise<Verdict<MovedWithdrawal>> {
  const row = await findDeskRow(db, given.withdrawNo);
  if (row === null) return refuse("NOT_FOUND");
  const [answer] = await db.query<{ done: boolean }>("SELECT reject_withdrawal($1, $2, $3, $4) AS done", [
    session.sessionId,
    row.withdrawal_id,
    context.ids.next(),
    given.reason,
  ]);
  if (answer?.done !== true) return refuse("CONFLICT");
  const moved = { memberId: row.member_id, withdrawalId: row.withdrawal_id, stage: "rejected" as const };
  await tellOfWithdrawal(
    db,
    { ...moved, amount: row.amount, fee: row.fee },
    { kind: "canceled", reason: given.reason },
  );
  return accept(moved);
}

/**
 * Returns the amount held for a payment that can no longer happen. Above the limit it takes two people. Refuses
 * NOT_FOUND, FIELD_INVALID for another amount, CONFLICT while an attempt may still pay, or if they have decided
 * already.
 */
export async function releaseWithdrawal(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  given: { readonly withdrawNo: string; readonly amount: MicroUsd; readonly reason: string },
): Promise<Verdict<MovedWithdrawal>> {
  const row = await findDeskRow(db, given.withdrawNo);
  if (row === null) return refuse("NOT_FOUND");
  if (row.amount !== given.amount) return invalid("amount");
  if (await hasSaid(db, session, row.withdrawal_id)) return refuse("CONFLICT");
  const [answer] = await db.query<{ stage: WithdrawalStage | null }>(
    "SELECT release_withdrawal($1, $2, $3, $4) AS stage",
    [session.sessionId, row.withdrawal_id, context.ids.next(), given.reason],
  );
  const stage = answer?.stage ?? null;
  if (stage === null) return refuse("CONFLICT");
  const moved = { memberId: row.member_id, withdrawalId: row.withdrawal_id, stage };
  if (stage === "reverted") {
    await tellOfWithdrawal(
      db,
      { ...moved, amount: row.amount, fee: row.fee },
      { kind: "canceled", reason: given.reason },
    );
  }
  return accept(moved);
}

/**
 * Ends a payment that arrived short: it counts as paid with what arrived, and the missing part goes back to the member.
 * It always takes two people. Refuses NOT_FOUND, FIELD_INVALID for another amount than what goes back, CONFLICT if
 * nothing is short or they have decided already.
 */
export async function settleShort(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  given: { readonly withdrawNo: string; readonly amount: MicroUsd; readonly reason: string },
): Promise<Verdict<MovedWithdrawal>> {
  const row = await findDeskRow(db, given.withdrawNo);
  if (row === null) return refuse("NOT_FOUND");
  if (row.rest === null || row.arrived === null || (await hasSaid(db, session, row.withdrawal_id)))
    return refuse("CONFLICT");
  if (row.rest !== given.amount) return invalid("amount");
  const { withdrawal_id: withdrawalId, member_id: memberId, amount, fee, arrived, rest } = row;
  const [answer] = await db.query<{ stage: WithdrawalStage | null }>(
    "SELECT settle_short_withdrawal($1, $2, $3, $4, $5) AS stage",
    [session.sessionId, withdrawalId, context.ids.next(), context.ids.next(), given.reason],
  );
  const stage = answer?.stage ?? null;
  if (stage === null) return refuse("CONFLICT");
  if (stage === "confirmed")
    await tellOfWithdrawal(
      db,
      { memberId, withdrawalId, amount, fee },
      { kind: "short", arrived: BigInt(arrived), rest },
    );
  return accept({ memberId, withdrawalId, stage });
}

/** Returns whether this operator, or someone in their session, has already agreed to end it. */
async function hasSaid(db: Queryable, session: OperatorSession, withdrawalId: bigint): Promise<boolean> {
  const before = await db.query(
    "SELECT 1 FROM withdrawal_releases WHERE withdrawal_id = $1 AND (operator_id = $2 OR session_id = $3)",
    [withdrawalId, session.operatorId, session.sessionId],
  );
  return before.length > 0;
}

function invalid(field: "amount" | "signature"): Verdict<never> {
  return refuse("FIELD_INVALID", { field }, { [field]: "FIELD_INVALID" });
}
