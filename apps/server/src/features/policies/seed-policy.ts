import type { Instant } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";

/** Rules that operators change in dated versions, besides the trading configuration. */
export type PolicyName = "regions" | "withdrawals";

/** Stores version 1 if there is none, with its log entry in the same transaction. It takes effect at once. */
export async function seedPolicy(
  { databases }: Pick<Context, "databases">,
  name: PolicyName,
  bodyAt: (effectiveAt: Instant) => string,
): Promise<void> {
  const [clock] = await databases.jobs.query<{ now: Instant }>(
    "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
  );
  if (clock !== undefined) await databases.jobs.query("SELECT seed_policy($1, $2)", [name, bodyAt(clock.now)]);
}
