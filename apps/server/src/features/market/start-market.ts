import { join } from "node:path";
import { FIRST_SM1_PARAMS, type Instant } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { makeHistory, noHistory } from "./genesis.ts";
import type { Genesis } from "./market-rows.ts";
import { type Market, runMarket } from "./run-market.ts";
import { openSeedVault } from "./seed-vault.ts";
import { createSimulatedSource } from "./sources/simulated-source.ts";

/**
 * Runs the market of this deployment as configured, in this process: the seeds of its simulated part lie in
 * `dataDir/market`. Answers at once; `started` resolves when ticks are being stored.
 */
export function startMarket(
  context: Pick<Context, "config" | "databases" | "bus" | "log" | "clock">,
  onTrouble?: (reason: string | undefined) => void,
): Market {
  const { config, databases, bus, log, clock } = context;
  const database = databases.market;
  const vault = openSeedVault(join(config.dataDir, "market"));
  const made = new Map(FIRST_SM1_PARAMS.map((params) => [params.symbol, params]));

  function genesis(symbol: string, end: Instant): Genesis {
    const params = made.get(symbol);
    return params ? makeHistory(params, end) : noHistory(symbol, end);
  }

  return runMarket({
    database,
    bus,
    log,
    clock,
    genesis,
    ...(onTrouble && { onTrouble }),
    openSources: (desk) => [createSimulatedSource({ database, log, vault, instruments: FIRST_SM1_PARAMS, ...desk })],
  });
}
