import {
  canonicalJson,
  FIRST_WITHDRAWAL_POLICY,
  type Instant,
  type MemberId,
  type MicroUsd,
  startOfUtcDay,
  utcDay,
  type WithdrawalPolicy,
} from "@fairtick/domain";
import * as v from "valibot";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { seedPolicy } from "../policies/index.ts";

const amount = v.pipe(
  v.number(),
  v.safeInteger(),
  v.transform((value) => BigInt(value) as MicroUsd),
);
const policy = v.object({
  version: v.pipe(v.number(), v.safeInteger()),
  effectiveAt: v.pipe(
    v.number(),
    v.safeInteger(),
    v.transform((value) => BigInt(value) as Instant),
  ),
  minimum: amount,
  maximum: amount,
  fee: amount,
  dayMax: v.nullable(amount),
  automaticMax: amount,
  singleMax: amount,
});

/**
 * Converts terms to the stored form: canonical JSON, whose bytes are hashed into the public log. The database reads the
 * same text.
 */
export function withdrawalsToJson(terms: WithdrawalPolicy): string {
  return canonicalJson({ ...terms });
}

/** Parses a stored version. Throws if it isn't a version of the terms. */
export function withdrawalsFromJson(text: string): WithdrawalPolicy {
  return v.parse(policy, JSON.parse(text));
}

const FIRST: WithdrawalPolicy = { version: 0, effectiveAt: 0n as Instant, ...FIRST_WITHDRAWAL_POLICY };

/** Reads the terms that are in force at this moment of the database's clock. */
export async function readWithdrawalTerms(db: Queryable): Promise<WithdrawalPolicy> {
  const [row] = await db.query<{ body: string }>("SELECT body FROM withdrawal_terms_now");
  return row === undefined ? FIRST : withdrawalsFromJson(row.body);
}

/** Reads the next version that is approved and logged but not yet in force; null if there is none. */
export async function readComingTerms(db: Queryable): Promise<WithdrawalPolicy | null> {
  const [row] = await db.query<{ body: string }>(
    `SELECT body FROM policies WHERE name = 'withdrawals' AND version > policy_version_now('withdrawals') ORDER BY version LIMIT 1`,
  );
  return row === undefined ? null : withdrawalsFromJson(row.body);
}

/** Reads a member's available balance and the amount that they requested on this UTC day and did not get back. */
export async function readWithdrawable(db: Queryable, memberId: MemberId, now: Instant) {
  const [row] = await db.query<{ available: MicroUsd; asked: MicroUsd }>(
    `SELECT real_available AS available, (SELECT coalesce(sum(w.amount), 0)::bigint FROM withdrawals w
       WHERE w.member_id = m.member_id AND w.created_at >= $2 AND w.stage NOT IN ('canceled', 'rejected', 'reverted')) AS asked
     FROM members_money m WHERE member_id = $1`,
    [memberId, startOfUtcDay(utcDay(now))],
  );
  return { available: row?.available ?? (0n as MicroUsd), askedToday: row?.asked ?? (0n as MicroUsd) };
}

/** Stores the first version unless there is one. */
export function seedWithdrawalTerms(context: Pick<Context, "databases">): Promise<void> {
  return seedPolicy(context, "withdrawals", (effectiveAt) =>
    withdrawalsToJson({ version: 1, effectiveAt, ...FIRST_WITHDRAWAL_POLICY }),
  );
}
