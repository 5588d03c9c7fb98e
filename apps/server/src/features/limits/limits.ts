/**
 * Limits a member sets for themselves. Of each name the newest row whose time has come is in force; a later one is
 * pending. Stricter binds at once, looser after 24 hours, so that a bad hour cannot undo a good resolution.
 */
import {
  accept,
  formatMoney,
  type Instant,
  type MemberId,
  type MicroUsd,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { Output, userLimits } from "@fairtick/protocol";
import type { Queryable } from "../../platform/database.ts";
import type { Context } from "../../platform/context.ts";

const LIMIT_NAMES = ["dailyLoss", "dailyStake", "sessionMinutes"] as const;
type LimitName = (typeof LIMIT_NAMES)[number];

export const RAISE_AFTER_MS = 86_400_000n;
const YEAR_MS = 366n * 86_400_000n;
/** A cool-off is a pause; whoever wants longer excludes themselves. */
const COOL_OFF_MAX_MS = YEAR_MS;
const EXCLUSION_MAX_MS = 100n * YEAR_MS;

/** null lifts a limit; a name left out stays as it is. Amounts in micro-USD, `sessionMinutes` in minutes. */
export interface LimitsChange {
  readonly dailyLoss?: MicroUsd | null | undefined;
  readonly dailyStake?: MicroUsd | null | undefined;
  readonly sessionMinutes?: number | null | undefined;
  readonly coolOffUntil?: Instant | undefined;
}

interface LimitRow {
  name: LimitName | "coolOffUntil";
  effective_at: bigint;
  value: bigint | null;
}

async function readRows(db: Queryable, memberId: MemberId): Promise<LimitRow[]> {
  const rows = await db.query<LimitRow>(
    "SELECT name, effective_at, value FROM member_limits WHERE member_id = $1 ORDER BY effective_at",
    [memberId],
  );
  return rows;
}

function inForce(rows: readonly LimitRow[], name: LimitRow["name"], now: Instant): bigint | null {
  return rows.findLast((row) => row.name === name && row.effective_at <= now)?.value ?? null;
}

function pendingOf(rows: readonly LimitRow[], name: LimitRow["name"], now: Instant): LimitRow | undefined {
  return rows.find((row) => row.name === name && row.effective_at > now);
}

function present(name: LimitName, value: bigint | null): string | number | null {
  if (value === null) return null;
  return name === "sessionMinutes" ? Number(value) : formatMoney(value as MicroUsd);
}

function presentMoney(value: bigint | null): string | null {
  return value === null ? null : formatMoney(value as MicroUsd);
}

/** Limits in force, and looser ones with when they will be. */
export async function readLimits(db: Queryable, memberId: MemberId, now: Instant): Promise<Output<typeof userLimits>> {
  const rows = await readRows(db, memberId);
  const members = await db.query<{ excluded_until: bigint | null }>(
    "SELECT excluded_until FROM members WHERE member_id = $1",
    [memberId],
  );
  const excludedUntil = members[0]?.excluded_until ?? null;
  const coolOffUntil = inForce(rows, "coolOffUntil", now);
  const sessionMinutes = inForce(rows, "sessionMinutes", now);
  return {
    dailyLoss: presentMoney(inForce(rows, "dailyLoss", now)),
    dailyStake: presentMoney(inForce(rows, "dailyStake", now)),
    sessionMinutes: sessionMinutes === null ? null : Number(sessionMinutes),
    coolOffUntil: coolOffUntil !== null && coolOffUntil > now ? Number(coolOffUntil) : null,
    excludedUntil: excludedUntil !== null && excludedUntil > now ? Number(excludedUntil) : null,
    pending: LIMIT_NAMES.flatMap((name) => {
      const row = pendingOf(rows, name, now);
      return row === undefined ? [] : [{ limit: name, value: present(name, row.value), at: Number(row.effective_at) }];
    }),
  };
}

/** Puts a row in the place of what is pending, and of one that began at that very instant. */
async function storeLimit(db: Queryable, memberId: MemberId, row: LimitRow, now: Instant): Promise<void> {
  await db.query(
    "DELETE FROM member_limits WHERE member_id = $1 AND name = $2 AND (effective_at > $3 OR effective_at = $4)",
    [memberId, row.name, now, row.effective_at],
  );
  await db.query("INSERT INTO member_limits (member_id, name, effective_at, value) VALUES ($1, $2, $3, $4)", [
    memberId,
    row.name,
    row.effective_at,
    row.value,
  ]);
}

/** Begins a cool-off, or makes it longer. */
async function coolOff(
  db: Queryable,
  memberId: MemberId,
  rows: Awaited<ReturnType<typeof readRows>>,
  until: LimitsChange["coolOffUntil"],
  now: Instant,
): Promise<Verdict<null>> {
  if (until === undefined) return accept(null);
  const current = inForce(rows, "coolOffUntil", now) ?? 0n;
  if (until <= now || until < current || until > now + COOL_OFF_MAX_MS)
    return refuse("FIELD_INVALID", undefined, { coolOffUntil: "FIELD_INVALID" });
  if (until > current) await storeLimit(db, memberId, { name: "coolOffUntil", effective_at: now, value: until }, now);
  return accept(null);
}

/**
 * Lowers limits at once and raises them after 24 hours. The same change again moves nothing. Refuses a cool-off that
 * ends earlier than the one in force, lies in the past or beyond a year: FIELD_INVALID.
 */
export function setLimits(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  change: LimitsChange,
  now: Instant,
): Promise<Verdict<Output<typeof userLimits>>> {
  return databases.sessions.transaction(async (db) => {
    // Two changes of one member come one after another.
    await db.query("SELECT 1 FROM members WHERE member_id = $1 FOR NO KEY UPDATE", [memberId]);
    const rows = await readRows(db, memberId);
    const cooling = await coolOff(db, memberId, rows, change.coolOffUntil, now);
    if (!cooling.ok) return cooling;
    for (const name of LIMIT_NAMES) {
      const wanted = change[name];
      if (wanted === undefined) continue;
      const value = wanted === null ? null : BigInt(wanted);
      const current = inForce(rows, name, now);
      const pending = pendingOf(rows, name, now);
      if (value === current) {
        // Asking for what is in force takes a raise back.
        await db.query("DELETE FROM member_limits WHERE member_id = $1 AND name = $2 AND effective_at > $3", [
          memberId,
          name,
          now,
        ]);
      } else if (value !== null && (current === null || value < current)) {
        await storeLimit(db, memberId, { name, effective_at: now, value }, now);
      } else if (pending === undefined || pending.value !== value) {
        await storeLimit(db, memberId, { name, effective_at: now + RAISE_AFTER_MS, value }, now);
      }
    }
    return accept(await readLimits(db, memberId, now));
  });
}

/**
 * Excludes the member from new orders until a moment that they can move later, never earlier: an earlier one changes
 * nothing. Running orders settle, logging in and withdrawing stay open. FIELD_INVALID for a moment that is past.
 */
export async function excludeSelf(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  until: Instant,
  now: Instant,
): Promise<Verdict<Output<typeof userLimits>>> {
  if (until <= now || until > now + EXCLUSION_MAX_MS)
    return refuse("FIELD_INVALID", undefined, { until: "FIELD_INVALID" });
  await databases.sessions.query(
    `UPDATE members SET excluded_until = greatest(excluded_until, $2::bigint),
       standing = CASE standing WHEN 'active' THEN 'excluded' ELSE standing END
     WHERE member_id = $1 AND NOT (standing = 'excluded' AND excluded_until IS NULL)`,
    [memberId, until],
  );
  return accept(await readLimits(databases.sessions, memberId, now));
}
