import { accept, type Instant, type MemberId, type Verdict } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { tellMember } from "../notices/index.ts";
import { hashFreezeToken } from "../security-notices/index.ts";
import { announceEnded, endSessionRows, forgetDevices } from "../sessions/index.ts";

type FreezeContext = Pick<Context, "databases" | "bus">;

/**
 * Freezes a member's withdrawals by the link of a warning, ends all their sessions and forgets all their devices. Running orders
 * still settle and deposits still arrive. A link that is unknown, used or older than seven days changes nothing and gets the
 * same answer.
 */
export async function freezeByLink(context: FreezeContext, token: string, now: Instant): Promise<Verdict<null>> {
  const ended = await context.databases.sessions.transaction(async (db) => {
    const [link] = await db.query<{ member: MemberId | null }>("SELECT use_freeze_link($1) AS member", [
      hashFreezeToken(token),
    ]);
    const memberId = link?.member ?? null;
    if (memberId === null) return [];
    const [row] = await db.query<{ begun: boolean }>("SELECT begin_member_freeze($1, 'link') AS begun", [memberId]);
    if (row?.begun === true) await tellMember(db, memberId, "withdrawalsFrozen", {});
    await forgetDevices(db, memberId);
    return endSessionRows(db, { memberId, now });
  });
  announceEnded(context, ended);
  return accept(null);
}

/** Freezes the withdrawals of a member who is logged in. Repeating it changes nothing. */
export async function freezeOwn(context: FreezeContext, memberId: MemberId): Promise<Verdict<null>> {
  await context.databases.sessions.transaction(async (db) => {
    const [row] = await db.query<{ begun: boolean }>("SELECT begin_member_freeze($1, 'session') AS begun", [memberId]);
    if (row?.begun === true) await tellMember(db, memberId, "withdrawalsFrozen", {});
  });
  return accept(null);
}
