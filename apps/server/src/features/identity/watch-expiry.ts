import type { MemberId } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Present } from "../../platform/database.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import { tellMember } from "../notices/index.ts";
import { announceIdentity } from "./identity-routes.ts";

const LOOK_EVERY_MS = 600_000;

interface Ending {
  readonly member: MemberId;
  /** Both functions return only cases that have a last day. */
  readonly last_day: Present<string>;
}

/**
 * Reminds members whose document's last day is near, once for each document, and ends verifications whose last day has
 * passed. States and messages are written in one transaction, and a second run does nothing more. Returns how many members
 * it reminded and how many verifications it ended.
 */
export async function lookForExpiry({
  databases,
  bus,
}: Pick<Context, "databases" | "bus">): Promise<{ readonly reminded: number; readonly expired: number }> {
  const [reminded, expired] = await databases.jobs.transaction(async (db) => {
    const over = await db.query<Ending>("SELECT member, last_day::text AS last_day FROM expire_identities()");
    for (const { member, last_day: day } of over) await tellMember(db, member, "identityExpired", { day });
    const near = await db.query<Ending>("SELECT member, last_day::text AS last_day FROM remind_of_expiry()");
    for (const { member, last_day: day } of near) await tellMember(db, member, "identityExpiring", { day });
    return [near, over];
  });
  for (const { member } of [...reminded, ...expired]) announceIdentity({ bus }, member);
  return { reminded: reminded.length, expired: expired.length };
}

/** Starts looking for expiring documents, now and every ten minutes. */
export function startExpiryWatch(context: Pick<Context, "databases" | "bus" | "log">): Rounds {
  const failed = "documents' last days could not be checked; the next round tries again";
  return startRounds({ log: context.log, everyMs: LOOK_EVERY_MS, failed }, () => lookForExpiry(context));
}
