import { holdMarketKeys, startMarket } from "../features/market/index.ts";
import { ConfigError } from "../platform/config.ts";
import type { Process } from "../platform/context.ts";
import type { Started } from "../platform/family.ts";
import { sourcesOf } from "../platform/source-settings.ts";

/** Starts the writer of ticks. Resolves once ticks are being stored. Throws `ConfigError` if prices are simulated without a beacon. */
export async function startMarketRole(process_: Process): Promise<Started> {
  const { config, databases, health, shutdown } = process_;
  if (config.beacon === null && sourcesOf(config.marketSources).has("simulated")) {
    throw new ConfigError(
      "The simulated market needs a beacon: BEACON_URL and BEACON_KEY must name one, or npm start has to start it.",
    );
  }
  await holdMarketKeys(databases.market, config);
  const market = startMarket(process_, (reason) => {
    health.set("market", reason);
  });
  shutdown.add("market", () => market.stop());
  await market.started;
  return { places: [] };
}
