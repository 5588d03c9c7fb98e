import type { Instant, MemberId } from "@fairtick/domain";
import { languageOf } from "@fairtick/i18n";
import { translate } from "@fairtick/i18n/server";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import { endAllSessions } from "../sessions/index.ts";
import type { ClosingContext } from "./close-account.ts";

interface Closed {
  member_id: MemberId;
  email: string | null;
  language: string;
}

/**
 * Closes accounts that wait to be closed and have no running orders. Their sessions end, data that needn't be kept is deleted,
 * and the member gets a mail. Returns how many were closed.
 */
export async function finishClosings(context: ClosingContext, now: Instant): Promise<number> {
  const closed = await context.databases.sessions.transaction(async (db) => {
    const rows = await db.query<Closed>(
      `UPDATE closings c SET closed_at = $1 FROM members m
       WHERE c.closed_at IS NULL AND m.member_id = c.member_id
         AND NOT EXISTS (SELECT FROM open_orders r WHERE r.member_id = c.member_id)
       RETURNING m.member_id, m.email, m.language`,
      [now],
    );
    await forgetChoices(
      db,
      rows.map((row) => row.member_id),
    );
    return rows;
  });
  for (const member of closed) {
    await endAllSessions(context, member.member_id, now);
    const { code } = languageOf(member.language);
    if (member.email === null) continue;
    context.messenger.post({
      channel: "email",
      to: member.email,
      subject: translate(code, "mail.accountClosed.subject"),
      text: translate(code, "mail.accountClosed.text"),
      footerIn: code,
    });
  }
  return closed.length;
}

/**
 * Deletes the members' choices (name, settings, favourites, alerts, push subscriptions), which only an account in use needs.
 * Orders, money and their proofs are kept, and so is an exclusion.
 */
async function forgetChoices(db: Queryable, memberIds: readonly MemberId[]): Promise<void> {
  if (memberIds.length === 0) return;
  await db.query("UPDATE members SET username = NULL, settings = '{}' WHERE member_id = ANY ($1::bigint[])", [
    memberIds,
  ]);
  for (const choices of ["favourites", "price_alerts", "push_subscriptions"])
    await db.query(`DELETE FROM ${choices} WHERE member_id = ANY ($1::bigint[])`, [memberIds]);
}

const EVERY_MS = 2_000;

/** Closes waiting accounts as soon as they can be closed, until stopped. */
export function startClosings(context: ClosingContext & Pick<Context, "clock" | "log">): Rounds {
  const failed = "waiting accounts could not be closed; the next round tries again";
  return startRounds({ log: context.log, everyMs: EVERY_MS, failed, atStart: false }, () =>
    finishClosings(context, context.clock.now()),
  );
}
