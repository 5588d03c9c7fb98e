import { accept, formatMoney, type Instant, type MicroUsd, refuse, type Verdict } from "@fairtick/domain";
import type { DepositCase } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { parseDepositNo } from "../deposits/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { readCase } from "./read-cases.ts";
import { parseEntryId } from "./statement-lines.ts";
import { type Changed, tellCredited, tellFailed } from "./tell-deposit.ts";

/**
 * Matches a statement line with a bank transfer. Refuses NOT_FOUND, and CONFLICT if the line belongs to another
 * deposit, account or currency, or the deposit is decided.
 */
export async function matchStatement(
  { config }: Pick<OperatorContext, "config">,
  db: Queryable,
  session: OperatorSession,
  asked: { readonly depositNo: string; readonly entryId: string },
  now: Instant,
): Promise<Verdict<DepositCase>> {
  const [depositId, entryId] = [parseDepositNo(asked.depositNo), parseEntryId(asked.entryId)];
  if (depositId === null || entryId === null) return refuse("NOT_FOUND");
  await db.query("SELECT match_statement($1, $2, $3)", [session.sessionId, depositId, entryId]);
  return readCase(db, config.chains, asked.depositNo, now);
}

/**
 * Credits what the matched line brought, or a chain transfer below the minimum. Refuses NOT_FOUND, FIELD_INVALID if
 * another amount was typed, CONFLICT if no line is matched or the deposit is decided.
 */
export async function creditDeposit(
  { config, ids }: Pick<OperatorContext, "config" | "ids">,
  db: Queryable,
  session: OperatorSession,
  asked: { readonly depositNo: string; readonly amount: MicroUsd },
  now: Instant,
): Promise<Verdict<{ readonly shown: DepositCase; readonly credited: Changed }>> {
  const depositId = parseDepositNo(asked.depositNo);
  const before = await readCase(db, config.chains, asked.depositNo, now);
  if (!before.ok || depositId === null) return before.ok ? refuse("NOT_FOUND") : before;
  const due = dueOf(before.value);
  if (due === null) return refuse("CONFLICT");
  if (due.worth !== formatMoney(asked.amount))
    return refuse("FIELD_INVALID", { field: "amount" }, { amount: "FIELD_INVALID" });
  if (due.by === "credit_below_minimum" && !(await isOnChain(db, depositId))) return refuse("CONFLICT");
  crashPoint("bank.checked");
  await db.query(`SELECT ${due.by}($1, $2, $3)`, [session.sessionId, depositId, ids.next()]);
  crashPoint("bank.booked");
  const { memberId } = await tellCredited(db, depositId);
  const shown = await readCase(db, config.chains, asked.depositNo, now);
  return shown.ok ? accept({ shown: shown.value, credited: { memberId, depositId } }) : shown;
}

/**
 * Returns whether a transfer is still on the chain where it was read. A reorganization may have removed it, or the test chain
 * may have been replaced.
 */
async function isOnChain(db: Queryable, depositId: bigint): Promise<boolean> {
  const found = await db.query(
    `SELECT 1 FROM chain_transfers t JOIN chain_instances i USING (instance_id)
     WHERE t.deposit_id = $1 AND t.lost_at_height IS NULL AND i.ended_at IS NULL`,
    [depositId],
  );
  return found.length > 0;
}

/** Returns what crediting a deposit would bring, and how; null if nothing can be credited. */
function dueOf({ matched, state, stage, amount }: DepositCase): {
  readonly worth: string;
  readonly by: "credit_bank_deposit" | "credit_below_minimum";
} | null {
  if (stage === "below_minimum") return { worth: amount, by: "credit_below_minimum" };
  if (matched === null || (state !== "processing" && stage !== "expired")) return null;
  return { worth: matched.worth, by: "credit_bank_deposit" };
}

/**
 * Rejects a bank transfer, a claim, or a transfer below the minimum or in another token. The member reads the reason.
 * Refuses NOT_FOUND and CONFLICT.
 */
export async function rejectDeposit(
  { config }: Pick<OperatorContext, "config">,
  db: Queryable,
  session: OperatorSession,
  asked: { readonly depositNo: string; readonly reason: string },
  now: Instant,
): Promise<Verdict<{ readonly shown: DepositCase; readonly ended: Changed }>> {
  const depositId = parseDepositNo(asked.depositNo);
  if (depositId === null) return refuse("NOT_FOUND");
  const [done] = await db.query<{ rejected: boolean }>("SELECT reject_deposit($1, $2, $3) AS rejected", [
    session.sessionId,
    depositId,
    asked.reason,
  ]);
  const shown = await readCase(db, config.chains, asked.depositNo, now);
  if (!shown.ok) return shown;
  if (!done?.rejected) return refuse("CONFLICT");
  const ended = await tellFailed(db, depositId);
  return accept({ shown: shown.value, ended });
}
