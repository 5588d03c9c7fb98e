import type { Instant, MemberId, Refusal } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { readMember } from "../members/index.ts";
import { readRegion, refuseRegion } from "../regions/index.ts";

/**
 * Returns why a member may not start a new deposit; null if they may. They must be in good standing, have a real wallet and,
 * if the deployment requires it, a verified identity. It is required here so that a withdrawal is never the first to ask for
 * it. Money that is already on its way is always accepted.
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
