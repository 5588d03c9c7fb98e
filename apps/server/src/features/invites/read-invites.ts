import {
  accept,
  formatMoney,
  formatPrefixedId,
  formatRate,
  type Instant,
  type MemberId,
  type MicroUsd,
  parsePrefixedId,
  type Rate,
  refuse,
  roundDownToCent,
  utcDay,
  type Verdict,
} from "@fairtick/domain";
import type { inviteInfo, inviteList, Output } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import type { Present, Queryable } from "../../platform/database.ts";
import { maskAccount } from "../members/index.ts";

/** Reads the share of fees that is in force on a UTC day; 0 until operators have set one. */
export async function readReferralRate(db: Queryable, day: number): Promise<Rate> {
  const rows = await db.query<{ rate: number }>(
    "SELECT rate FROM referral_rates WHERE from_day <= $1 ORDER BY rate_no DESC LIMIT 1",
    [day],
  );
  return BigInt(rows[0]?.rate ?? 0) as Rate;
}

/** Reads a member's invitation, how many people joined with it, and the rewards so far. */
export async function readInvite(
  { databases, config }: Pick<Context, "databases" | "config">,
  memberId: MemberId,
  now: Instant,
): Promise<Output<typeof inviteInfo>> {
  const db = databases.reader;
  const [rows, rate] = await Promise.all([
    db.query<{ code: string; invited: bigint; earned: bigint }>(
      `SELECT invite_code AS code, (SELECT count(*) FROM members WHERE invited_by = m.member_id) AS invited,
         (SELECT coalesce(sum(p.amount), 0)::bigint FROM transfers t JOIN postings p USING (transfer_id)
          WHERE t.member_id = m.member_id AND t.kind = 'referral' AND p.to_account = 'available') AS earned
       FROM members m WHERE member_id = $1`,
      [memberId],
    ),
    readReferralRate(db, utcDay(now)),
  ]);
  const row = rows[0];
  if (row === undefined) throw new Error("a session belongs to no member");
  return {
    code: row.code,
    url: `${config.publicUrl}/#/pages/index/Register?inviteCode=${row.code}`,
    invited: Number(row.invited),
    rewardRate: formatRate(rate),
    earned: formatMoney(row.earned as MicroUsd),
  };
}

const CURSOR_PREFIX = "inv";
const PAGE_PEOPLE = 30;

/** Lists the people who joined with a member's invitation, newest first and masked. Refuses FIELD_INVALID for a bad cursor. */
export async function listInvited(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  page: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): Promise<Verdict<Output<typeof inviteList>>> {
  const before = page.cursor === undefined ? null : parsePrefixedId(CURSOR_PREFIX, page.cursor);
  if (page.cursor !== undefined && before === null) {
    return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  }
  const limit = page.limit ?? PAGE_PEOPLE;
  const rows = await databases.reader.query<{
    member_id: bigint;
    // A constraint guarantees that a member has an e-mail address or a phone number.
    account: Present<string>;
    joined_at: bigint;
    earned: bigint;
  }>(
    `SELECT member_id, coalesce(email, phone) AS account, floor(extract(epoch FROM created_at) * 1000)::bigint AS joined_at,
       (SELECT coalesce(sum(share), 0)::bigint FROM referral_shares s WHERE s.member_id = m.member_id) AS earned
     FROM members m WHERE invited_by = $1 AND ($2::bigint IS NULL OR member_id < $2) ORDER BY member_id DESC LIMIT $3`,
    [memberId, before, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return accept({
    items: shown.map((row) => ({
      username: maskAccount(row.account),
      joinedAt: Number(row.joined_at),
      earned: formatMoney(roundDownToCent(row.earned as MicroUsd)),
    })),
    nextCursor: last === undefined ? null : formatPrefixedId(CURSOR_PREFIX, last.member_id),
  });
}

/** Reads everyone a member invited, for the data export. */
export async function* eachInvited(
  context: Pick<Context, "databases">,
  memberId: MemberId,
): AsyncGenerator<Output<typeof inviteList>["items"][number]> {
  let cursor: string | undefined;
  do {
    const page = await listInvited(context, memberId, { cursor, limit: 500 });
    if (!page.ok) throw new Error("the cursor of an export was refused");
    yield* page.value.items;
    cursor = page.value.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
