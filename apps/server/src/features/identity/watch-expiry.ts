import type { MemberId } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Present } from "../../platform/database.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import { tellMember } from "../notices/index.ts";
import { announceIdentity } from "./identity-routes.ts";

const LOOK_EVERY_MS = 600_000;

interface Ending {
  readonly member: MemberId;
  /** Both functions answer cases that have one only. */
  readonly last_day: Present<string>;
}

/**
 * Tells members whose document's last day is near, once for each document, and ends what a last day has ended: the
 * state and the message stand together. Run twice, it does nothing more. Answers how many it told of either.
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

/** Looks at the start and every ten minutes. */
export function startExpiryWatch(context: Pick<Context, "databases" | "bus" | "log">): Rounds {
  const failed = "documents' last days could not be looked at; the next round does it";
  return startRounds({ log: context.log, everyMs: LOOK_EVERY_MS, failed }, () => lookForExpiry(context));
}
