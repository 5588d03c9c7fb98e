import { formatId, type Instant, type MemberId, openingHours, type SupportHours } from "@fairtick/domain";
import type { UserInfo } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { countUnreadNotices } from "../notices/index.ts";
import { countUnreadSupport } from "../support/index.ts";
import { type Member, readMember } from "./member-rows.ts";

/** Masks an account, as in `m•••@example.com` and `+49•••••1234`. The member can still recognize it. */
export function maskAccount(account: string): string {
  const at = account.indexOf("@");
  if (at > 0) return `${Array.from(account)[0] ?? ""}•••${account.slice(at)}`;
  return `${account.slice(0, 3)}${"•".repeat(Math.max(3, account.length - 7))}${account.slice(-4)}`;
}

export function presentMember(member: Member, unread: UserInfo["unread"]): UserInfo {
  const account = maskAccount(member.email ?? member.phone ?? "");
  return {
    userId: formatId("member", member.memberId),
    username: member.username ?? account,
    account,
    region: member.region,
    standing: member.standing,
    ...(member.standingReason !== null && member.standing !== "active" && { standingReason: member.standingReason }),
    identityState: member.identityState,
    tradePasswordSet: member.tradePasswordSet,
    frozenSince: member.frozenSince === null ? null : Number(member.frozenSince),
    wallet: member.policy === "full" ? member.wallet : "practice",
    realWalletOpen: member.policy === "full",
    language: member.language,
    unread,
  };
}

/**
 * Reads the people assigned to a verified member; null if there are none. A person without hours of their own has those
 * of customer service.
 */
export async function readVip(
  db: Queryable,
  memberId: MemberId,
  supportHours: SupportHours,
): Promise<NonNullable<UserInfo["vip"]> | null> {
  const rows = await db.query<{ post: "manager" | "analyst"; name: string; hours: string | null }>(
    "SELECT * FROM vip_of($1)",
    [memberId],
  );
  const of = (post: string) => rows.find((row) => row.post === post);
  const [manager, analyst] = [of("manager"), of("analyst")];
  if (rows.length === 0) return null;
  const person = ({ name, hours }: { name: string; hours: string | null }) => ({
    name,
    hours: hours ?? openingHours(supportHours),
  });
  return { ...(manager && { manager: person(manager) }), ...(analyst && { analyst: person(analyst) }) };
}

/** Reads what a member sees about themselves. Throws for an unknown id, since only members have sessions. */
export async function memberInfo(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  now: Instant,
): Promise<UserInfo> {
  const member = await readMember(databases.sessions, memberId, now);
  if (member === null) throw new Error("a session belongs to no member");
  return presentMember(member, {
    ...(await countUnreadNotices(databases.reader, memberId)),
    support: await countUnreadSupport(databases.reader, memberId),
  });
}
