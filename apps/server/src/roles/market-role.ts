import type { Process } from "../platform/context.ts";
import type { Started } from "../platform/family.ts";

/** Starts the one writer of ticks. */
export async function startMarketRole({ databases }: Process): Promise<Started> {
  await databases.market.query("SELECT 1");
  return { places: [] };
}
