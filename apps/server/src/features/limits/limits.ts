/**
 * Limits that members set for themselves. For each limit, the newest row whose time has come is in force, and a later one is
 * pending. A stricter limit applies at once, a looser one after 24 hours, so that nobody drops a limit on impulse.
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
/** Longest cool-off. For a longer pause, members exclude themselves. */
const COOL_OFF_MAX_MS = YEAR_MS;
const EXCLUSION_MAX_MS = 100n * YEAR_MS;

/** Changes of limits: null lifts a limit, one left out stays as it is. Amounts are in micro-USD. */
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

/** Reads the limits in force, and pending looser ones with the time from which they apply. */
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

/** Stores a limit. Replaces a pending one, and one that starts at the same instant. */
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

/** Starts a cool-off or extends it. Refuses FIELD_INVALID as `setLimits` does. */
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
 * Lowers limits at once and raises them after 24 hours. Repeating a change doesn't restart the 24 hours. Refuses FIELD_INVALID
 * for a cool-off that ends before the one in force, in the past, or more than a year from now.
 */
export function setLimits(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  change: LimitsChange,
  now: Instant,
): Promise<Verdict<Output<typeof userLimits>>> {
  return databases.sessions.transaction(async (db) => {
    // The lock lets two changes by one member run one after another.
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
        // Setting the value in force cancels a pending raise.
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
 * Excludes the member from new orders until an instant. They can later move it further away, but an earlier instant changes
 * nothing. Running orders still settle, and they can still log in and withdraw. Refuses FIELD_INVALID for an instant in the past.
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
