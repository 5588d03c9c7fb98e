import type { MemberId, Verdict } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { refuseRegion } from "../regions/index.ts";

/** Replaces a refusal that the rules of orders made for a region by one that names the region's rule. */
export async function nameRegionRule<Value>(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  answer: Verdict<Value>,
): Promise<Verdict<Value>> {
  if (answer.ok || !answer.refusal.error.startsWith("REGION_")) return answer;
  const [row] = await databases.sessions.query<{ region: string }>("SELECT region FROM members WHERE member_id = $1", [
    memberId,
  ]);
  const named = await refuseRegion(databases.sessions, row?.region ?? "");
  return named?.error === answer.refusal.error ? { ok: false, refusal: named } : answer;
}
