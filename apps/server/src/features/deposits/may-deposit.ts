import type { Instant, MemberId, Refusal } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { readMember } from "../members/index.ts";
import { readRegion, refuseRegion } from "../regions/index.ts";

/**
 * Refuses a new deposit. Money that is already on its way is always taken. A new deposit takes a member in good
 * standing with a real wallet and, if the deployment demands it, a verified identity. It is asked for here so that a
 * withdrawal is never the first to ask.
 */
export async function refuseNewDeposit(
  { databases, config }: Pick<Context, "databases" | "config">,
  memberId: MemberId,
  now: Instant,
): Promise<Refusal | null> {
  const member = await readMember(databases.sessions, memberId, now);
  if (member === null) return { error: "NOT_FOUND" };
  if (member.standing === "suspended") return { error: "SUSPENDED", params: { reason: member.standingReason ?? "" } };
  if (member.standing === "closed") return { error: "CLOSED" };
  if (member.standing === "excluded") {
    const until = member.excludedUntil;
    return until === null ? { error: "EXCLUDED" } : { error: "EXCLUDED", params: { until: Number(until) } };
  }
  const closed = await refuseRegion(databases.sessions, member.region);
  if (closed !== null) return closed;
  const region = await readRegion(databases.sessions, member.region);
  if (region?.deposits !== true) return { error: "REGION_NOT_OFFERED" };
  if (!config.identityBeforeDeposit || member.identityState === "verified") return null;
  return { error: member.identityState === "pending" ? "IDENTITY_PENDING" : "IDENTITY_REQUIRED" };
}
