import {
  accept,
  formatId,
  formatMoney,
  formatPrefixedId,
  type IdentityState,
  type Instant,
  type MemberId,
  type MicroUsd,
  parseId,
  refuse,
  type Standing,
  type Verdict,
} from "@fairtick/domain";
import type { MemberDetail, MemberEntry } from "@fairtick/protocol/operator";
import type { Queryable } from "../../platform/database.ts";
import { standingAt } from "../members/index.ts";
import { listProposals, personOf, presentProposal } from "../operators/index.ts";
import { presentFreeze } from "./lift-freeze.ts";
import { regionPolicy } from "../regions/index.ts";
import { hasSecondFactor } from "../second-factor/index.ts";
import { readWaitingRemoval } from "./lost-factor.ts";

/** How long one person may lift a suspension alone, in ms. After that, a second person has to review it. */
export const REVIEW_MS = 86_400_000n;

export interface MemberFilters {
  readonly search?: string | undefined;
  readonly standing?: "all" | "suspended" | "review" | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

interface EntryRow {
  readonly member_id: MemberId;
  readonly account: string | null;
  readonly username: string | null;
  readonly region: string;
  readonly standing: Standing;
  readonly excluded_until: Instant | null;
  readonly created_at: Date;
  readonly practice: bigint;
  readonly real: bigint;
  readonly unreviewed_since: bigint | null;
}

const PAGE_MEMBERS = 50;

/**
 * Lists members whose id, account or name contains the searched text, newest first. Refuses FIELD_INVALID for a bad
 * cursor.
 */
export async function listMembers(
  db: Queryable,
  filters: MemberFilters,
  now: Instant,
): Promise<Verdict<{ items: MemberEntry[]; nextCursor: string | null }>> {
  const cursor = filters.cursor === undefined ? null : parseId("member", filters.cursor);
  if (filters.cursor !== undefined && cursor === null)
    return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const limit = filters.limit ?? PAGE_MEMBERS;
  const search = filters.search?.trim();
  const pattern = search ? `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null;
  const rows = await db.query<EntryRow>(
    `SELECT m.member_id, coalesce(m.email, m.phone) AS account, m.username, m.region, m.standing, m.excluded_until, m.created_at,
       w.practice_available + w.practice_locked AS practice, w.real_available + w.real_locked AS real,
       CASE WHEN s.reviewed_at IS NULL THEN s.suspended_at END AS unreviewed_since
     FROM members m JOIN members_money w USING (member_id)
     LEFT JOIN suspensions s ON s.member_id = m.member_id AND s.lifted_at IS NULL
     WHERE ($1::bigint IS NULL OR m.member_id < $1)
       AND ($2::text IS NULL OR m.member_id = $3 OR m.email ILIKE $2 OR m.phone ILIKE $2 OR m.username ILIKE $2)
       AND ($4 = 'all' OR m.standing = 'suspended') AND ($4 <> 'review' OR (s.suspension_id IS NOT NULL AND s.reviewed_at IS NULL))
     ORDER BY m.member_id DESC LIMIT $5`,
    [cursor, pattern, search ? parseId("member", search) : null, filters.standing ?? "all", limit + 1],
  );
  const items = rows.slice(0, limit).map((row): MemberEntry => ({
    memberId: formatId("member", row.member_id),
    account: row.account ?? "",
    username: row.username,
    region: row.region,
    standing: standingAt({ standing: row.standing, excludedUntil: row.excluded_until }, now),
    createdAt: row.created_at.getTime(),
    practice: money(row.practice),
    real: money(row.real),
    reviewDueAt: row.unreviewed_since === null ? null : Number(row.unreviewed_since + REVIEW_MS),
  }));
  return accept({ items, nextCursor: rows.length > limit ? (items.at(-1)?.memberId ?? null) : null });
}

function money(amount: bigint): string {
  return formatMoney(amount as MicroUsd);
}

interface DetailRow extends Record<string, unknown> {
  readonly phone: string | null;
  readonly email: string | null;
  readonly username: string | null;
  readonly region: string;
  readonly language: string;
  readonly standing: Standing;
  readonly standing_reason: string | null;
  readonly excluded_until: Instant | null;
  readonly trade_password_set: boolean;
  readonly created_at: Date;
  readonly invited_by: MemberId | null;
  readonly identity_state: IdentityState | null;
  readonly practice_available: bigint;
  readonly practice_locked: bigint;
  readonly practice_running_stakes: bigint;
  readonly practice_running_orders: number;
  readonly real_available: bigint;
  readonly real_locked: bigint;
  readonly real_running_stakes: bigint;
  readonly real_running_orders: number;
  readonly real_debt: bigint;
  readonly deposited: bigint;
  readonly reversed: bigint;
}

/** Reads a member with their wallets and all their suspensions. Refuses NOT_FOUND for an unknown id. */
export async function readMemberDetail(db: Queryable, id: string, now: Instant): Promise<Verdict<MemberDetail>> {
  const memberId = parseId("member", id);
  const [row] = await db.query<DetailRow>(
    `SELECT m.phone, m.email, m.username, m.region, m.language, m.standing, m.standing_reason, m.excluded_until,
       m.trade_password_set, m.created_at, m.invited_by,
       identity_state(m.member_id),
       (SELECT coalesce(sum(amount), 0)::bigint FROM deposits d WHERE d.member_id = m.member_id AND d.stage = 'credited') AS deposited,
       (SELECT coalesce(sum(amount), 0)::bigint FROM deposits d WHERE d.member_id = m.member_id AND d.stage = 'reversed') AS reversed,
       a.operator_id AS manager_id, a.login AS manager_login, a.name AS manager_name,
       b.operator_id AS analyst_id, b.login AS analyst_login, b.name AS analyst_name, w.*
     FROM members m JOIN members_money w USING (member_id)
     LEFT JOIN vip_assignments va ON va.member_id = m.member_id AND va.post = 'manager' LEFT JOIN operators a ON a.operator_id = va.operator_id
     LEFT JOIN vip_assignments vb ON vb.member_id = m.member_id AND vb.post = 'analyst' LEFT JOIN operators b ON b.operator_id = vb.operator_id
     WHERE m.member_id = $1`,
    [memberId],
  );
  if (memberId === null || row === undefined) return refuse("NOT_FOUND");
  const suspensions = await readSuspensions(db, memberId);
  const open = suspensions.find(({ liftedAt }) => liftedAt === null);
  const lift = await readWaitingLift(db, memberId);
  const removal = await readWaitingRemoval(db, memberId);
  return accept({
    memberId: id,
    phone: row.phone,
    email: row.email,
    username: row.username,
    region: row.region,
    regionPolicy: await regionPolicy(db, row.region),
    language: row.language,
    standing: standingAt({ standing: row.standing, excludedUntil: row.excluded_until }, now),
    standingReason: row.standing_reason,
    excludedUntil: row.excluded_until === null ? null : Number(row.excluded_until),
    tradePasswordSet: row.trade_password_set,
    createdAt: row.created_at.getTime(),
    invitedBy: row.invited_by === null ? null : formatId("member", row.invited_by),
    identityState: row.identity_state ?? "unverified",
    manager: personOf(row, "manager"),
    analyst: personOf(row, "analyst"),
    practice: {
      available: money(row.practice_available),
      locked: money(row.practice_locked),
      runningStakes: money(row.practice_running_stakes),
      runningOrders: row.practice_running_orders,
    },
    real: {
      available: money(row.real_available),
      locked: money(row.real_locked),
      runningStakes: money(row.real_running_stakes),
      runningOrders: row.real_running_orders,
    },
    deposits: { deposited: money(row.deposited), reversed: money(row.reversed), owed: money(row.real_debt) },
    suspensions,
    lift: lift === null ? null : { ...presentProposal(lift), memberId: id },
    freeze: await presentFreeze(db, id),
    secondFactor: await hasSecondFactor(db, memberId),
    factorRemoval: removal === null ? null : { ...presentProposal(removal), memberId: id },
    liftAlone: open !== undefined && Number(now) - open.suspendedAt <= Number(REVIEW_MS),
  });
}

async function readSuspensions(db: Queryable, memberId: MemberId): Promise<MemberDetail["suspensions"]> {
  const rows = await db.query<Record<string, unknown> & { reason: string; lift_reason: string | null }>(
    `SELECT s.suspension_id, s.reason, s.suspended_at, s.reviewed_at, s.lifted_at, s.lift_reason,
       a.operator_id AS by_id, a.login AS by_login, a.name AS by_name, b.operator_id AS review_id, b.login AS review_login,
       b.name AS review_name, c.operator_id AS lift_id, c.login AS lift_login, c.name AS lift_name
     FROM suspensions s JOIN operators a ON a.operator_id = s.suspended_by
     LEFT JOIN operators b ON b.operator_id = s.reviewed_by LEFT JOIN operators c ON c.operator_id = s.lifted_by
     WHERE s.member_id = $1 ORDER BY s.suspension_id DESC LIMIT 50`,
    [memberId],
  );
  const instant = (value: unknown) => (typeof value === "bigint" ? Number(value) : null);
  return rows.flatMap((row) => {
    const suspendedBy = personOf(row, "by");
    if (suspendedBy === null || typeof row["suspension_id"] !== "bigint") return [];
    return [
      {
        suspensionId: formatPrefixedId("sus", row["suspension_id"]),
        reason: row.reason,
        suspendedBy,
        suspendedAt: instant(row["suspended_at"]) ?? 0,
        reviewedBy: personOf(row, "review"),
        reviewedAt: instant(row["reviewed_at"]),
        liftedBy: personOf(row, "lift"),
        liftedAt: instant(row["lifted_at"]),
        liftReason: row.lift_reason,
      },
    ];
  });
}

/** Reads the waiting proposal to lift a member's current suspension. */
export async function readWaitingLift(db: Queryable, memberId: MemberId) {
  const waiting = await listProposals(db, "lift", { state: "waiting", limit: 1_000 });
  return waiting.ok ? (waiting.value.items.find((row) => row.member_id === memberId) ?? null) : null;
}
