import { holdMarketKeys, startMarket } from "../features/market/index.ts";
import type { Process } from "../platform/context.ts";
import type { Started } from "../platform/family.ts";

/** Starts the one writer of ticks; ready once ticks are being stored. */
export async function startMarketRole(process_: Process): Promise<Started> {
  const { config, databases, health, shutdown } = process_;
  await holdMarketKeys(databases.market, config);
  const market = startMarket(process_, (reason) => {
    health.set("market", reason);
  });
  shutdown.add("market", () => market.stop());
  await market.started;
  return { places: [] };
}
